/** Whether an engine can show what a case asks for at all. Pure. */
import type { Case } from '../model/case.ts';
import { hookProblem } from '../package/install.ts';
import { instructionsFor } from './case-instructions.ts';
import { mockFor } from './case-mock.ts';
import type { EvalPlan } from './eval-plan.ts';

/** What the engine lacks for this case; null: nothing. Decided before the agent is started, so that it costs nothing. */
export function unsupported(
  it: Case,
  { pkg, engine, engineName: name, settings }: Pick<EvalPlan, 'pkg' | 'engine' | 'engineName' | 'settings'>,
): string | null {
  if (instructionsFor(it, settings) !== undefined && !engine.takesInstructions)
    return `the case has instructions beside its prompt, and the engine ${name} has no way to give them; run it with --engine claude-code or --engine codex`;
  if (it.followUps.length > 0 && !engine.keepsSessions)
    return `the case has several turns, and the engine ${name} cannot go on with a session; run it with --engine claude-code or --engine codex`;
  if (name === 'mock' && mockFor(it, settings) === undefined)
    return 'the engine mock has no answer to give: it comes from mocks/*.json of a fixture, or from "response" of the target';
  if (it.files.length > 0 && name === 'completion')
    return 'the case has files for the agent, and a bare model cannot open any; run it with --engine claude-code or --engine codex';
  if (it.target?.startsWith('hook:')) return hookProblem(pkg, name, it.target.slice('hook:'.length));
  if (!it.graders.some(({ kind }) => kind === 'agent-blocked')) return null;
  const events = Object.keys(pkg.hooks?.value.hooks ?? {});
  if (!engine.shows.hooks)
    return `agent-blocked cannot be decided with the engine ${name}, which runs no hooks; run this case with --engine claude-code or --engine codex`;
  const problems = events.map((event) => hookProblem(pkg, name, event));
  return problems.length > 0 && problems.every((problem) => problem !== null)
    ? `agent-blocked cannot be decided: ${[...new Set(problems)].join('; ')}`
    : null;
}
