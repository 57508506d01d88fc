/** A machine that fails under aam: signals, disks, limits, the clock. */
import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findBubblewrap } from '../../src/sandbox/bubblewrap/find.ts';
import { aam } from '../helpers/cli.ts';
import { commandScript, ENGINE_NAMES } from '../helpers/eval.ts';
import type { ModelRequest, Turn } from '../helpers/model-server.ts';
import { processesWith } from '../helpers/processes.ts';
import type { Fault } from './fault.ts';
import { ANSWER, type Lab, type Running } from './lab.ts';

const INTERRUPTED: Pick<Fault, 'engines' | 'verdict' | 'kind' | 'exit' | 'says'> = {
  engines: ENGINE_NAMES,
  ...{ verdict: 'SKIP', kind: 'interrupted', exit: 130 },
  says: 'the run was interrupted while this case ran',
};

export const MACHINE_FAULTS: readonly Fault[] = [
  ...(
    [
      ['SIGINT', 'claude-code'],
      ['SIGTERM', 'codex'],
      ['SIGHUP', 'claude-code'],
    ] as const
  ).map(
    ([signal, only]): Fault => ({
      name: `${signal} while the model is waited for`,
      ...INTERRUPTED,
      engines: [only],
      inject: (lab, engine) =>
        lab.run({ engine, script: [{ fault: 'no-answer' }], during: signalled(signal) }),
    }),
  ),
  {
    name: 'SIGINT while a rate limit is waited out',
    ...INTERRUPTED,
    inject: (lab, engine) =>
      lab.run({
        engine,
        // Less than half of what the case has: else it would not be waited out.
        script: [{ status: 429, headers: { 'retry-after': '20' } }],
        during: signalled('SIGINT'),
      }),
  },
  {
    name: 'SIGINT while the judge is waited for',
    ...INTERRUPTED,
    says: 'the run was interrupted while this case was judged',
    engines: ['claude-code'],
    inject: (lab, engine) =>
      lab.run({ engine, judge: () => ({ fault: 'no-answer' }), during: signalled('SIGINT', 2) }),
  },
  {
    name: 'SIGINT twice, when something still hangs after the first',
    engines: ['command'],
    ...{ verdict: null, kind: null, exit: 130, says: null },
    inject: async (lab, engine) => {
      const pipe = join(lab.folder, 'pipe');
      execFileSync('/usr/bin/env', ['mkfifo', pipe]);
      // It is open for reading, and nobody reads: writing a long report there takes for ever.
      await using _reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
      const seen = await lab.run({
        engine,
        cases: 40,
        args: ['-o', pipe],
        during: async ({ child, output }) => {
          await until(() => output().match(/^. c-\d/gm)?.length === 40);
          child.kill('SIGINT');
          await sleep(1500);
          child.kill('SIGINT');
        },
      });
      // It went as if it had been killed.
      await aam(['clean'], { cwd: lab.root, env: { TMPDIR: lab.temporary } });
      return seen;
    },
  },
  {
    name: 'SIGSTOP for longer than the case has, then SIGCONT',
    engines: ['command'],
    ...{ verdict: 'PASS', kind: null, exit: 0, says: null },
    inject: (lab, engine) =>
      lab.run({
        engine,
        agent: `: ${lab.folder}/agent; sleep 2; echo ${ANSWER}`,
        args: ['--timeout', '4'],
        during: async ({ child }) => {
          await until(() => processesWith(`: ${lab.folder}/agent`).length > 0);
          child.kill('SIGSTOP');
          await sleep(6000);
          child.kill('SIGCONT');
        },
      }),
  },
  ...[-1, 1].map(
    (days): Fault => ({
      name: `the clock jumps a day ${days < 0 ? 'back' : 'forward'} while a rate limit is waited out`,
      engines: ENGINE_NAMES,
      ...{ verdict: 'PASS', kind: null, exit: 0, says: null },
      inject: async (lab, engine) => {
        const jump = await shiftingClock(lab, days);
        const refused: Turn = { status: 429, headers: { 'retry-after': '2' } };
        const calls = new Map<string, number>();
        const script = ({ body }: ModelRequest): Turn => {
          const which = /number \d+/.exec(JSON.stringify(body))?.[0] ?? '';
          const times = calls.get(which) ?? 0;
          calls.set(which, times + 1);
          // In the middle of the first wait.
          if (calls.size === 1 && times === 0) void sleep(700).then(jump.now);
          return times < 2 ? refused : { text: ANSWER };
        };
        return await lab.run({ engine, cases: 2, script, env: jump.env });
      },
    }),
  ),
  {
    name: 'the disk of the workspaces fills up while an agent works',
    engines: ['claude-code'],
    ...{ verdict: null, kind: null, exit: 2 },
    says: 'error: the run was stopped, because the disk is full: …run the rest:  aam eval --resume …',
    inject: (lab, engine) =>
      lab.run({
        engine,
        script: commandScript('claude-code', 'head -c 20000000 /dev/zero > big'),
        args: ['--sandbox', 'none'],
        around: onSmallDisk(lab, 4_000_000),
      }),
  },
  {
    name: 'the disk of the workspaces takes no more files while an agent works',
    engines: ['command'],
    ...{ verdict: null, kind: null, exit: 2 },
    says: 'error: the run was stopped, because the disk is full: …run the rest:  aam eval --resume …',
    inject: (lab, engine) =>
      lab.run({
        engine,
        agent: 'i=0; while : > file-$i; do i=$((i + 1)); done; exit 1',
        args: ['--sandbox', 'none'],
        around: onDiskOfFewFiles(lab, 200),
      }),
  },
  {
    name: 'an output cannot be written',
    engines: ['command'],
    ...{ verdict: 'PASS', kind: null, exit: 2 },
    says: 'error: …/dev/full…ENOSPC',
    inject: (lab, engine) => lab.run({ engine, args: ['--junit', '/dev/full'] }),
  },
  {
    name: 'standard output cannot be written',
    engines: ['command'],
    ...{ verdict: 'PASS', kind: null, exit: 2 },
    says: 'error: standard output cannot be written: ENOSPC…',
    inject: (lab, engine) => lab.run({ engine, around: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'] }),
  },
  {
    name: 'files may not be large enough (RLIMIT_FSIZE)',
    engines: ['command'],
    ...{ verdict: null, kind: null, exit: 2 },
    says: 'error: …EFBIG…',
    inject: (lab, engine) => lab.run({ engine, around: ['prlimit', '--fsize=1500'] }),
  },
];

/** Sends a signal once the model has been asked so often. */
function signalled(signal: NodeJS.Signals, requests = 1) {
  return async ({ child, requests: asked }: Running) => {
    await until(() => asked.length >= requests);
    child.kill(signal);
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let looks = 0; !isSo(); looks++) {
    if (looks > 1200) throw new Error('what was waited for did not happen');
    await sleep(50);
  }
}

/** Inside aam alone: Date is another one from the moment that a file is there. */
async function shiftingClock(lab: Lab, days: number) {
  const sign = join(lab.folder, 'jumped');
  const preload = join(lab.folder, 'clock.mjs');
  const lines = [
    `import { existsSync } from 'node:fs';`,
    'const Real = Date;',
    `const shift = () => (existsSync(${JSON.stringify(sign)}) ? ${days * 86_400_000} : 0);`,
    'globalThis.Date = class Date extends Real {',
    '  constructor(...given) { super(...(given.length === 0 ? [Real.now() + shift()] : given)); }',
    '  static now() { return Real.now() + shift(); }',
    '};',
  ];
  await writeFile(preload, lines.join('\n'));
  return {
    env: { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` },
    now: () => writeFile(sign, ''),
  };
}

/** The temporary folder of the lab is a disk of its own. That needs no privileges. */
function onSmallDisk(lab: Lab, bytes: number): string[] {
  return [...aroundAll(lab), '--size', String(bytes), '--tmpfs', lab.temporary];
}

function onDiskOfFewFiles(lab: Lab, files: number): string[] {
  const mount = `mount -t tmpfs -o nr_inodes=${files} none ${lab.temporary} && exec "$@"`;
  return [...aroundAll(lab), '--unshare-user', '--cap-add', 'CAP_SYS_ADMIN', '/bin/sh', '-c', mount, 'sh'];
}

function aroundAll({ root }: Lab): string[] {
  const bwrap = findBubblewrap({ env: process.env, cwd: root, home: homedir() })?.path ?? 'bwrap';
  return [bwrap, '--dev-bind', '/', '/', '--die-with-parent'];
}
