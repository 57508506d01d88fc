/** What a case wants done in its workspace before the agent starts, and after its grading. All of it in the sandbox. */
import { join } from 'node:path';
import { failure } from '../engine/probe.ts';
import type { Repository, SetupCommand } from '../model/case.ts';
import { pathProblem } from '../model/names.ts';
import type { ProcessOutcome } from '../model/process.ts';
import type { ErrorKind, Trial } from '../model/trial.ts';
import type { Mount, SandboxRequest } from '../sandbox/sandbox.ts';
import type { RunContext } from './eval-context.ts';
import { sandboxLimits } from './sandbox-limits.ts';
import { CLONE, revisionOf } from './setup-clone.ts';
import { lastWords } from './trial-verdict.ts';

/** Nothing can be said about the agent, which was not started. */
export class SetupFailed extends Error {
  readonly errorKind: ErrorKind;

  constructor(message: string, errorKind: ErrorKind = 'setup-failed') {
    super(message);
    this.errorKind = errorKind;
  }
}

const OUTPUT_BYTES = 256 * 1024;
const CLONE_MS = 300_000;

/** `root`: the workspace on the host. Throws SetupFailed. */
export async function setUp(trial: Trial, context: RunContext, root: string): Promise<void> {
  const { repositories = [], before = [] } = trial.case.setup ?? {};
  for (const repository of repositories) {
    const outcome = await clone(repository, context, root);
    require(outcome, `the repository ${repository.from} could not be cloned: git`);
  }
  for (const command of before) {
    const outcome = await runCommand(command, trial, context, root);
    require(outcome, `the setup command ${command.name}`);
  }
}

/** Gives a warning for each command that failed. */
export async function putAway(trial: Trial, context: RunContext, root: string): Promise<string[]> {
  const warnings: string[] = [];
  for (const command of trial.case.setup?.after ?? []) {
    if (context.signal.aborted) break;
    const outcome = await runCommand(command, trial, context, root);
    if (!succeeded(outcome))
      warnings.push(`the command ${command.name} after the case ${failure(outcome)}${lastWords(outcome)}`);
  }
  return warnings;
}

async function clone(
  { from, to, ref, ancestor }: Repository,
  context: RunContext,
  root: string,
): Promise<ProcessOutcome> {
  const problem = to === '' || to === '.' ? null : pathProblem(to);
  if (problem) throw new SetupFailed(`the folder ${JSON.stringify(to)} for a repository ${problem}`);
  const { sandbox } = context;
  const source: Mount = { from, to: '/aam/source', mode: 'ro' };
  const workspace = writable(root);
  const target = join(sandbox.seenAt(workspace), to);
  const revision = revisionOf(ref, ancestor);
  return await run(context, {
    argv: ['/bin/sh', '-c', CLONE, 'sh', sandbox.seenAt(source), target, revision],
    cwd: '/',
    env: {},
    mounts: [workspace, source],
    stdin: null,
    network: false,
    timeoutMs: CLONE_MS,
  });
}

async function runCommand(
  { argv, cwd, timeoutMs }: SetupCommand,
  { id, case: it }: Trial,
  context: RunContext,
  root: string,
): Promise<ProcessOutcome> {
  const { sandbox, plan, records, workbench } = context;
  const workspace = writable(root);
  const seenAt = sandbox.seenAt(workspace);
  // At its own place, since the command may name it.
  const project = cwd === null ? null : workbench.projectAround(cwd);
  const folder: Mount[] = project === null ? [] : [{ from: project, to: project, mode: 'ro' }];
  return await run(context, {
    argv,
    cwd: cwd ?? seenAt,
    env: plan.settings.env,
    mounts: [...folder, workspace],
    stdin: JSON.stringify({
      workspace_path: seenAt,
      test_id: it.name,
      eval_run_id: records.id,
      trial_id: id,
      case_input: it.prompt,
      case_metadata: it.metadata,
    }),
    network: plan.settings.network,
    timeoutMs,
  });
}

/** For setup alone: what an agent may write is another matter. */
function writable(root: string): Mount {
  return { from: root, to: '/workspace', mode: 'rw' };
}

function run({ sandbox, limits, signal }: RunContext, request: Omit<SandboxRequest, 'limits' | 'signal'>) {
  return sandbox.run({
    ...request,
    signal,
    limits: sandboxLimits(limits, OUTPUT_BYTES),
  });
}

function require(outcome: ProcessOutcome, subject: string): void {
  if (outcome.ended === 'aborted')
    throw new SetupFailed('the run was interrupted while this case was set up', 'interrupted');
  if (!succeeded(outcome)) throw new SetupFailed(`${subject} ${failure(outcome)}${lastWords(outcome)}`);
}

function succeeded({ ended, exitCode }: ProcessOutcome): boolean {
  return ended === 'exited' && exitCode === 0;
}
