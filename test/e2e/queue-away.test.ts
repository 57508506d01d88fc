/** A server that goes away for good. */
import { expect, it } from 'vitest';
import { startAam } from '../helpers/cli.ts';
import { numberedSkill, startFleet } from '../helpers/fleet.ts';
import { writePackage } from '../helpers/package.ts';
import { describeWithRedis } from '../helpers/queue-suite.ts';

const LONG = { timeout: 60_000 };

describeWithRedis('a run that waits for workers when its server goes away', { timeout: 120_000 }, () => {
  async function left(wait: string, then: (stop: () => void) => void) {
    await using fleet = await startFleet();
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'echo "number $1"' }));
    const args = ['evals/evals.json', '--no-judge', '--queue-wait', wait, '--queue', fleet.url];
    const { child, ended, output } = startAam(['eval', ...args], pkg.root, { TMPDIR: fleet.temporary });
    await expect.poll(output, LONG).toContain('no worker can serve this run');
    await fleet.redis.kill();
    then(() => child.kill('SIGINT'));
    const force = setTimeout(() => child.kill('SIGKILL'), 20_000);
    const { code, stderr } = await ended;
    clearTimeout(force);
    return { code, stderr, folders: await fleet.folders() };
  }

  it('ends when it has waited long enough', async () => {
    const { code, stderr, folders } = await left('3', () => {});
    expect(stderr).toMatch(/error: the queue redis:\S+ cannot be reached any more\n {2}waited for 3 s/);
    expect([code, folders]).toEqual([2, []]);
  });

  it('ends at Ctrl-C', async () => {
    const { code, stderr, folders } = await left('60', (stop) => stop());
    expect(stderr).toContain('cannot be reached any more');
    expect([code, folders]).toEqual([130, []]);
  });
});

describeWithRedis('a worker that is told to end when its server is gone', { timeout: 120_000 }, () => {
  it('ends when its agents are done', async () => {
    await using fleet = await startFleet();
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'sleep 3; echo "number $1"' }));
    const worker = await fleet.worker(['-j', '1', '--allow-no-sandbox']);
    const args = ['evals/evals.json', '--no-judge', '--sandbox', 'none', '--queue-wait', '2'];
    const { ended } = startAam(['eval', ...args, '--queue', fleet.url], pkg.root, {
      TMPDIR: fleet.temporary,
    });
    await expect.poll(() => worker.started().length, LONG).toBe(1);
    await fleet.redis.kill();
    worker.signal('SIGTERM');
    const force = setTimeout(() => worker.signal('SIGKILL'), 40_000);
    expect((await worker.ended).code).toBe(0);
    clearTimeout(force);
    expect((await ended).code).toBe(3);
    expect(await fleet.folders()).toEqual([]);
  });
});
