/** `npm run bench`: every figure a ratio against a floor, measured interleaved in this run. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { diffReports } from './diff.js';
import { evalCases } from './eval-cases.js';
import { startUp } from './start-up.js';
import { testCases } from './test-cases.js';

const ROUNDS = 7;
const results = {
  'start-up': startUp(3 * ROUNDS),
  'test, 200 trivial cases': testCases(ROUNDS),
  'diff, 10,000 cases': diffReports(10_000, 1, ROUNDS),
  'eval, 200 commands': await evalCases('command', 200, ROUNDS, 1.3),
  'eval, 20 real claude': await evalCases('claude-code', 20, 5, 1.1),
};

const rows = Object.entries(results).flatMap(([name, { floor, aims, medians }]) =>
  Object.entries(medians).map(([contestant, seconds]) => ({
    bench: name,
    contestant,
    ms: Math.round(seconds * 10000) / 10,
    ratio: Math.round((seconds / medians[floor]) * 100) / 100,
    aim: aims[contestant] ?? null,
  })),
);
console.table(rows);
writeFileSync(
  new URL('results.json', import.meta.url),
  `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`,
);
