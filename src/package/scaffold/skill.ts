/** One skill that counts text with a script, and the tests of the script. */
import type { Draft, ScaffoldOptions } from './draft.ts';

export function skillFiles({ skill }: ScaffoldOptions): Draft[] {
  const dir = `skills/${skill}`;
  return [
    { path: `${dir}/SKILL.md`, content: instructions(skill) },
    { path: `${dir}/scripts/count.mjs`, content: SCRIPT, executable: true },
    { path: `${dir}/tests/test-config.json`, content: { version: 1, timeout: 10 }, schema: 'test-config' },
    { path: `${dir}/tests/fixtures/haiku.txt`, content: HAIKU },
    { path: `${dir}/tests/cases/01-counts.yaml`, content: COUNTS, schema: 'skill-test-case' },
    { path: `${dir}/tests/cases/02-missing-file.yaml`, content: MISSING_FILE, schema: 'skill-test-case' },
  ];
}

/** Words that YAML would read as something else than text. */
const YAML_WORDS = new Set(['null', 'true', 'false', 'yes', 'no', 'on', 'off', 'y', 'n']);

function instructions(skill: string): string {
  return `---
name: ${YAML_WORDS.has(skill) ? JSON.stringify(skill) : skill}
description: >-
  Counts the lines, words and characters of text files exactly. Use it when someone asks how long a text is,
  whether it keeps within a limit, or which of several texts is longer.
---

# ${skill}

Every number in the answer comes from the script. Do not count by reading: that goes wrong without anyone
noticing.

## What to do

1. Find the files that are meant. If the request fits several and does not say which, take all of them and say so.
2. Run the script in this skill's own folder, with the files as they are named from where you work:

       node <folder of this skill>/scripts/count.mjs notes.txt draft.md

3. Read the JSON it prints. \`files\` has one entry per file, in the order given, and \`total\` is their sum:

       {"files":[{"file":"notes.txt","lines":3,"words":9,"characters":41}],"total":{"lines":3,"words":9,"characters":41}}

4. Answer with one line per file, and a total when there are several:

       notes.txt: 3 lines, 9 words, 41 characters

5. If a limit was named, say whether the text keeps within it, and by how much it is under or over.

## How it counts

- A word is anything between white space: \`don't\` is one word, \`well-known\` is one, \`a / b\` is three.
- A character is a Unicode code point; line ends and spaces count.
- A last line without a line end is a line.

## When it does not work

- Exit code 1: a file could not be read, or is not UTF-8 text. Pass the message on; do not guess the numbers.
- Exit code 2: it was called without a file. Call it again with one.

Never change the files that are counted.
`;
}

const SCRIPT = String.raw`#!/usr/bin/env node
// Prints the lines, words and characters of text files as JSON.
import { readFileSync } from 'node:fs';

const USAGE = 'usage: count.mjs <file>...';
const names = process.argv.slice(2);

if (names.length === 0) {
  console.error(USAGE);
  process.exitCode = 2;
} else if (names.includes('--help')) {
  console.log(USAGE);
} else {
  try {
    const files = names.map(count);
    console.log(JSON.stringify({ files, total: sum(files) }));
  } catch (error) {
    console.error('count.mjs: ' + error.message);
    process.exitCode = 1;
  }
}

function count(file) {
  const text = read(file);
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  const words = text.split(/\s+/).filter((word) => word !== '');
  return { file, lines: lines.length, words: words.length, characters: Array.from(text).length };
}

function read(file) {
  let bytes;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const why = { ENOENT: 'it does not exist', EISDIR: 'it is a folder' }[error.code] ?? error.message;
    throw new Error('cannot read ' + file + ': ' + why);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(file + ' is not UTF-8 text');
  }
}

function sum(files) {
  const total = { lines: 0, words: 0, characters: 0 };
  for (const file of files) {
    for (const key of Object.keys(total)) total[key] += file[key];
  }
  return total;
}
`;

const HAIKU = `Build light turning green,
who counted the words by hand?
The script did, again.
`;

const COUNTS = `name: counts
description: Lines, words and characters are exact, for one file and in total
input:
  command: node scripts/count.mjs tests/fixtures/haiku.txt
  files:
    - tests/fixtures/haiku.txt
expected:
  exit-code: 0
  stdout-json:
    files:
      - file: tests/fixtures/haiku.txt
        lines: 3
        words: 14
        characters: 81
    total:
      words: 14
`;

const MISSING_FILE = `name: missing-file
description: A file that is not there is named, and no number is printed
input:
  command: node scripts/count.mjs tests/fixtures/haiku.txt no-such-file.txt
expected:
  exit-code: 1
  stderr-contains:
    - "cannot read no-such-file.txt: it does not exist"
  not-contains:
    - '"words"'
`;
