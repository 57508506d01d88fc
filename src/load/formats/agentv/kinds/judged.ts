/** Assertions that a judge decides: prompts of the author's, rubrics, goals. */
import type { Criterion } from '../../../../model/case.ts';
import { type Draft, PASS_MARK, type ReadKind } from '../graded.ts';
import { readPrompt } from '../judge-prompt.ts';
import { fieldOf, type Part } from '../part.ts';
import { readRubric } from '../rubric.ts';
import { SHARED_KEYS } from '../share.ts';
import { listIn, numberIn, textIn } from '../values.ts';

const ONE_JUDGE = 'all criteria of a run have one judge: choose it with --judge';
const NOT_HEARD: Readonly<Record<string, string>> = {
  model: ONE_JUDGE,
  target: ONE_JUDGE,
  provider: ONE_JUDGE,
  temperature: 'the judge’s temperature is not set',
  max_steps: 'the judge answers in one step',
  max_turns: 'the judge answers in one step',
  config: 'a judge is given no settings',
  preprocessors: 'files are shown to the judge as they are',
};
const OWN_KEYS = ['prompt', 'rubrics', 'value', 'criteria', 'threshold'];

export const JUDGED_KINDS: Readonly<Record<string, ReadKind>> = {
  'llm-judge': (draft) => {
    draft.reading.findings.keys(draft.part, [...SHARED_KEYS, ...OWN_KEYS], NOT_HEARD);
    return judged(draft);
  },
  'agent-judge': (draft) => {
    draft.reading.findings.keys(draft.part, [...SHARED_KEYS, ...OWN_KEYS], NOT_HEARD);
    draft.reading.findings.warnOnce(draft.part, {
      rule: 'agent-judge',
      message:
        'agent-judge: the judge is shown what the agent did and changed, and has no tools to look further',
    });
    return judged(draft);
  },
  rubrics: (draft) => {
    const { part, reading } = draft;
    reading.findings.keys(part, [...SHARED_KEYS, 'criteria', 'rubrics', 'value'], NOT_HEARD);
    const list = fieldOf(part, 'criteria', 'rubrics', 'value');
    if (list !== null) return rubrics(draft, list);
    reading.findings.error(part, {
      rule: 'missing-key',
      message: 'an assertion of the type rubrics needs a list of criteria',
    });
    return null;
  },
  'trajectory:goal-success': (draft) => {
    const { findings } = draft.reading;
    findings.keys(draft.part, [...SHARED_KEYS, 'value', 'goal', 'threshold'], NOT_HEARD);
    const goal = textIn(fieldOf(draft.part, 'value', 'goal'), findings)?.trim();
    if (goal) return graded(draft, `The agent reached this goal: ${goal}`, 'goal-success');
    findings.error(draft.part, { rule: 'missing-key', message: `${draft.type} needs a goal as its value` });
    return null;
  },
};

function judged(draft: Draft): string | null {
  const { part, subject, reading } = draft;
  const list = fieldOf(part, 'rubrics');
  if (list !== null) {
    if (fieldOf(part, 'prompt') !== null)
      reading.findings.warnOnce(part, {
        rule: 'not-honoured',
        message: 'the prompt of a judge with rubrics is not read: the rubrics are its criteria',
      });
    return rubrics(draft, list);
  }
  const written = fieldOf(part, 'prompt', 'value', 'criteria');
  if (written !== null && Array.isArray(written.value)) return rubrics(draft, written);
  if (written !== null) {
    if (isSentence(written)) return sentence(draft, written.value.trim());
    const text = readPrompt(written, draft);
    return text === null ? null : graded(draft, text, draft.type);
  }
  if (subject.criteria !== null) return graded(draft, subject.criteria, draft.type);
  reading.findings.error(part, {
    rule: 'missing-key',
    message: `${draft.type} needs a prompt, for the test has no criteria`,
  });
  return null;
}

/** One line of words without placeholders says what must hold; anything longer is a prompt to grade by. */
function isSentence(part: Part): part is Part & { readonly value: string } {
  const { value } = part;
  return typeof value === 'string' && /^\S+[^\S\n]\S.*$/.test(value.trim()) && !value.includes('{{');
}

function sentence(draft: Draft, text: string): string {
  const { into, subject, part, reading } = draft;
  const { negate, minScore: _, ...share } = draft.share;
  const least = fieldOf(part, 'threshold', 'min_score');
  if (least !== null)
    reading.findings.warnOnce(least, {
      rule: 'not-honoured',
      message: 'a sentence holds or not, so a least score says nothing about it',
    });
  const id = draft.name(draft.type);
  into.criteria.push({ id, text: `${subject.preface}${text}`, ...share, ...(negate && { negate }) });
  return id;
}

/** From 0 to 10. */
function graded(draft: Draft, text: string, fallback: string): string {
  const { share, into, subject, part, reading } = draft;
  const least = numberIn(fieldOf(part, 'threshold'), reading.findings, { min: 0, max: 1, above: true });
  const id = draft.name(fallback);
  into.criteria.push(criterion(id, `${subject.preface}${text}`, { minScore: least ?? PASS_MARK, ...share }));
  return id;
}

function criterion(id: string, text: string, { negate, ...share }: Draft['share']): Criterion {
  return { id, text, scale: [], ...share, ...(negate && { negate }) };
}

/** Criteria that count as one, each by its own weight. */
function rubrics(draft: Draft, list: Part): string | null {
  const { share, into, reading, subject } = draft;
  const items = listIn(list, reading.findings);
  if (items === null) return null;
  if (items.length === 0) {
    reading.findings.error(list, { rule: 'wrong-value', message: 'the list of criteria is empty' });
    return null;
  }
  const [only] = items;
  if (items.length === 1 && only) return rubric(draft, only);
  const group = draft.name('rubrics');
  const members = items.map((it, index) => readRubric(it, `${group}-${index + 1}`, reading, subject.preface));
  if (members.some((it) => it === null)) return null;
  const criteria = members.map((it) => ({ ...(it as Criterion), id: into.unique((it as Criterion).id) }));
  into.criteria.push(...criteria);
  const { negate, ...counted } = { minScore: PASS_MARK, ...share };
  into.groups.push({
    id: group,
    members: criteria.map(({ id }) => id),
    aggregator: { kind: 'weighted-average' },
    ...counted,
    negate,
  });
  return group;
}

/** A list of one is no group: it counts as the assertion itself does. */
function rubric(draft: Draft, item: Part): string | null {
  const { share, into, reading, subject } = draft;
  const read = readRubric(item, 'rubrics', reading, subject.preface);
  if (read === null) return null;
  const { negate, weight, required } = share;
  const minScore = read.scale === undefined ? undefined : (share.minScore ?? read.minScore);
  const id = draft.name(read.id);
  into.criteria.push({
    ...read,
    ...{ id, weight, required: required || read.required },
    ...(minScore !== undefined && { minScore }),
    ...(negate && { negate }),
  });
  return id;
}
