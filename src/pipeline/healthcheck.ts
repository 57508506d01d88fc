/** Asks a shell agent's own check whether it can work, once, before any case. */
import { failure } from '../engine/probe.ts';
import { PrerequisiteError } from '../model/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { agentFolder } from './agent-folder.ts';
import type { EvalPlan } from './eval-plan.ts';
import type { Workbench } from './eval-workbench.ts';
import { lastWords } from './trial-verdict.ts';

const TIMEOUT_MS = 30_000;
const OUTPUT_BYTES = 64 * 1024;

/** Throws a PrerequisiteError when it fails. `scratch`: an existing folder. */
export async function requireHealthy(
  plan: EvalPlan,
  sandbox: Sandbox,
  { projectAround }: Workbench,
  scratch: string,
  signal: AbortSignal,
): Promise<void> {
  const { target, env, network } = plan.settings;
  const check = target?.shell?.healthcheck;
  if (!check) return;
  const folder = check.cwd ?? target?.shell?.cwd ?? null;
  const outcome = await sandbox.run({
    argv: ['/bin/sh', '-c', check.command],
    cwd: folder ?? (sandbox.isolatesFiles ? '/tmp' : scratch),
    env,
    mounts: folder === null ? [] : (await agentFolder(projectAround(folder), plan, scratch)).mounts,
    stdin: null,
    network,
    timeoutMs: TIMEOUT_MS,
    limits: { outputBytes: OUTPUT_BYTES },
    signal,
  });
  if (outcome.ended === 'aborted' || (outcome.ended === 'exited' && outcome.exitCode === 0)) return;
  throw new PrerequisiteError(
    `the healthcheck of the target ${target?.name} ${failure(outcome)}${lastWords(outcome)}`,
    `it runs in the sandbox${network ? '' : ', without network'}:  ${check.command}`,
  );
}
