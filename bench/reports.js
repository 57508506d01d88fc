/** (e) Reading, comparing and showing reports of 10,000 cases, against parsing their JSON. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { compare } from './measure.js';
import { AAM, assert, inFolder } from './places.js';

const CASES = 10_000;
const ROUNDS = 5;
const PARSE = `import { readFileSync } from 'node:fs';
const read = process.argv.slice(1).map((file) => JSON.parse(readFileSync(file, 'utf8')).cases.length);
console.log(read.join(' '));`;

export function readReports() {
  return inFolder(async (dir) => {
    const files = [0, 1].map((side) => {
      const file = join(dir, `${side}.json`);
      writeFileSync(file, `${JSON.stringify(report(CASES, side), null, 2)}\n`);
      return file;
    });
    const page = join(dir, 'page.html');
    const parse = (...paths) => ({
      argv: [process.execPath, '--input-type=module', '-e', PARSE, ...paths],
      check: ({ stdout, stderr }) =>
        assert(stdout.trim() === paths.map(() => CASES).join(' '), `nothing was parsed: ${stderr}`),
    });
    const one = await compare(
      {
        'parse it': parse(files[0]),
        'aam report': {
          argv: [...AAM, 'report', files[0]],
          check: ({ stdout, stderr }) => assert(stdout.includes('case-9996'), `no case was shown: ${stderr}`),
        },
        'aam report --html': {
          argv: [...AAM, 'report', files[0], '--html', page],
          check: ({ stderr }) =>
            assert(
              statSync(page).size > 1e6 && readFileSync(page, 'utf8').includes('case-9999'),
              `no page: ${stderr}`,
            ),
        },
      },
      ROUNDS,
    );
    const both = await compare(
      {
        'parse both': parse(...files),
        'aam eval diff': {
          argv: [...AAM, 'eval', 'diff', '--significant', ...files],
          check: ({ status, stdout, stderr }) =>
            assert(status === 0 && stdout.includes(`over ${CASES} cases`), `${stdout}${stderr}`),
        },
      },
      ROUNDS,
    );
    const row = { rounds: ROUNDS, cases: CASES };
    return [
      { bench: 'report, 10,000 cases', ...row, measured: one },
      { bench: 'diff, 10,000 cases', ...row, measured: both },
    ];
  });
}

/** Shaped like a real one: a case passes or fails by its number and the side. */
function report(count, side) {
  const example = JSON.parse(readFileSync(new URL('report.json', import.meta.url), 'utf8'));
  const [first] = example.cases;
  const [trial] = first.trials;
  const cases = Array.from({ length: count }, (_, index) => {
    const verdict = (index * 7 + side * (index % 5 === 0 ? 1 : 0)) % 4 === 0 ? 'FAIL' : 'PASS';
    const passed = verdict === 'PASS' ? 1 : 0;
    const trials = [{ ...trial, trial: `case-${index}.claude-code.with.1`, repetition: 1, verdict }];
    const statistics = { ...first.statistics, total: 1, decided: 1, passed, pass_rate: passed };
    return { ...first, name: `case-${index}`, case_hash: `sha256:${index}`, verdict, statistics, trials };
  });
  const failed = cases.filter(({ verdict }) => verdict === 'FAIL').length;
  const summary = { total: count, passed: count - failed, failed, skipped: 0, pass_rate: 0 };
  return { ...example, id: `eval-run-${side}`, summary, cases };
}
