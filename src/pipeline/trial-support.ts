/** Whether an engine can show what a case asks for at all. Pure. */
import { ENGINES } from '../engine/engines.ts';
import type { Case } from '../model/case.ts';
import { hookProblem } from '../package/install.ts';
import { instructionsFor } from './case-instructions.ts';
import type { EvalPlan } from './eval-plan.ts';

/** What the engine lacks for this case; null: nothing. Decided before the agent is started, so that it costs nothing. */
export function unsupported(
  it: Case,
  { pkg, engineName: engine, settings }: Pick<EvalPlan, 'pkg' | 'engineName' | 'settings'>,
): string | null {
  if (instructionsFor(it, settings) !== undefined && !ENGINES[engine].takesInstructions)
    return `the case has instructions beside its prompt, and the engine ${engine} has no way to give them; run it with --engine claude-code or --engine codex`;
  if (it.followUps.length > 0 && !ENGINES[engine].keepsSessions)
    return `the case has several turns, and the engine ${engine} cannot go on with a session; run it with --engine claude-code or --engine codex`;
  if (it.target?.startsWith('hook:')) return hookProblem(pkg, engine, it.target.slice('hook:'.length));
  if (!it.graders.some(({ kind }) => kind === 'agent-blocked')) return null;
  const events = Object.keys(pkg.hooks?.value.hooks ?? {});
  if (engine === 'command')
    return 'agent-blocked cannot be decided with the engine command, which runs no hooks; run this case with --engine claude-code or --engine codex';
  const problems = events.map((event) => hookProblem(pkg, engine, event));
  return problems.length > 0 && problems.every((problem) => problem !== null)
    ? `agent-blocked cannot be decided: ${[...new Set(problems)].join('; ')}`
    : null;
}
