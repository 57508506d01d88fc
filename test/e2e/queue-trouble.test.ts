/** A worker that cannot run what it takes: it costs no trial its verdict as long as there is another one. */
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { aam, startAam } from '../helpers/cli.ts';
import { numberedSkill } from '../helpers/fleet.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { describeWithRedis, fleetForAll } from '../helpers/queue-suite.ts';

const LONG = { timeout: 60_000 };

describeWithRedis('a worker in trouble', { timeout: 120_000 }, () => {
  const its = fleetForAll();

  /** It has no place for the files of runs. */
  async function brokenWorker(temporary: string) {
    const worker = await its.fleet.worker(['-j', '2', '--allow-no-sandbox'], { TMPDIR: temporary });
    const own = (await readdir(temporary)).find((name) => name.startsWith('aam-worker')) ?? '';
    await rm(join(temporary, own, 'runs'), { recursive: true });
    await writeFile(join(temporary, own, 'runs'), '');
    return worker;
  }

  const args = ['evals/evals.json', '--no-judge', '--sandbox', 'none', '--json'];
  const start = (root: string, ...more: string[]) =>
    startAam(['eval', ...args, '--queue', its.fleet.url, ...more], root, { TMPDIR: its.fleet.temporary });

  it('leaves the trials to others', async () => {
    await using folder = await temporaryFolder();
    await using pkg = await writePackage(numberedSkill({ cases: 10, agent: 'sleep 1; echo "number $1"' }));
    const broken = await brokenWorker(folder.path);
    const { ended } = start(pkg.root);
    await expect.poll(() => broken.events().some(({ type }) => type === 'refused'), LONG).toBe(true);
    const status = () => aam(['queue', 'status', '--queue', its.fleet.url]);
    await expect.poll(async () => (await status()).stdout, LONG).toContain('in trouble');
    const able = await its.fleet.worker(['-j', '1', '--allow-no-sandbox']);
    const report = evalReport.parse(JSON.parse((await ended).stdout));
    expect(report.summary).toMatchObject({ total: 10, passed: 10 });
    // Rests of 2, 4 and 8 seconds, and two trials at a time.
    expect(broken.events().filter(({ type }) => type === 'refused').length).toBeLessThanOrEqual(8);
    await Promise.all([broken.end(), able.end()]);
  });

  it('is nobody who can serve, and that is said', async () => {
    await using folder = await temporaryFolder();
    await using pkg = await writePackage(numberedSkill({ cases: 2, agent: 'echo "number $1"' }));
    const broken = await brokenWorker(folder.path);
    const { code, stdout, stderr } = await start(pkg.root, '--queue-wait', '4').ended;
    expect(stderr).toContain('it could not run what it took last: ');
    expect(code).toBe(3);
    const { cases } = evalReport.parse(JSON.parse(stdout));
    expect(cases.map(({ error_kind }) => error_kind)).toEqual(['no-worker', 'no-worker']);
    await broken.end();
  });
});
