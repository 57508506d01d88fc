/** Assertions about what a run took: time, money, tokens, calls; and about the skills it used. */
import { grader } from '../../../../model/grader.ts';
import { type Draft, PASS_MARK, type ReadKind } from '../graded.ts';
import { fieldOf } from '../part.ts';
import { SHARED_KEYS } from '../share.ts';
import { booleanIn, numberIn, oneOf, requiredText } from '../values.ts';

export const METRIC_KINDS: Readonly<Record<string, ReadKind>> = {
  latency: (draft) => {
    const maxMs = limit(draft, ['threshold', 'max_ms']);
    if (maxMs === null) return null;
    const id = draft.name('latency');
    draft.into.graders.push(grader(id, 'latency', { maxMs }, draft.share));
    return id;
  },
  cost: (draft) => {
    const maxUsd = limit(draft, ['budget', 'threshold', 'max_usd']);
    if (maxUsd === null) return null;
    const id = draft.name('cost');
    draft.into.graders.push(grader(id, 'cost', { maxUsd }, draft.share));
    return id;
  },
  'token-usage': (draft) => {
    const limits = limitsOf(draft, ['max_total', 'max_input', 'max_output']);
    if (limits === null) return null;
    const [maxTotal = null, maxInput = null, maxOutput = null] = limits;
    const id = draft.name('token-usage');
    draft.into.graders.push(grader(id, 'token-usage', { maxTotal, maxInput, maxOutput }, partly(draft)));
    return id;
  },
  'execution-metrics': (draft) => {
    const ratio = ['target_exploration_ratio', 'exploration_tolerance'];
    const limits = limitsOf(
      draft,
      [
        'max_tool_calls',
        'max_llm_calls',
        'max_tokens',
        'max_cost_usd',
        'max_duration_ms',
        ratio[0] as string,
      ],
      ratio,
    );
    if (limits === null) return null;
    const [maxToolCalls, maxModelCalls, maxTokens, maxCostUsd, maxDurationMs, target] = limits;
    const tolerance = numberIn(fieldOf(draft.part, 'exploration_tolerance'), draft.reading.findings, {
      min: 0,
    });
    const id = draft.name('execution-metrics');
    const options = {
      maxToolCalls: maxToolCalls ?? null,
      maxModelCalls: maxModelCalls ?? null,
      maxTokens: maxTokens ?? null,
      maxCostUsd: maxCostUsd ?? null,
      maxDurationMs: maxDurationMs ?? null,
      targetExplorationRatio: target ?? null,
      explorationTolerance: tolerance ?? 0.2,
    };
    draft.into.graders.push(grader(id, 'execution-metrics', options, partly(draft)));
    return id;
  },
  'skill-trigger': (draft) => {
    const { findings } = draft.reading;
    findings.keys(draft.part, [...SHARED_KEYS, 'skill', 'value', 'should_trigger']);
    const key = fieldOf(draft.part, 'skill') === null ? 'value' : 'skill';
    const skill = requiredText(draft.part, key, `an assertion of the type ${draft.type}`, findings)?.trim();
    const expected = booleanIn(fieldOf(draft.part, 'should_trigger'), findings) ?? true;
    if (!skill) return null;
    const id = draft.name(`skill-trigger-${skill}`);
    draft.into.graders.push(grader(id, 'skill-trigger', { skill, expected }, draft.share));
    return id;
  },
};

/** One number that must be there. */
function limit({ part, type, reading }: Draft, keys: readonly string[]): number | null {
  reading.findings.keys(part, [...SHARED_KEYS, ...keys]);
  const value = oneOf(part, keys, reading.findings);
  if (value === null)
    reading.findings.error(part, {
      rule: 'missing-key',
      message: `an assertion of the type ${type} needs a ${keys[0]}`,
    });
  return numberIn(value, reading.findings, { min: 0 });
}

/** Several numbers, one of which must be there. */
function limitsOf(
  { part, type, reading }: Draft,
  keys: readonly string[],
  others: readonly string[] = [],
): (number | null)[] | null {
  const { findings } = reading;
  findings.keys(part, [...SHARED_KEYS, ...keys, ...others]);
  const limits = keys.map((key) => numberIn(fieldOf(part, key), findings, { min: 0 }));
  if (keys.some((key) => fieldOf(part, key) !== null)) return limits;
  findings.error(part, {
    rule: 'missing-key',
    message: `an assertion of the type ${type} needs one of ${keys.join(', ')}`,
  });
  return null;
}

function partly({ share }: Draft) {
  return { minScore: PASS_MARK, ...share };
}
