/** Limits the kernel enforces per process, set by a shell that then becomes the program. */
import type { Limits } from './sandbox.ts';

export function limited(
  argv: readonly [string, ...string[]],
  limits: Limits,
): readonly [string, ...string[]] {
  const settings = [
    limits.memoryBytes && `ulimit -d ${Math.ceil(limits.memoryBytes / 1024)}`,
    limits.cpuSeconds && `ulimit -t ${Math.ceil(limits.cpuSeconds)}`,
    limits.fileBytes && `ulimit -f ${Math.ceil(limits.fileBytes / 512)}`,
  ].filter((it) => typeof it === 'string');
  if (settings.length === 0) return argv;
  return ['/bin/sh', '-c', `${settings.join(' && ')} && exec "$@"`, 'sh', ...argv];
}
