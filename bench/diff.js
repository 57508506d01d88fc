/** What comparing two reports costs, against parsing their JSON. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { compare } from './measure.js';

/** Of `count` cases, each with `runs` trials. */
export function diffReports(count, runs, rounds) {
  const dir = mkdtempSync(join(tmpdir(), 'aam-bench-'));
  try {
    const files = [0, 1].map((side) => {
      const file = join(dir, `${side}.json`);
      writeFileSync(file, `${JSON.stringify(report(count, runs, side), null, 2)}\n`);
      return file;
    });
    const script = `import { readFileSync } from 'node:fs';
for (const file of process.argv.slice(1)) JSON.parse(readFileSync(file, 'utf8'));`;
    const check = ({ status, stderr }) => {
      if (status !== 0) throw new Error(`exit code ${status}: ${stderr}`);
    };
    const aam = fileURLToPath(new URL('../bin/aam', import.meta.url));
    const medians = compare(
      {
        'parse both': { argv: [process.execPath, '--input-type=module', '-e', script, ...files], check },
        'aam eval diff': {
          argv: [process.execPath, aam, 'eval', 'diff', '--significant', ...files],
          check: (result) => {
            check(result);
            if (!result.stdout.includes(`over ${count} cases`)) throw new Error(result.stdout);
          },
        },
      },
      rounds,
    );
    return { floor: 'parse both', aims: { 'aam eval diff': 3 }, medians };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Shaped like a real one: a case passes or fails by its number and the side. */
function report(count, runs, side) {
  const example = JSON.parse(readFileSync(new URL('report.json', import.meta.url), 'utf8'));
  const [first] = example.cases;
  const [trial] = first.trials;
  const cases = Array.from({ length: count }, (_, index) => {
    const trials = Array.from({ length: runs }, (_, run) => {
      const verdict = (index * 7 + run * 3 + side * (index % 5 === 0 ? 1 : 0)) % 4 === 0 ? 'FAIL' : 'PASS';
      return { ...trial, trial: `case-${index}.claude-code.with.${run + 1}`, repetition: run + 1, verdict };
    });
    const passed = trials.filter(({ verdict }) => verdict === 'PASS').length;
    const statistics = { ...first.statistics, total: runs, decided: runs, passed, pass_rate: passed / runs };
    const verdict = passed === runs ? 'PASS' : 'FAIL';
    return { ...first, name: `case-${index}`, case_hash: `sha256:${index}`, verdict, statistics, trials };
  });
  const failed = cases.filter(({ verdict }) => verdict === 'FAIL').length;
  const summary = { total: count, passed: count - failed, failed, skipped: 0, pass_rate: 0 };
  return { ...example, id: `eval-run-${side}`, summary, cases };
}
