/** What Linux tells about a process in /proc. */
import { toldIn } from './told-in.ts';

export interface ProcessStat {
  /** `Z` and `X` are over, unless there are other threads. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly threads: number;
  /** In ticks since the boot. */
  readonly start: number;
}

/** null: it is gone, or this system does not tell. */
export function processStat(pid: number): ProcessStat | null {
  const text = toldIn(`/proc/${pid}/stat`);
  if (text === null) return null;
  // The program's name, in parentheses, may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const number = (at: number) => Number(fields[at]);
  return {
    state: fields[0] ?? '',
    parent: number(1),
    group: number(2),
    session: number(3),
    threads: number(17),
    start: number(19),
  };
}

/**
 * Of its first thread. Where there are several, one may be missing that was there; none means none. null: it is gone, or
 * this system does not tell.
 */
export function childrenOf(pid: number): number[] | null {
  const text = toldIn(`/proc/${pid}/task/${pid}/children`);
  return text === null ? null : text.split(' ').filter(Boolean).map(Number);
}

/** A process whose first thread has ended looks like one that is over, while its other threads go on. */
export function isOver({ state, threads }: ProcessStat): boolean {
  return ['Z', 'X'].includes(state) && threads <= 1;
}

const TICKS_PER_SECOND = 100;

/** As `start` counts; 0 where the system does not tell. */
export function ticksNow(): number {
  const [seconds] = toldIn('/proc/uptime')?.split(' ') ?? [];
  return Math.floor(Number(seconds ?? 0) * TICKS_PER_SECOND);
}
