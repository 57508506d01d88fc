/** A worker that is told twice to end. */
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startAam } from '../helpers/cli.ts';
import { evalCase, withOwnAgent } from '../helpers/eval.ts';
import { startFleet } from '../helpers/fleet.ts';
import { writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';

if (findRedis() === null) console.warn(NO_REDIS);

/** Longer than two signals count as one. */
const LATER_MS = 1500;

describe.skipIf(findRedis() === null)('a worker that is told twice to end', () => {
  it.each(['none', 'bubblewrap'])('ends its agents too, with %s', { timeout: 120_000 }, async (sandbox) => {
    const mark = `60.${process.pid}${Math.floor(Math.random() * 1e6)}`;
    await using fleet = await startFleet();
    await using pkg = await writePackage({
      ...withOwnAgent(`sleep ${mark}; echo done`),
      'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['done'] } }),
    });
    const worker = await fleet.worker(['-j', '1', '--allow-no-sandbox']);
    const args = ['eval', '--no-judge', '--sandbox', sandbox, '--queue', fleet.url];
    const planner = startAam(args, pkg.root, { TMPDIR: fleet.temporary });
    await expect.poll(() => processesWith(`sleep ${mark}`), { timeout: 60_000 }).not.toEqual([]);
    worker.signal('SIGTERM');
    await delay(LATER_MS);
    expect(processesWith(`sleep ${mark}`)).not.toEqual([]);
    worker.signal('SIGTERM');
    await worker.ended;
    await expect.poll(() => processesWith(`sleep ${mark}`)).toEqual([]);
    planner.child.kill('SIGINT');
    expect((await planner.ended).code).toBe(130);
  });
});
