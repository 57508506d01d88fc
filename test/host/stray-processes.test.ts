/** Processes that try not to be found. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { getuid, kill } from 'node:process';
import { expect, it } from 'vitest';
import { killMarked, processesMarked } from '../../src/host/marked-processes.ts';
import { ticksNow } from '../../src/host/process-stat.ts';
import { which } from '../../src/host/programs.ts';
import { processesOf } from '../../src/host/stray-processes.ts';

const hasPython = which('python3', process.env) !== null;
const canBeOthers = hasPython && getuid?.() === 0;

/** In a session of its own, an orphan; then goes on as `body` says. */
const orphan = (body: string) => `
import ctypes, os, sys, threading, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.dup2(os.open('/dev/null', os.O_RDWR), 1)
def tell(pid): open(sys.argv[1] + '.part', 'w').write(str(pid)); os.rename(sys.argv[1] + '.part', sys.argv[1])
${body}`;

const WITHOUT_FIRST_THREAD = orphan(`
def rest():
    time.sleep(0.5)
    tell(os.getpid())
    time.sleep(60)
threading.Thread(target=rest).start()
ctypes.CDLL(None).pthread_exit(None)`);

const NOBODY = 65_534;
/** In nobody's environment. */
const UNKNOWN = 'no such word';

/** As ssh-agent does it. */
const UNREADABLE = orphan(`
libc = ctypes.CDLL(None)
pid = os.getpid()
os.fork() or (time.sleep(0.5), tell(pid), os._exit(0))
os.setresuid(${NOBODY}, ${NOBODY}, ${NOBODY})
libc.prctl(4, 0, 0, 0, 0)
time.sleep(60)`);

async function leave(script: string, env: NodeJS.ProcessEnv): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'stray-'));
  const told = join(folder, 'pid');
  try {
    const child = spawn('python3', ['-c', script, told], { env, detached: true, stdio: 'ignore' });
    await once(child, 'exit');
    await expect.poll(() => readFile(told, 'utf8').catch(() => ''), { timeout: 20_000 }).not.toBe('');
    return Number(await readFile(told, 'utf8'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

it.skipIf(!hasPython)('finds and ends one whose first thread is over', { timeout: 60_000 }, async () => {
  const mark = `mark-${process.pid}-${Math.random()}`;
  const since = ticksNow();
  const id = await leave(WITHOUT_FIRST_THREAD, { ...process.env, MARK: mark });
  try {
    expect(processesOf(UNKNOWN, since)).toContain(id);
    expect(processesMarked([mark])).toEqual([id]);
    expect(killMarked([mark])).toEqual([id]);
    await expect.poll(() => processesOf(UNKNOWN, since)).not.toContain(id);
  } finally {
    end(id);
  }
});

it.skipIf(!canBeOthers)('finds one that lets nobody read what it is', { timeout: 60_000 }, async () => {
  const since = ticksNow();
  const id = await leave(UNREADABLE, process.env);
  try {
    process.seteuid?.(NOBODY);
    expect(processesOf(UNKNOWN, since)).toContain(id);
  } finally {
    process.seteuid?.(0);
    end(id);
  }
});

function end(id: number): void {
  try {
    kill(id, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
