/** Names processes so that others can tell, also after a crash or a reboot, whether one still lives. */
import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill, pid } from 'node:process';
import { isOver, processStat } from './process-stat.ts';
import { toldIn } from './told-in.ts';

/** `elsewhere`: on another machine or in another container, where this process cannot look. */
export type Liveness = 'living' | 'dead' | 'elsewhere';

/** pid, start time, boot, pid namespace, machine. The start time tells apart two processes that had the same pid. */
const OWNER = /^(\d+)\.(\d+)\.([0-9a-f]+)\.(\d+)\.([0-9a-f]+)$/;

/** Of this process: letters, digits and dots. */
export function ownName(): string {
  return [pid, startOf(pid) ?? 0, bootId(), namespaceId(), machineId()].join('.');
}

/** null: this is no name of a process. */
export function livenessOf(name: string): Liveness | null {
  const [, itsPid, start, boot, namespace, machine] = OWNER.exec(name) ?? [];
  if (itsPid === undefined) return null;
  if (machine !== machineId()) return 'elsewhere';
  if (boot !== bootId()) return 'dead';
  if (namespace !== String(namespaceId())) return 'elsewhere';
  if (start === '0') return answers(Number(itsPid)) ? 'living' : 'dead';
  return String(startOf(Number(itsPid))) === start ? 'living' : 'dead';
}

export function pidOf(name: string): number {
  return Number(OWNER.exec(name)?.[1]);
}

/** In ticks since the boot; null: it is gone, or this system does not tell. */
function startOf(id: number): number | null {
  const stat = processStat(id);
  return stat === null || isOver(stat) ? null : stat.start;
}

function bootId(): string {
  return (toldIn('/proc/sys/kernel/random/boot_id') ?? '0').slice(0, 8).trim();
}

function namespaceId(): number {
  try {
    return Number(/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 0);
  } catch {
    return 0;
  }
}

function machineId(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
}

/** For systems that do not tell when a process started. */
function answers(id: number): boolean {
  try {
    kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
