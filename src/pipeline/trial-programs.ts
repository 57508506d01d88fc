/** The graders of a trial that are programs. They run last: what they change in the workspace nobody looks at. */
import { outcomeOf } from '../check/graders.ts';
import { type ProgramEvidence, programInput } from '../check/program-input.ts';
import type { CheckOutcome, Trial } from '../model/trial.ts';
import type { Workspace } from '../sandbox/workspace.ts';
import type { RunContext } from './eval-context.ts';
import { runGraderProgram } from './grader-program.ts';

/** `checks` with those of the programs filled in, in the same order. */
export async function runPrograms(
  { case: it }: Trial,
  context: RunContext,
  { root }: Workspace,
  checks: readonly CheckOutcome[],
  evidence: Omit<ProgramEvidence, 'workspace'>,
): Promise<CheckOutcome[]> {
  const workspace = { from: root, to: '/workspace', mode: 'rw' } as const;
  const told = { ...evidence, workspace: context.sandbox.seenAt(workspace) };
  const graded = new Map<string, CheckOutcome>();
  for (const grader of it.graders) {
    if (grader.kind !== 'program') continue;
    const stdin = programInput(it, grader.options, told);
    const found = await runGraderProgram(context, grader.options, stdin, workspace);
    graded.set(grader.id, outcomeOf(grader, found, null));
  }
  return checks.map((check) => graded.get(check.check) ?? check);
}
