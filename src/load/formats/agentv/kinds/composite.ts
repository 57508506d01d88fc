/** Assertions that count as one. */
import type { Aggregator } from '../../../../model/grader.ts';
import { nearest } from '../../../../model/nearest.ts';
import { type Draft, PASS_MARK } from '../graded.ts';
import { readTemplate } from '../judge-prompt.ts';
import { type Fields, fieldOf, innerPart } from '../part.ts';
import { SHARED_KEYS, WEIGHTS } from '../share.ts';
import { fieldsIn, numberIn, oneOf, wordIn } from '../values.ts';
import { readProgram } from './program.ts';

const LISTS = ['assert', 'assertions', 'evaluators', 'graders'];
const DEFAULT_INSTRUCTIONS = 'Decide by these results of the single graders: {{EVALUATOR_RESULTS_JSON}}';

export function composite(draft: Draft): string | null {
  const { part, reading, into, share } = draft;
  const { findings } = reading;
  findings.keys(part, [...SHARED_KEYS, ...LISTS, 'aggregator', 'threshold']);
  const list = oneOf(part, LISTS, findings);
  if (list === null) {
    findings.error(part, { rule: 'missing-key', message: `${draft.type} needs a list of assertions` });
    return null;
  }
  const id = draft.name('composite');
  const members = draft.members(list);
  const aggregator = aggregatorIn(draft);
  if (aggregator === null || members.length === 0) {
    if (members.length === 0)
      findings.error(list, {
        rule: 'wrong-value',
        message: `${draft.type} has no assertion that can be used`,
      });
    return null;
  }
  applyWeights(draft, members);
  if (aggregator.kind === 'weighted-average' && into.areWeightless(members))
    findings.error(list, { rule: 'wrong-value', message: `all weights in ${draft.type} are 0` });
  const { minScore, ...counted } = { minScore: PASS_MARK, ...share };
  // A threshold is a pass mark itself; only one that is written beside it counts more.
  const hasOwnMark = aggregator.kind === 'threshold' && !isMarkWritten(part);
  into.groups.push({ id, members, aggregator, ...counted, ...(!hasOwnMark && { minScore }) });
  return id;
}

function isMarkWritten(part: Fields): boolean {
  return fieldOf(part, 'min_score') !== null || typeof part.value['required'] === 'number';
}

const AGGREGATORS = [
  ...['weighted-average', 'threshold', 'code-judge', 'code-grader', 'script', 'llm-judge', 'llm-grader'],
  'llm-rubric',
] as const;

function aggregatorIn(draft: Draft): Aggregator | null {
  const { part, reading, into } = draft;
  const { findings } = reading;
  const least = numberIn(fieldOf(part, 'threshold'), findings, { min: 0, max: 1, above: true });
  const written = fieldOf(part, 'aggregator');
  if (written !== null && least !== null)
    findings.error(fieldOf(part, 'threshold') ?? part, {
      rule: 'two-values',
      message: 'threshold beside an aggregator is not read',
      hint: 'write it in aggregator, or as min_score: the score from which the whole has passed',
    });
  if (written === null)
    return least === null ? { kind: 'weighted-average' } : { kind: 'threshold', threshold: least };
  const fields = fieldsIn(written, findings);
  if (fields === null) return null;
  const type = wordIn(fieldOf(fields, 'type') ?? written, AGGREGATORS, findings);
  switch (type) {
    case null:
      return null;
    case 'weighted-average':
      findings.keys(fields, ['type', 'weights']);
      return { kind: 'weighted-average' };
    case 'threshold': {
      findings.keys(fields, ['type', 'threshold']);
      const threshold = numberIn(fieldOf(fields, 'threshold'), findings, { min: 0, max: 1, above: true });
      if (fieldOf(fields, 'threshold') === null)
        findings.error(fields, {
          rule: 'missing-key',
          message: 'the aggregator threshold needs a threshold',
        });
      return threshold === null ? null : { kind: 'threshold', threshold };
    }
    case 'code-judge':
    case 'code-grader':
    case 'script': {
      findings.keys(fields, ['type', 'path', 'command', 'script', 'cwd', 'timeout_ms', 'timeout_seconds']);
      const program = readProgram(fields, reading, into);
      return program && { kind: 'program', program };
    }
    default:
      return judgeOf(fields, draft);
  }
}

function judgeOf(fields: Fields, { reading, into }: Draft): Aggregator | null {
  reading.findings.keys(fields, ['type', 'prompt'], {
    model: 'all criteria of a run have one judge: choose it with --judge',
    target: 'all criteria of a run have one judge: choose it with --judge',
  });
  const prompt = fieldOf(fields, 'prompt');
  const instructions = prompt === null ? DEFAULT_INSTRUCTIONS : readTemplate(prompt, { reading, into });
  return instructions === null ? null : { kind: 'judge', instructions };
}

/** By the names of the members. */
function applyWeights({ part, reading, into }: Draft, members: readonly string[]): void {
  const { findings } = reading;
  const aggregator = fieldOf(part, 'aggregator');
  const weights = aggregator && fieldsIn(aggregator, findings);
  const written = weights && fieldsIn(fieldOf(weights, 'weights'), findings);
  if (!written) return;
  for (const name of Object.keys(written.value)) {
    const weight = numberIn(innerPart(written, name), findings, WEIGHTS);
    // One that another assertion has the name of was given a number.
    const id = members.find((it) => it === name) ?? members.find((it) => it.replace(/-\d+$/, '') === name);
    if (id === undefined) {
      const meant = nearest(name, members);
      findings.error(
        { ...written, path: [...written.path, name] },
        {
          rule: 'wrong-value',
          message: `there is no member called ${name}`,
          hint: meant ? `did you mean ${meant}?` : `members: ${members.join(', ')}`,
        },
        'key',
      );
    } else if (weight !== null) weigh(into, id, weight);
  }
}

function weigh(into: Draft['into'], id: string, weight: number): void {
  for (const list of [into.graders, into.criteria, into.groups] as { id: string; weight: number }[][]) {
    const index = list.findIndex((it) => it.id === id);
    const found = list[index];
    if (found) list[index] = { ...found, weight };
  }
}
