/** `execution`: who is asked, how often, and what may be spent. */

import { MAX_RUNS } from '../../../model/case.ts';
import { type Fields, fieldOf, isFields, itemsOf, type Part } from './part.ts';
import type { Reading } from './reading.ts';
import { booleanIn, fieldsIn, numberIn, textIn, wordIn } from './values.ts';

export interface Execution {
  /** Names of targets; empty: it says nothing. */
  readonly targets: readonly string[];
  readonly skipDefaults: boolean;
  /** Lists of assertions that stand here. */
  readonly assertions: readonly Part[];
  readonly threshold: number | null;
  readonly runs: number | null;
  readonly passThreshold: number | null;
  readonly maxCostUsd: number | null;
  readonly jobs: number | null;
}

const NOTHING: Execution = {
  targets: [],
  skipDefaults: false,
  assertions: [],
  threshold: null,
  runs: null,
  passThreshold: null,
  maxCostUsd: null,
  jobs: null,
};

const LISTS = ['assert', 'assertions', 'evaluators', 'graders'];
const ONLY_SUITE = ['trials', 'total_budget_usd', 'budget_usd', 'workers'];
const NOT_HEARD: Readonly<Record<string, string>> = {
  cache: 'answers are never cached; tapes replay a run without a model (--tape)',
  cache_path: 'answers are never cached; tapes replay a run without a model (--tape)',
  fail_on_error: 'a run goes on after an error: what could not be found out is undecided',
  verbose: 'it has no meaning here',
  trace_file: 'what the agent did is in the captures of each run',
  otel_file: 'what the agent did is in the captures of each run',
  keep_workspaces: 'use --keep-workspace',
  agent_timeout: 'use --timeout',
  max_retries: 'the model is asked again by rules of aam’s own',
};

/** `level`: where it stands. What only a whole suite can have is told at a test. */
export function readExecution(owner: Fields, level: 'suite' | 'test', reading: Reading): Execution {
  const { findings } = reading;
  const short = targetsIn(fieldOf(owner, 'target'), fieldOf(owner, 'targets'), reading);
  const part = fieldsIn(fieldOf(owner, 'execution'), findings);
  if (part === null) return { ...NOTHING, targets: short };
  const known = ['target', 'targets', 'skip_defaults', 'threshold', ...LISTS];
  const alone = Object.fromEntries(
    ONLY_SUITE.map((key) => [key, 'it counts for a whole file, not for one test']),
  );
  findings.keys(
    part,
    level === 'suite' ? [...known, ...ONLY_SUITE] : known,
    level === 'suite' ? NOT_HEARD : { ...NOT_HEARD, ...alone },
  );
  const named = targetsIn(fieldOf(part, 'target'), fieldOf(part, 'targets'), reading);
  return {
    targets: named.length > 0 ? named : short,
    skipDefaults: booleanIn(fieldOf(part, 'skip_defaults'), findings) ?? false,
    assertions: LISTS.flatMap((key) => fieldOf(part, key) ?? []),
    threshold: numberIn(fieldOf(part, 'threshold'), findings, { min: 0, max: 1, above: true }),
    ...(level === 'suite' ? spentBy(part, reading) : NOTHING_SPENT),
  };
}

type Spent = Pick<Execution, 'runs' | 'passThreshold' | 'maxCostUsd' | 'jobs'>;
const NOTHING_SPENT: Spent = { runs: null, passThreshold: null, maxCostUsd: null, jobs: null };

function spentBy(part: Fields, reading: Reading): Spent {
  const { findings } = reading;
  const trials = fieldsIn(fieldOf(part, 'trials'), findings);
  if (trials) findings.keys(trials, ['count', 'strategy', 'cost_limit_usd']);
  const budgets = [
    fieldOf(part, 'total_budget_usd', 'budget_usd'),
    trials && fieldOf(trials, 'cost_limit_usd'),
  ]
    .map((it) => numberIn(it, findings, { min: 0, above: true }))
    .filter((it) => it !== null);
  return {
    ...(trials ? repeated(trials, reading) : { runs: null, passThreshold: null }),
    maxCostUsd: budgets.length === 0 ? null : Math.min(...budgets),
    jobs: numberIn(fieldOf(part, 'workers'), findings, { min: 1, whole: true }),
  };
}

function repeated(trials: Fields, { findings }: Reading): Pick<Spent, 'runs' | 'passThreshold'> {
  const count = numberIn(fieldOf(trials, 'count'), findings, { min: 1, max: MAX_RUNS, whole: true });
  const at = fieldOf(trials, 'strategy');
  const strategy = wordIn(at, ['pass-at-k', 'mean', 'confidence-interval'] as const, findings);
  if (at !== null && strategy !== null && strategy !== 'pass-at-k')
    findings.warn(at, {
      rule: 'not-honoured',
      message: `the strategy ${strategy} is not known here: a case passes when all of its trials do`,
      hint: 'or say how many must:  --pass-threshold 0.5',
    });
  // pass@k is the strategy where none is named.
  const oneIsEnough = count !== null && (at === null || strategy === 'pass-at-k');
  return { runs: count, passThreshold: oneIsEnough ? 1 / count : null };
}

/** Names; a target with hooks of its own is told. */
function targetsIn(one: Part | null, many: Part | null, { findings }: Reading): string[] {
  const list = [...(many === null ? [] : itemsOf(many)), ...(many === null && one !== null ? [one] : [])];
  const names = list.flatMap((it) => {
    if (!isFields(it)) return textIn(it, findings)?.trim() || [];
    findings.keys(it, ['name', 'use_target']);
    const hooks = fieldOf(it, 'hooks');
    if (hooks !== null)
      findings.error(hooks, {
        rule: 'unsupported',
        message: 'hooks of a target cannot be run: write them in workspace',
      });
    return textIn(fieldOf(it, 'use_target', 'name'), findings)?.trim() || [];
  });
  return [...new Set(names)];
}
