/** Many real agents on workers that die at random, with a server that loses everything once: the report is the local one. */

import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { type CliResult, startAam } from '../helpers/cli.ts';
import { modelEnv } from '../helpers/eval.ts';
import { type Fleet, type FleetWorker, startFleet } from '../helpers/fleet.ts';
import { type ModelRequest, modelServer, type Turn } from '../helpers/model-server.ts';
import { skillText, writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';
import { begunRuns, journalOf } from '../helpers/runs.ts';
import { comparable } from '../helpers/same-report.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const CASES = 60;
const WORKERS = 3;
const KILLS = 5;
const MINUTES = 60_000;
const SEED = Number(process.env['AAM_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** Says its number, but for every ninth. */
function answer({ body }: ModelRequest): Turn {
  const number = /Say the number (\d+)\./.exec(JSON.stringify(body.messages))?.[1] ?? '0';
  return { text: Number(number) % 9 === 8 ? 'I would rather not.' : `It is number ${number}.` };
}

const PACKAGE = {
  'SKILL.md': skillText('counting'),
  'evals/eval-config.json': { version: 1, engine: 'claude-code', timeout: 300 },
  'evals/evals.json': Array.from({ length: CASES }, (_, index) => ({
    id: `c-${index}`,
    prompt: `Say the number ${index}.`,
    assertions: [{ type: 'contains', value: `number ${index}` }],
  })),
};

describe.skipIf(findRedis() === null)('a fleet', () => {
  let fleet: Fleet;
  let models: Awaited<ReturnType<typeof modelServer>>;

  beforeAll(async () => {
    models = await modelServer(answer);
    fleet = await startFleet();
  });

  afterAll(async () => {
    await fleet[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  it(
    'reports like one machine, whoever dies',
    async () => {
      const random = randomFrom(SEED);
      const env = modelEnv(models.url);
      const worker = () => fleet.worker(['-j', '1', '--lease', '5'], env);
      const alive: FleetWorker[] = await Promise.all(Array.from({ length: WORKERS }, worker));
      const all = [...alive];
      await using pkg = await writePackage(PACKAGE);
      const args = ['eval', 'evals/evals.json', '--no-judge', '--json', '--model', 'claude-sonnet-5-5'];
      const start = (...more: string[]) =>
        startAam([...args, ...more], pkg.root, { ...env, NO_COLOR: '1', TMPDIR: fleet.temporary });
      const began = performance.now();
      const planner = start('--queue', fleet.url, '--queue-wait', '300');
      const done = async () => {
        const [id] = await begunRuns(pkg.root);
        const journal = id === undefined ? '' : await journalOf(pkg.root, id).catch(() => '');
        return journal.match(/"verdict":/g)?.length ?? 0;
      };
      const reach = async (count: number) => {
        while (planner.child.exitCode === null && (await done()) < count) await delay(200);
      };

      for (let kill = 1; kill <= KILLS; kill++) {
        await reach(Math.floor(((kill - random() * 0.8) * (CASES - 10)) / KILLS));
        const at = Math.floor(random() * WORKERS);
        await alive[at]?.kill();
        const fresh = await worker();
        alive[at] = fresh;
        all.push(fresh);
        if (kill === Math.ceil(KILLS / 2)) await fleet.redis.restart();
      }
      const report = reportOf(await planner.ended);
      const seconds = Math.round((performance.now() - began) / 1000);
      const begun = all.flatMap((it) => it.started());
      console.log(
        `fleet: seed ${SEED}, ${CASES} cases, ${KILLS} workers killed, 1 restart of Redis, ${begun.length - new Set(begun).size} trials begun again, ${seconds} s`,
      );
      expect(new Set(begun).size).toBe(CASES);

      const local = reportOf(await start('-j', `${WORKERS}`).ended);
      expect(local.summary).toMatchObject({ total: CASES, failed: 6, skipped: 0 });
      expect(comparable(report)).toBe(comparable(local));

      await Promise.all(alive.map((it) => it.end()));
      expect(await Promise.all(alive.map(async ({ ended }) => (await ended).code))).toEqual([0, 0, 0]);
      expect(processesWith(fleet.temporary)).toEqual([]);
      expect(await fleet.folders()).toEqual([]);
    },
    20 * MINUTES,
  );
});

function reportOf({ stdout, stderr }: CliResult): EvalReport {
  if (!stdout.startsWith('{')) throw new Error(`there is no report: ${stdout}${stderr}`);
  return evalReport.parse(JSON.parse(stdout));
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
