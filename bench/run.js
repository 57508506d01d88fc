/**
 * `npm run bench`, or some of it: `npm run bench -- a c=100,1000`. Every figure is a ratio against a floor, measured
 * interleaved in this run. Prints a table and writes bench/results.json; rows that were not run keep what they were.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { agentCases } from './agent-cases.js';
import { commandCases } from './command-cases.js';
import { loadCases } from './load.js';
import { machine } from './machine.js';
import { queueCases } from './queue.js';
import { readReports } from './reports.js';
import { resumeRun } from './resume.js';
import { startUp } from './start-up.js';
import { table } from './table.js';
import { testCases } from './test-cases.js';
import { moreWorkers } from './workers.js';

const BENCHES = {
  a: startUp,
  b: loadCases,
  c: commandCases,
  d: agentCases,
  e: readReports,
  f: resumeRun,
  g: queueCases,
  h: moreWorkers,
  t: testCases,
};

const file = new URL('results.json', import.meta.url);
const wanted = process.argv.slice(2).map((word) => word.split('='));
const unknown = wanted.find(([id]) => !Object.hasOwn(BENCHES, id));
if (unknown) throw new Error(`there is no bench ${unknown[0]}; there are ${Object.keys(BENCHES).join(', ')}`);
const before = existsSync(file) && wanted.length > 0 ? JSON.parse(readFileSync(file, 'utf8')).benches : {};
const benches = { ...before };
for (const [id, bench] of Object.entries(BENCHES)) {
  const chosen = wanted.find(([it]) => it === id);
  if (wanted.length > 0 && !chosen) continue;
  const only = chosen?.[1]?.split(',').map(Number) ?? [];
  const measured = await bench(only);
  const isAgain = ({ bench }) => measured.some((it) => it.bench === bench);
  const others = only.length === 0 ? [] : (benches[id]?.rows ?? []).filter((row) => !isAgain(row));
  const rows = [...others, ...measured].sort((one, other) => (one.cases ?? 0) - (other.cases ?? 0));
  benches[id] = { ...machine(), rows };
  console.table(table({ [id]: benches[id] }));
  writeFileSync(file, `${JSON.stringify({ version: 1, benches }, null, 2)}\n`);
}
