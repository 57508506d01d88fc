/** `kill -9` at random points: nothing that finished is lost or run twice, and nothing is left behind. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { startAam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';
import { begunRuns, journalOf, normalised, numberedPackage, runIds } from '../helpers/runs.ts';

const CASES = 50;
const KILLS = { bubblewrap: 100, none: 100 };
type SandboxName = keyof typeof KILLS;

interface Figures {
  kills: number;
  runs: number;
  /** Where the kills fell. */
  beforeRecord: number;
  amongTrials: number;
  afterTrials: number;
}

it('a run that is killed again and again ends with one result for each case', {
  timeout: 900_000,
}, async () => {
  const started = performance.now();
  const lanes = await Promise.all((Object.keys(KILLS) as SandboxName[]).map(killAgainAndAgain));
  const sum = (key: keyof Figures) => lanes.reduce((total, lane) => total + lane[key], 0);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `kill -9: ${sum('kills')} kill points over ${sum('runs')} runs of ${CASES} cases in ${seconds} s ` +
      `(${sum('beforeRecord')} before the record, ${sum('amongTrials')} among the trials, ${sum('afterTrials')} after them); ` +
      'lost: 0, twice: 0, left behind: 0',
  );
  expect(sum('kills')).toBeGreaterThanOrEqual(200);
  // Else the points would not be spread over the whole of a run.
  for (const key of ['beforeRecord', 'amongTrials', 'afterTrials'] as const)
    expect(sum(key), key).toBeGreaterThan(0);
});

async function killAgainAndAgain(sandbox: SandboxName): Promise<Figures> {
  const mark = `7${process.pid}${sandbox.length}`;
  // What an agent leaves in the background lives as long as nobody ends it.
  const script = `sleep ${mark} >/dev/null 2>&1 & echo "number $1"`;
  const files = numberedPackage(CASES, script, (index) => ({ contains: [index % 3 ? 'number' : 'word'] }));
  await using pkg = await writePackage(files);
  await using temporary = await temporaryFolder();
  const env = { TMPDIR: temporary.path, NO_COLOR: '1' };
  const start = (...args: string[]) =>
    startAam(['eval', '--json', '--no-judge', '-j4', '--sandbox', sandbox, ...args], pkg.root, env);

  const began = performance.now();
  const unbroken = evalReport.parse(JSON.parse((await start().ended).stdout));
  // How long a process may live at most. It follows the load of the machine: some six of seven are to be killed.
  let longest = performance.now() - began;
  await forget(pkg.root);

  const figures: Figures = { kills: 0, runs: 0, beforeRecord: 0, amongTrials: 0, afterTrials: 0 };
  while (figures.kills < KILLS[sandbox]) {
    figures.runs++;
    let report: EvalReport | null = null;
    while (report === null) {
      const [run] = await begunRuns(pkg.root);
      const { child, ended } = start(...(run === undefined ? [] : ['--resume', run]));
      const isEnough = figures.kills >= KILLS[sandbox];
      await Promise.race([isEnough ? ended : sleep(Math.random() * longest), ended]);
      const isKilled = child.exitCode === null && child.kill('SIGKILL');
      const { stdout, stderr } = await ended;
      if (isKilled && child.signalCode === 'SIGKILL') {
        figures.kills++;
        longest *= 1.04;
        figures[await whereItFell(pkg.root)]++;
      } else {
        expect(stderr).toBe('');
        longest *= 0.8;
        report = evalReport.parse(JSON.parse(stdout));
      }
    }
    expect(normalised(report)).toEqual(normalised(unbroken));
    expect(report.cases.map(({ name }) => name).sort()).toEqual(
      unbroken.cases.map(({ name }) => name).sort(),
    );
    const ids = await runIds(pkg.root);
    expect(ids).toHaveLength(1);
    // What was on the disk did not run again.
    expect((await journalOf(pkg.root, ids[0] ?? '')).match(/"result":/g)).toHaveLength(CASES);
    expect(await readdir(join(pkg.root, 'evals/reports'))).toHaveLength(1);
    expect(await readdir(temporary.path)).toEqual([]);
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
    await forget(pkg.root);
  }
  return figures;
}

async function whereItFell(root: string): Promise<'beforeRecord' | 'amongTrials' | 'afterTrials'> {
  const [run] = await begunRuns(root);
  if (run === undefined) return 'beforeRecord';
  const results = (await journalOf(root, run)).match(/"result":/g)?.length ?? 0;
  return results < CASES ? 'amongTrials' : 'afterTrials';
}

async function forget(root: string): Promise<void> {
  for (const folder of ['.aam', 'evals/reports'])
    await rm(join(root, folder), { recursive: true, force: true });
}
