/** Both sites, this machine and a fleet, with the same suites: the same verdicts, and reports that are the same per byte. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { aam } from '../helpers/cli.ts';
import { modelEnv } from '../helpers/eval.ts';
import { type Fleet, startFleet } from '../helpers/fleet.ts';
import { modelServer } from '../helpers/model-server.ts';
import { writePackage } from '../helpers/package.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';
import { comparable, comparableCapture } from '../helpers/same-report.ts';
import { CONFORMANCE, CONFORMANCE_JUDGE, type ConformanceSuite } from './executor.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const JOBS = ['-j', '2'];

/** A report, and the captures that it names. */
interface Ran {
  readonly report: EvalReport;
  readonly code: number;
  readonly captures: readonly (string | null)[];
}

describe.skipIf(findRedis() === null)('a site', () => {
  let fleet: Fleet;
  let models: Awaited<ReturnType<typeof modelServer>>;
  let suite: ConformanceSuite;

  beforeAll(async () => {
    models = await modelServer(
      (request) => (typeof suite.script === 'function' ? suite.script(request) : {}),
      {
        judge: CONFORMANCE_JUDGE,
      },
    );
    fleet = await startFleet();
    await fleet.worker(JOBS, modelEnv(models.url));
  });

  afterAll(async () => {
    await fleet[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  async function run(root: string, where: readonly string[]): Promise<Ran> {
    const { code, stdout, stderr } = await aam(['eval', '--json', ...suite.args, ...where], {
      cwd: root,
      env: { ...modelEnv(models.url), TMPDIR: fleet.temporary },
    });
    if (stdout === '') throw new Error(`aam eval printed nothing: ${stderr}`);
    const report = evalReport.parse(JSON.parse(stdout));
    const captures = await Promise.all(
      report.cases
        .flatMap(({ trials }) => trials)
        .map(async ({ capture }) => (capture === null ? null : await readFile(join(root, capture), 'utf8'))),
    );
    return { report, code, captures };
  }

  it.each(Object.entries(CONFORMANCE))(
    'brings %s to the same verdicts here and on workers',
    async (_, given) => {
      suite = given;
      await using pkg = await writePackage(suite.files);
      const here = await run(pkg.root, JOBS);
      expect(verdictsOf(here.report)).toEqual(suite.verdicts);
      const there = await run(pkg.root, ['--queue', fleet.url]);
      expect(comparable(there.report)).toBe(comparable(here.report));
      expect(there.code).toBe(here.code);
      expect(there.captures.map((it) => it === null)).toEqual(here.captures.map((it) => it === null));
      if (!suite.samePerByte) return;
      const texts = ({ captures, report }: Ran) => captures.map((it) => it && comparableCapture(it, report));
      expect(texts(there)).toEqual(texts(here));
    },
    240_000,
  );

  it('leaves nothing behind when its run is over', async () => {
    await expect
      .poll(() => fleet.folders(), { timeout: 60_000 })
      .toEqual([expect.stringMatching(/^aam-worker_/)]);
  });
});

function verdictsOf(report: EvalReport): Record<string, string> {
  return Object.fromEntries(report.cases.map(({ name, verdict }) => [name, verdict]));
}
