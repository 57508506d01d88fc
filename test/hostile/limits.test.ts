/** What no kernel limit holds back: disk and processes, in each sandbox. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../src/sandbox/sandbox.ts';
import { SANDBOXES } from '../../src/sandbox/sandboxes.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { processesWith } from '../helpers/processes.ts';
import { attempted } from './attempts.ts';

const MIB = 1024 * 1024;
const SLEEP = `6${process.pid}1`;

describe.each(['bubblewrap', 'none'] as const)('in the sandbox %s', (kind) => {
  it.for([
    ['a large file', 'cat /dev/zero > big', 'wrote more than 8 MiB to its folders'],
    [
      'a file without a name',
      'exec 3> big; rm big; cat /dev/zero >&3',
      'wrote more than 8 MiB to its folders',
    ],
    [
      'many folders',
      "mkdir -p a/b/c; cd a/b/c; while true; do head -c 200000 /dev/zero > f$$; sh -c 'head -c 300000 /dev/zero > f$$'; done",
      'wrote more than 8 MiB to its folders',
    ],
    [
      'many processes',
      `i=0; while [ $i -lt 200 ]; do $AWAY sleep ${SLEEP} & i=$((i+1)); done; wait`,
      'ran more than 50 processes and threads at once',
    ],
  ] as const)('%s ends the command', async ([, script, error], context) => {
    attempted(context);
    const outcome = await run(kind, script, { diskBytes: 8 * MIB, processes: 50 });
    expect(outcome).toMatchObject({ ended: 'over-limit', exitCode: null, exceeded: { error } });
    expect(processesWith(`sleep ${SLEEP}`)).toEqual([]);
  });

  it('what stays within them goes on', async () => {
    // Holes take no room, and a file with two names takes it once.
    const script = `truncate -s 1G hole; head -c 5000000 /dev/zero > f; ln f g; for i in 1 2 3 4 5; do sleep 2.5 & done; wait; echo done`;
    const outcome = await run(kind, script, { diskBytes: 8 * MIB, processes: 50 });
    expect(outcome).toMatchObject({ ended: 'exited', stdout: { text: 'done\n' } });
  });
});

async function run(kind: keyof typeof SANDBOXES, script: string, limits: Omit<Limits, 'outputBytes'>) {
  await using folder = await temporaryFolder();
  await using sandbox = await SANDBOXES[kind]({ env: process.env, cwd: process.cwd(), home: homedir() });
  const mount = { from: folder.path, to: '/workspace', mode: 'rw' } as const;
  return await sandbox.run({
    argv: ['/bin/sh', '-c', `cd ${sandbox.seenAt(mount)} && ${script}`],
    cwd: sandbox.isolatesFiles ? '/' : join(folder.path),
    // Without a sandbox, what leaves the group of its command is out of reach.
    env: { AWAY: sandbox.isolatesFiles ? 'setsid' : '' },
    mounts: [mount],
    stdin: null,
    network: false,
    timeoutMs: 30_000,
    limits: { outputBytes: MIB, ...limits },
  });
}
