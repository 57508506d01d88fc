/** What whatever runs for a trial may use: its agent, its programs, the commands around it. */
import type { SandboxRequest } from '../sandbox/sandbox.ts';
import type { RunLimits } from './eval-context.ts';

const SCRATCH_BYTES = 2 * 1024 * 1024 * 1024;

/** `outputBytes`: of each stream, kept. */
export function sandboxLimits(
  { diskBytes, processes, memoryBytes, cpuSeconds }: RunLimits,
  outputBytes: number,
): SandboxRequest['limits'] {
  return {
    outputBytes,
    scratchBytes: SCRATCH_BYTES,
    diskBytes,
    processes,
    ...(memoryBytes !== null && { memoryBytes }),
    ...(cpuSeconds !== null && { cpuSeconds }),
  };
}
