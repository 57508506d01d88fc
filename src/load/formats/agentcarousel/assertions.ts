/** `expected.output` and `expected.tool_sequence` → graders. */
import { compile } from 'json-p3';
import type { Finding, Path, Position } from '../../../model/diagnostic.ts';
import type { FixtureAssertion, FixtureCase, FixtureToolCall } from '../../../model/fixture.ts';
import {
  type Grader,
  type GraderOf,
  grader,
  type Share,
  type ToolTrajectory,
} from '../../../model/grader.ts';
import { pathProblem } from '../../../model/names.ts';
import { matchesAnything, patternProblem } from '../../../model/pattern.ts';
import { type FixturePlace, findFile, textOf } from './place.ts';

export interface CaseReading {
  readonly place: FixturePlace;
  error(path: Path, it: Finding): void;
  warn(path: Path, it: Finding): void;
  at(path: Path): Position;
}

type GoldenSettings = Pick<
  NonNullable<FixtureCase['evaluator_config']>,
  'golden_path' | 'golden_threshold' | 'golden_normalize_whitespace'
>;

/** Without a weight: they do not add to the score, but without them the case does not pass. */
const ASSERTED = { weight: 0, required: true } as const;
const DEFAULT_GOLDEN = 0.9;
const ANSWER = { of: 'answer' } as const;

/** `taken`: ids that graders of this case have already. */
export function readAssertions(
  { expected, evaluator_config: config }: FixtureCase,
  taken: ReadonlySet<string>,
  reading: CaseReading,
): Grader[] {
  const free = (wanted: string): string => (taken.has(wanted) ? free(`${wanted}-`) : wanted);
  const outputs = (expected.output ?? []).flatMap((it, index) => {
    const path = ['expected', 'output', index];
    const made = readAssertion(it, free(`output-${index + 1}`), ASSERTED, path, config ?? {}, reading);
    return made ?? [];
  });
  return [...toolGraders(expected.tool_sequence ?? [], free, reading), ...outputs];
}

/** null after reporting what is wrong. */
export function readAssertion(
  { kind, value, field }: FixtureAssertion,
  id: string,
  share: Share,
  path: Path,
  golden: GoldenSettings,
  reading: CaseReading,
): Grader | null {
  const more = { ...share, place: reading.at(path) };
  if (kind === 'golden_diff') {
    const { minScore = DEFAULT_GOLDEN, options } = goldenGrader(id, golden, share, path, reading, value);
    return grader(id, 'golden', { ...options, least: minScore }, more);
  }
  if (kind === 'json_path' && !field) {
    reading.error(path, {
      rule: 'missing-key',
      message: 'json_path needs a field',
      hint: 'a top-level key, a JSON pointer such as /a/0, or a JSONPath such as $.a[0]',
    });
    return null;
  }
  const problem = kind === 'regex' ? patternProblem(value, '', 'rust') : null;
  if (problem !== null) {
    const finding = { rule: 'bad-pattern', message: `the pattern does not compile: ${problem}` };
    // An item that cannot be scored leaves the case open; an assertion that cannot hold would fail it for ever.
    if (!share.required || path.includes('rubric')) reading.warn([...path, 'value'], finding);
    else {
      reading.error([...path, 'value'], finding);
      return null;
    }
  }
  if (field) {
    const wrong = field.startsWith('$') ? pathProblemOf(field) : null;
    if (wrong !== null) {
      reading.error([...path, 'field'], {
        rule: 'bad-path',
        message: `the JSONPath cannot be read: ${wrong}`,
      });
      return null;
    }
    return grader(id, 'json-field', { ...ANSWER, field, relation: RELATIONS[kind], value }, more);
  }
  const idle = emptyMeaning(kind, value, problem !== null);
  if (idle !== null) reading.warn([...path, 'value'], { rule: 'vacuous', message: idle });
  if (kind === 'equals') return grader(id, 'equals', { ...ANSWER, value, exact: true }, more);
  if (kind === 'regex') return grader(id, 'regex', { ...ANSWER, pattern: value, dialect: 'rust' }, more);
  if (kind === 'not_contains') return grader(id, 'not-contains', { ...ANSWER, values: [value] }, more);
  return grader(id, 'contains', { ...ANSWER, values: [value], match: 'all' }, more);
}

