/** At most one process works on a run. Each that takes it up leaves a link `owner-<n>`; the highest one counts. */
import { lstatSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { lutimes } from 'node:fs/promises';
import { join } from 'node:path';
import { livenessOf, ownName, pidOf } from '../host/owner.ts';

/** The processes of a run are counted from 1. */
export interface RunOwner {
  readonly session: number;
  readonly pid: number;
  readonly isLiving: boolean;
}

const BEAT_MS = 10_000;
/** For processes that cannot be looked at from here. */
const SILENT_MS = 60_000;

/** null: nobody has taken it up yet. */
export function lastOwner(dir: string): RunOwner | null {
  const [session] = readdirSync(dir)
    .map((name) => Number(/^owner-([1-9]\d*)$/.exec(name)?.[1]))
    .filter((number) => number > 0)
    .sort((a, b) => b - a);
  if (session === undefined) return null;
  const link = linkOf(dir, session);
  const name = readlinkSync(link);
  const liveness = livenessOf(name);
  const isHeard = () => Date.now() - lstatSync(link).mtimeMs < SILENT_MS;
  return {
    session,
    pid: pidOf(name),
    isLiving: liveness === 'living' || (liveness === 'elsewhere' && isHeard()),
  };
}

export interface RunLock extends Disposable {
  readonly session: number;
}

/** The one who has it, when that one lives. */
export function takeRun(dir: string): RunLock | RunOwner {
  for (;;) {
    const last = lastOwner(dir);
    if (last?.isLiving) return last;
    const session = (last?.session ?? 0) + 1;
    try {
      symlinkSync(ownName(), linkOf(dir, session));
    } catch (error) {
      // Another one was faster, and is looked at.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    return beating(linkOf(dir, session), session);
  }
}

function beating(link: string, session: number): RunLock {
  const beat = () => {
    const now = new Date();
    lutimes(link, now, now).catch(() => {});
  };
  const timer = setInterval(beat, BEAT_MS).unref();
  return { session, [Symbol.dispose]: () => clearInterval(timer) };
}

function linkOf(dir: string, session: number): string {
  return join(dir, `owner-${session}`);
}
