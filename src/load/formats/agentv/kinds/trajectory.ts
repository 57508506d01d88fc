/** Assertions about the tools that were called. */
import { type ExpectedCall, grader, type ToolTrajectory } from '../../../../model/grader.ts';
import type { Json } from '../../../../model/tests.ts';
import { type Draft, PASS_MARK, type ReadKind } from '../graded.ts';
import { type Fields, fieldOf, innerPart, isFields, itemsOf, type Part } from '../part.ts';
import { SHARED_KEYS } from '../share.ts';
import { fieldsIn, listIn, numberIn, textIn, wordIn } from '../values.ts';

const MODES = ['any-order', 'in-order', 'exact', 'superset', 'subset'] as const;
/** No call at all is asked for with `not-` or negate. */
const LEAST = { min: 1, whole: true };
const ARGS = ['exact', 'ignore', 'subset', 'superset'] as const;

export const TRAJECTORY_KINDS: Readonly<Record<string, ReadKind>> = {
  'tool-trajectory': (draft) => {
    const { part, reading } = draft;
    const { findings } = reading;
    findings.keys(part, [...SHARED_KEYS, 'mode', 'minimums', 'expected', 'args_match', 'argsMatch']);
    const written = fieldOf(part, 'mode');
    if (written === null) {
      findings.error(part, {
        rule: 'missing-key',
        message: `tool-trajectory needs a mode: ${MODES.join(', ')}`,
      });
      return null;
    }
    const mode = wordIn(written, MODES, findings);
    if (mode === null) return null;
    const minimums = mode === 'any-order' ? minimumsIn(part, draft) : {};
    const expected = mode === 'any-order' ? [] : expectedIn(part, draft);
    if (minimums === null || expected === null) return null;
    const isEmpty = expected.length === 0 && (mode === 'in-order' || mode === 'superset');
    if (isEmpty) return nothing(draft, fieldOf(part, 'expected') ?? part);
    return add(draft, { mode, minimums, expected });
  },
  'trajectory:tool-used': (draft) => {
    const minimums: Record<string, number> = {};
    for (const it of valueItems(draft)) {
      const tool = toolIn(it, draft);
      if (tool === null) return null;
      const least = isFields(it) ? numberIn(fieldOf(it, 'min'), draft.reading.findings, LEAST) : null;
      minimums[tool] = least ?? 1;
    }
    return add(draft, { mode: 'any-order', minimums, expected: [] });
  },
  'trajectory:tool-args-match': (draft) => {
    const expected = valueItems(draft).map((it): ExpectedCall | null => {
      const tool = toolIn(it, draft, ['args', 'mode']);
      if (tool === null) return null;
      if (!isFields(it) || fieldOf(it, 'args') === null) {
        draft.reading.findings.error(it, {
          rule: 'missing-key',
          message: `${draft.type} needs the args of ${tool}`,
          hint: 'whether a tool was called at all is told by trajectory:tool-used',
        });
        return null;
      }
      const mode = wordIn(fieldOf(it, 'mode'), ['partial', 'exact'] as const, draft.reading.findings);
      const args = (fieldOf(it, 'args')?.value ?? null) as Json | null;
      return { tool, args, argsMatch: mode === 'exact' ? 'exact' : 'superset', maxDurationMs: null };
    });
    return complete(expected) ? add(draft, { mode: 'superset', minimums: {}, expected }) : null;
  },
  'trajectory:tool-sequence': (draft) => {
    const { findings } = draft.reading;
    const value = fieldOf(draft.part, 'value');
    const steps = value !== null && isFields(value) ? fieldOf(value, 'steps') : value;
    const mode =
      value !== null && isFields(value)
        ? wordIn(fieldOf(value, 'mode'), ['in-order', 'exact'] as const, findings)
        : null;
    findings.keys(draft.part, [...SHARED_KEYS, 'value']);
    const items = steps === null ? missing(draft, 'value.steps') : listIn(steps, findings);
    if (steps !== null && items?.length === 0 && mode !== 'exact') return nothing(draft, steps);
    const expected = items?.map((it): ExpectedCall | null => {
      const tool = toolIn(it, draft);
      return tool === null ? null : { tool, args: null, argsMatch: 'ignore', maxDurationMs: null };
    });
    return expected && complete(expected)
      ? add(draft, { mode: mode ?? 'in-order', minimums: {}, expected })
      : null;
  },
};

