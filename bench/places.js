/** Packages for the benches, and where the programs are. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

export const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const AAM = [process.execPath, here('../bin/aam')];
/** What every command says, and every case looks for. */
export const ANSWER = 'Done as asked.';
export const COMMAND = ['/bin/sh', '-c', `echo ${ANSWER}`];
export const SKILL = '---\nname: echo\ndescription: Echoes.\n---\nEcho.\n';

/**
 * All that the benches write, removed when they are over and not between rounds: for minutes ext4 makes files many times
 * slower where others were removed, which would be measured with the next round.
 */
const root = mkdtempSync(join(tmpdir(), 'aam-bench-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/** A folder for `use`. */
export async function inFolder(use) {
  return await use(mkdtempSync(join(root, 'b-')));
}

/** As if aam had never run there. */
export function forgetRuns(dir) {
  for (const kept of ['.aam', 'evals/reports']) putAside(join(dir, kept));
}

/** As if it had never been there. */
export function putAside(path) {
  if (existsSync(path)) renameSync(path, join(mkdtempSync(join(root, 'aside-')), 'it'));
}

/** A package with one skill; `files`: path → text. */
export function writePackage(dir, files) {
  const all = {
    'package.agent.json': JSON.stringify({ name: 'bench', version: '1.0.0' }),
    'skills/echo/SKILL.md': SKILL,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

/** One file for each case; their criteria need a judge. */
export function caseFiles(engine, count) {
  const text = (index) =>
    `name: case-${index}\ninput:\n  prompt: Do it.\nexpected:\n  contains: [${ANSWER}]\njudge:\n  criteria: Done.\n`;
  return {
    'evals/eval-config.json': JSON.stringify({ version: 1, engine, command: COMMAND }),
    ...Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`evals/cases/${index}.yaml`, text(index)]),
    ),
  };
}

/** One file with a line for each case; decided without a judge. */
export function caseLines(count, command = COMMAND) {
  const line = (index) =>
    JSON.stringify({
      id: `case-${index}`,
      input: 'Do it.',
      assertions: [{ type: 'contains', value: ANSWER }],
    });
  return {
    'evals/eval-config.json': JSON.stringify({ version: 1, engine: 'command', command }),
    'evals/cases.jsonl': `${Array.from({ length: count }, (_, index) => line(index)).join('\n')}\n`,
  };
}

export function assert(condition, message) {
  if (!condition) throw new Error(message);
}
