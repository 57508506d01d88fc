/** Descriptors that this process was started with: whatever it starts would have them too, in a sandbox as well. */
import { openSync, readdirSync } from 'node:fs';
import { toldIn } from './told-in.ts';

const CLOSED_BY_EXEC = 0o2000000;

let known: readonly number[] | null = null;
let nothing: number | null = null;

/** `given`, followed by nothing in the place of each of them. */
export function withoutInherited<Given>(given: readonly Given[]): (Given | 'ignore' | number)[] {
  const all: (Given | 'ignore' | number)[] = [...given];
  known ??= inherited();
  for (const descriptor of known.filter((it) => it >= given.length)) {
    while (all.length < descriptor) all.push('ignore');
    nothing ??= openSync('/dev/null', 'r+');
    all.push(nothing);
  }
  return all;
}

/**
 * Node opens nothing that others get, and keeps the first few of those it was given to itself; none where the system does
 * not tell.
 */
function inherited(): number[] {
  try {
    const all = readdirSync('/proc/self/fdinfo').map(Number);
    return all.filter((it) => it > 2 && isHandedOn(it)).sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function isHandedOn(descriptor: number): boolean {
  // Nothing is told of the one that the folder was read by: it is closed.
  const [, flags] = /^flags:\s*([0-7]+)$/m.exec(toldIn(`/proc/self/fdinfo/${descriptor}`) ?? '') ?? [];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_BY_EXEC) === 0;
}
