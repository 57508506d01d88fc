#!/usr/bin/env node
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
