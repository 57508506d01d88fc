/** The checks of eval cases, by the name the report knows them under. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { Case } from '../model/case.ts';
import type { HookRun } from '../model/hook-log.ts';
import type { CheckOutcome } from '../model/trial.ts';
import type { CheckResult } from './check.ts';
import { agentBlocked } from './kinds/agent-blocked.ts';
import { contains, notContains } from './kinds/contains.ts';
import { filesCreated } from './kinds/files-created.ts';

/** What a trial shows of itself. */
export interface Observed {
  /** Everything the agent said. */
  readonly output: string;
  readonly created: readonly string[];
  readonly existedBefore: readonly string[];
  readonly hooks: readonly HookRun[];
  readonly events: readonly AgentEvent[];
  /** See BlockEvidence. */
  readonly confirmed: readonly string[];
  /** Why events or output are not whole; null: they are. */
  readonly gap: string | null;
  /** The same for the reports of hooks. */
  readonly hookGap: string | null;
}

type EvalCheck = (it: Case, observed: Observed) => CheckResult | null;

const declared = <Value, Result>(
  value: Value | undefined,
  decide: (value: Value) => Result,
): Result | null => (value === undefined ? null : decide(value));

const EVAL_CHECKS = {
  contains: ({ checks }, { output }) => declared(checks.contains, (it) => contains(it, output, 'the output')),
  not_contains: ({ checks }, { output, gap }) =>
    declared(checks.notContains, (it) => notContains(it, output, 'the output', gap)),
  files_created: ({ checks }, observed) => declared(checks.filesCreated, (it) => filesCreated(it, observed)),
  agent_blocked: ({ checks, target }, { hooks, events, confirmed, gap, hookGap }) =>
    declared(checks.agentBlocked, (it) =>
      agentBlocked(it, { hooks, events, target, confirmed, gap: hookGap ?? gap }),
    ),
} as const satisfies Record<string, EvalCheck>;

/** Only the declared checks, in a fixed order. */
export function runChecks(it: Case, observed: Observed): CheckOutcome[] {
  return Object.entries(EVAL_CHECKS).flatMap(([check, decide]) => {
    const result = decide(it, observed);
    return result ? [{ check, verdict: result.verdict, message: result.message }] : [];
  });
}