function minimumsIn(part: Fields, draft: Draft): Record<string, number> | null {
  const { findings } = draft.reading;
  const written = fieldOf(part, 'minimums');
  const minimums = written === null ? missing(draft, 'minimums') : fieldsIn(written, findings);
  if (minimums === null) return null;
  const counts: Record<string, number> = {};
  for (const tool of Object.keys(minimums.value)) {
    const count = numberIn(innerPart(minimums, tool), findings, LEAST);
    if (count === null) return null;
    counts[tool] = count;
  }
  return Object.keys(counts).length === 0 ? nothing(draft, minimums) : counts;
}

function expectedIn(part: Fields, draft: Draft): ExpectedCall[] | null {
  const { findings } = draft.reading;
  const written = fieldOf(part, 'expected');
  const items = written === null ? missing(draft, 'expected') : listIn(written, findings);
  const usual = argsMatchIn(fieldOf(part, 'args_match', 'argsMatch'), draft) ?? 'exact';
  const calls = items?.map((it): ExpectedCall | null => {
    if (typeof it.value === 'string')
      return { tool: it.value, args: null, argsMatch: usual, maxDurationMs: null };
    const tool = toolIn(it, draft, ['args', 'args_match', 'argsMatch', 'max_duration_ms']);
    if (tool === null || !isFields(it)) return null;
    const args = fieldOf(it, 'args');
    return {
      tool,
      args: args === null || args.value === 'any' ? null : (args.value as Json),
      argsMatch: argsMatchIn(fieldOf(it, 'args_match', 'argsMatch'), draft) ?? usual,
      maxDurationMs: numberIn(fieldOf(it, 'max_duration_ms'), findings, { min: 0 }),
    };
  });
  return calls && complete(calls) ? calls : null;
}

function argsMatchIn(part: Part | null, { reading }: Draft): ExpectedCall['argsMatch'] | null {
  if (part === null) return null;
  if (!Array.isArray(part.value)) return wordIn(part, ARGS, reading.findings);
  const paths = itemsOf(part).map((it) => textIn(it, reading.findings));
  return complete(paths) ? paths : null;
}

/** The name of a tool, alone or with other keys. */
function toolIn(part: Part, { reading }: Draft, others: readonly string[] = ['min']): string | null {
  const { findings } = reading;
  if (typeof part.value === 'string') return part.value;
  const fields = fieldsIn(part, findings);
  if (fields === null) return null;
  findings.keys(fields, ['tool', 'name', ...others], {
    input: 'arguments are written as args',
    output: 'what a tool gave back is not compared',
  });
  for (const key of ['pattern', 'max']) {
    const at = fieldOf(fields, key);
    if (at === null) continue;
    findings.error(at, { rule: 'unsupported', message: `${key} of a tool cannot be checked: name the tool` });
    return null;
  }
  const name = fieldOf(fields, 'tool', 'name');
  if (name !== null) return textIn(name, findings);
  findings.error(part, { rule: 'missing-key', message: 'an expected call needs a tool' });
  return null;
}

function valueItems(draft: Draft): Part[] {
  draft.reading.findings.keys(draft.part, [...SHARED_KEYS, 'value']);
  const value = fieldOf(draft.part, 'value');
  if (value === null) missing(draft, 'value');
  else if (itemsOf(value).length === 0) nothing(draft, value);
  return value === null ? [] : itemsOf(value);
}

/** An empty list is met by everything; `exact` and `subset` mean by it that nothing may be called. */
function nothing({ type, reading }: Draft, at: Part): null {
  reading.findings.error(at, {
    rule: 'wrong-value',
    message: `${type} names no tool, so it decides nothing`,
  });
  return null;
}

function missing({ part, type, reading }: Draft, key: string): null {
  reading.findings.error(part, {
    rule: 'missing-key',
    message: `an assertion of the type ${type} needs ${key}`,
  });
  return null;
}

function complete<T>(list: readonly (T | null)[]): list is T[] {
  return list.every((it) => it !== null);
}

function add(draft: Draft, options: ToolTrajectory): string {
  const id = draft.name(draft.type.replace(':', '-'));
  draft.into.graders.push(grader(id, 'tool-trajectory', options, { minScore: PASS_MARK, ...draft.share }));
  return id;
}
