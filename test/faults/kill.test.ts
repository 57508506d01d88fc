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
import { type KillFigures, killed } from './figures.ts';

const CASES = 50;
/** Side by side, each with a package and a temporary folder of its own. */
const LANES = ['bubblewrap', 'bubblewrap', 'none', 'none'] as const;
const KILLS_OF_LANE = 50;

const PLACES = ['beforeRecord', 'amongTrials', 'afterTrials'] as const;

// Beside other tests it has only a part of the machine.
it('a run that is killed again and again ends with one result for each case', {
  timeout: 900_000,
}, async (context) => {
  const lanes: KillFigures[] = LANES.map(() => ({
    ...{ points: 0, runs: 0 },
    ...{ beforeRecord: 0, amongTrials: 0, afterTrials: 0 },
  }));
  // A few more points than asked for, if they are not yet spread over the whole of a run.
  const isSpread = () => PLACES.every((place) => lanes.some((it) => it[place] > 0));
  const isEnough = ({ points }: KillFigures) =>
    points >= KILLS_OF_LANE && (isSpread() || points >= 3 * KILLS_OF_LANE);
  await Promise.all(lanes.map((figures, lane) => killAgainAndAgain(lane, figures, isEnough)));
  const sum = (key: keyof KillFigures) => lanes.reduce((total, lane) => total + lane[key], 0);
  const places = {
    beforeRecord: sum('beforeRecord'),
    amongTrials: sum('amongTrials'),
    afterTrials: sum('afterTrials'),
  };
  killed(context, { points: sum('points'), runs: sum('runs'), ...places });
  expect(sum('points')).toBeGreaterThanOrEqual(200);
  for (const place of PLACES) expect(places[place], place).toBeGreaterThan(0);
});

async function killAgainAndAgain(
  lane: number,
  figures: KillFigures,
  isEnough: (figures: KillFigures) => boolean,
): Promise<void> {
  const sandbox = LANES[lane] ?? 'bubblewrap';
  const mark = `7${process.pid}${lane}`;
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

  while (!isEnough(figures)) {
    figures.runs++;
    let report: EvalReport | null = null;
    while (report === null) {
      const [run] = await begunRuns(pkg.root);
      const { child, ended } = start(...(run === undefined ? [] : ['--resume', run]));
      const isLast = isEnough(figures);
      await Promise.race([isLast ? ended : sleep(Math.random() * longest), ended]);
      const isKilled = child.exitCode === null && child.kill('SIGKILL');
      const { stdout, stderr } = await ended;
      if (isKilled && child.signalCode === 'SIGKILL') {
        figures.points++;
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
