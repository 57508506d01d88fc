/** (c) Trivial `command` cases, two at a time, against a bare loop that spawns the same commands in the same sandbox. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { compare } from './measure.js';
import { AAM, assert, caseLines, forgetRuns, here, inFolder, writePackage } from './places.js';

/** cases → rounds. The aims are for 100 and more: with 10 cases it is all start-up. */
const SIZES = [
  { cases: 10, rounds: 9, aim: null },
  { cases: 100, rounds: 7, aim: 2 },
  { cases: 1000, rounds: 5, aim: 1.2 },
  { cases: 10_000, rounds: 3, aim: 1.2 },
];
const SANDBOXES = ['none', 'bubblewrap'];

/** `only`: numbers of cases, all when empty. */
export async function commandCases(only) {
  const rows = [];
  for (const size of SIZES.filter(({ cases }) => only.length === 0 || only.includes(cases)))
    for (const sandbox of SANDBOXES) rows.push(await commandRow(sandbox, size));
  return rows;
}

function commandRow(sandbox, { cases, rounds, aim }) {
  return inFolder(async (dir) => {
    writePackage(dir, caseLines(cases));
    let filesPerCase = null;
    const measured = await compare(
      {
        'bare loop': {
          argv: [process.execPath, here('./bare-loop.js'), 'command', sandbox, String(cases), '2'],
          check: ({ status, stdout, stderr }) =>
            assert(status === 0 && stdout.trim() === String(cases), `the bare loop: ${stdout}${stderr}`),
        },
        'aam eval -j2': {
          argv: aamArguments(dir, sandbox),
          before: () => forgetRuns(dir),
          check: (result) => {
            allPassed(result, cases);
            filesPerCase = countFiles(join(dir, '.aam')) / cases;
          },
        },
      },
      rounds,
      { warmUp: cases < 10_000 },
    );
    const bench = `${cases.toLocaleString('en')} commands, ${sandbox === 'none' ? 'no sandbox' : sandbox}`;
    return { bench, rounds, aim, cases, sandbox, filesPerCase, measured };
  });
}

export function aamArguments(dir, sandbox) {
  const file = join(dir, 'evals', 'cases.jsonl');
  return [...AAM, 'eval', file, '--engine', 'command', '-j2', '--json', '--sandbox', sandbox];
}

/** And each was kept: a run that says so without having run anything has no captures. */
export function allPassed({ status, stdout, stderr }, cases) {
  const report = JSON.parse(stdout || '{"cases":[]}');
  const right = report.cases.filter((it) => it.verdict === 'PASS' && it.capture !== null);
  assert(status === 0 && right.length === cases, `aam: ${status}, ${right.length} of ${cases}: ${stderr}`);
}

function countFiles(dir) {
  if (!existsSync(dir)) return 0;
  return readdirSync(dir, { withFileTypes: true }).reduce(
    (sum, it) => sum + (it.isDirectory() ? countFiles(join(dir, it.name)) : 1),
    0,
  );
}
