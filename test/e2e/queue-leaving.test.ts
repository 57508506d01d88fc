/** Workers that are told to end while a run needs them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { startAam } from '../helpers/cli.ts';
import { numberedSkill } from '../helpers/fleet.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { describeWithRedis, fleetForAll } from '../helpers/queue-suite.ts';

const LONG = { timeout: 60_000 };

describeWithRedis('a run whose only worker leaves', { timeout: 120_000 }, () => {
  const its = fleetForAll();

  it('gets what the worker still finishes, and gives up the rest', async () => {
    await using folder = await temporaryFolder();
    const begun = join(folder.path, 'begun');
    const agent = `touch ${begun}; sleep 7; echo "number $1"`;
    await using pkg = await writePackage(numberedSkill({ cases: 3, agent }));
    const worker = await its.fleet.worker(['-j', '1', '--allow-no-sandbox']);
    const args = ['evals/evals.json', '--no-judge', '--sandbox', 'none', '--json', '--queue', its.fleet.url];
    const { ended } = startAam(['eval', ...args, '--queue-wait', '1'], pkg.root, {
      TMPDIR: its.fleet.temporary,
    });
    await expect.poll(() => existsSync(begun), LONG).toBe(true);
    worker.signal('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(3);
    const report = evalReport.parse(JSON.parse(stdout));
    expect(report.cases.map(({ verdict, error_kind: kind }) => kind ?? verdict).sort()).toEqual([
      'PASS',
      'no-worker',
      'no-worker',
    ]);
    expect((await worker.ended).code).toBe(0);
    expect(worker.started()).toHaveLength(1);
  });
});