/** Why the answer does not matter to an assertion about the whole of it; null: it does. */
function emptyMeaning(kind: FixtureAssertion['kind'], value: string, isBroken: boolean): string | null {
  if (kind === 'regex' && !isBroken && matchesAnything(value, '', 'rust'))
    return 'the pattern matches every answer, so it decides nothing';
  if (kind === 'contains' && value === '')
    return 'every answer contains an empty text, so it decides nothing';
  if (kind === 'not_contains' && value === '')
    return 'every answer contains an empty text, so this can never hold';
  return null;
}

const RELATIONS = {
  contains: 'contains',
  not_contains: 'not-contains',
  equals: 'equals',
  regex: 'regex',
  json_path: 'contains',
} as const;

function pathProblemOf(field: string): string | null {
  try {
    compile(field);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** `otherwise`: the path where the evaluator's settings name none. A file that is not there leaves the grader undecided. */
export function goldenGrader(
  id: string,
  settings: GoldenSettings,
  share: Share,
  path: Path,
  reading: CaseReading,
  otherwise?: string,
): GraderOf<'golden'> {
  const written = settings.golden_path ?? otherwise ?? '';
  const found = findFile(written, reading.place);
  const text = found && textOf(found);
  const where = settings.golden_path ? ['evaluator_config', 'golden_path'] : [...path, 'value'];
  const problem = pathProblem(written);
  // That of `golden_path` is told with the other settings.
  if (problem !== null && !settings.golden_path)
    reading.error(where, {
      rule: 'bad-path',
      message: `${JSON.stringify(written)} ${problem}`,
      hint: 'paths are relative to the fixture’s folder or to one above it',
    });
  else if (text === null && problem === null)
    reading.warn(where, {
      rule: 'missing-golden',
      message: `the golden file ${JSON.stringify(written)} ${found ? 'is larger than 4 MiB' : 'does not exist'}, so the case is undecided`,
      hint: 'paths are relative to the fixture’s folder or to one above it',
    });
  const options = {
    ...ANSWER,
    path: written,
    text,
    ignoreSpace: settings.golden_normalize_whitespace ?? false,
  };
  const minScore = settings.golden_threshold ?? DEFAULT_GOLDEN;
  return grader(id, 'golden', options, { ...share, minScore, place: reading.at(path) });
}

const MODES = {
  strict: 'exact',
  subsequence: 'in-order',
  unordered: 'superset',
} as const satisfies Record<NonNullable<FixtureToolCall['order']>, ToolTrajectory['mode']>;

/** One grader for all calls of the same order. No list, or an empty one, asks for nothing. */
function toolGraders(
  calls: readonly FixtureToolCall[],
  free: (wanted: string) => string,
  reading: CaseReading,
): Grader[] {
  const path = ['expected', 'tool_sequence'];
  const orders = [...new Set(calls.map(({ order }) => order ?? 'subsequence'))];
  if (orders.includes('strict') && orders.length > 1)
    reading.warn(path, {
      rule: 'mixed-order',
      message:
        'calls with order strict stand for all calls of the agent, so calls of another order cannot come beside them',
      hint: 'give all calls of the case the same order',
    });
  return orders.map((order) => {
    const own = calls.filter((it) => (it.order ?? 'subsequence') === order);
    const expected = own.map(({ tool, args_match: args }) => ({
      tool,
      args: args ?? null,
      argsMatch: 'part' as const,
      maxDurationMs: null,
    }));
    const id = free(orders.length > 1 ? `tool-sequence-${order}` : 'tool-sequence');
    const options = { mode: MODES[order], minimums: {}, expected };
    return grader(id, 'tool-trajectory', options, { ...ASSERTED, place: reading.at(path) });
  });
}
