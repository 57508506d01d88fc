/** One entry of an eval file → a case. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Case, CaseFile } from '../../../model/case.ts';
import type { Path } from '../../../model/diagnostic.ts';
import { type Grader, grader } from '../../../model/grader.ts';
import type { Json } from '../../../model/tests.ts';
import { type Graded, itemsOf, readAssertions, type Written } from './assertions.ts';
import { findFiles, findText } from './case-files.ts';
import { type CaseName, titleOf } from './case-names.ts';
import { type Entry, unread } from './entries.ts';
import type { Notes } from './notes.ts';
import type { SkillPlace } from './skill-place.ts';

const PROMPTS = ['prompt', 'query', 'input', 'user_request', 'user_message'];
const EXPECTED = [
  ...['expected_output', 'expected', 'expected_behavior', 'expected_behaviour', 'expected_outputs'],
  ...['expected_checks', 'expect', 'expected_output_characteristics', 'expected_result', 'expected_outcome'],
];
const ASSERTIONS = ['assertions', 'expectations', 'assert', 'rubric', 'criteria', 'must_include'];
const FORBIDDEN = [
  ...['forbidden', 'fail', 'failure_conditions', 'anti_expectations', 'forbidden_outputs'],
  'must_not_include',
];
const TRIGGERS = ['should_trigger', 'should_activate', 'expect_trigger'];
/** About the case, and of no consequence for its verdict. */
const INFORMATION = new Set([
  ...[
    'id',
    'name',
    'eval_name',
    'title',
    'description',
    'desc',
    'intent',
    'tags',
    'type',
    'kind',
    'category',
  ],
  ...[
    'difficulty',
    'notes',
    'note',
    'scenario',
    'reason',
    'why',
    'rationale',
    'split',
    'priority',
    'metadata',
  ],
]);
/** The pass mark that the format's own tools use. */
const THRESHOLD = 0.8;

export interface CaseContext {
  readonly place: SkillPlace;
  readonly notes: Notes;
  /** Name of the skill that is installed; null: there is none. */
  readonly skill: string | null;
  /** The eval file: absolute, relative to home, and where its parts stand. */
  readonly path: string;
  readonly file: string;
  lineOf(path: Path): number;
}

/** null after reporting why it is no case. */
export function readCase(entry: Entry, { name, aliases }: CaseName, context: CaseContext): Case | null {
  const { fields, path } = entry;
  const { notes, skill } = context;
  const asked = promptOf(entry, context);
  if (asked === null) return null;
  const expected = readExpected(entry, notes);
  const { graders, criteria } = gradedBy(entry, expected, notes);
  const trigger = triggerOf(entry, context);
  const given = filesOf(entry, asked.prompt, context);
  const problems = [...(asked.problem ? [asked.problem] : []), ...given.problems];
  const read = new Set([...expected.keys, ...asked.keys]);
  for (const key of Object.keys(fields))
    if (!isRead(key) && !read.has(key)) notes.warnOnce([...path, key], unread(key));
  if (graders.length + criteria.length + trigger.length === 0) {
    notes.warn(path, {
      rule: 'ungraded',
      message: `the case ${name} says nothing that could be graded, so it will be undecided`,
      hint: 'add assertions or an expected_output',
    });
  }
  return {
    name,
    aliases,
    description: describe(fields),
    target: skill === null ? null : `skill:${skill}`,
    prompt: asked.prompt,
    followUps: [],
    files: given.files,
    graders: [...trigger, ...graders],
    criteria,
    reference: criteria.some(({ id }) => id === FROM_REFERENCE) ? null : expected.reference,
    scoring: { mode: 'score', threshold: THRESHOLD },
    fault: problems.length > 0 ? { errorKind: 'file_copy_error', error: problems.join('; ') } : null,
    metadata: metadataOf(fields),
    file: context.file,
    line: context.lineOf(path),
    hash: hashOf(fields, given.files),
  };
}

/** `keys`: those that it was read from. `problem`: what keeps the case from being run. */
function promptOf(
  { fields, path }: Entry,
  { notes, place }: CaseContext,
): { readonly prompt: string; readonly keys: readonly string[]; readonly problem: string | null } | null {
  const key = PROMPTS.find((it) => typeof fields[it] === 'string');
  const text = key === undefined ? '' : String(fields[key]);
  if (key !== undefined && text.trim() !== '') return { prompt: text, keys: [key], problem: null };
  const { prompt_file: written } = fields;
  if (typeof written === 'string') {
    const found = findText(written, place);
    if (found?.trim()) return { prompt: found, keys: ['prompt_file'], problem: null };
    const problem = `the prompt file ${JSON.stringify(written)} ${found === null ? 'does not exist' : 'is empty'}`;
    notes.error([...path, 'prompt_file'], { rule: 'file_copy_error', message: problem });
    return { prompt: '', keys: ['prompt_file'], problem };
  }
  const command = typeof fields['cmd'] === 'string' || typeof fields['command'] === 'string';
  notes.error(key === undefined ? path : [...path, key], {
    rule: 'missing-key',
    message: key === undefined ? 'the case has no prompt' : `${key} must not be empty`,
    ...(command && { hint: 'it has a command, and an agent needs words; commands are tested by  aam test' }),
  });
  return null;
}

interface Expected {
  /** What a good result looks like. */
  readonly reference: string | null;
  /** Lists are assertions by another name. */
  readonly items: readonly Written[];
  readonly keys: readonly string[];
}

function readExpected({ fields, path }: Entry, notes: Notes): Expected {
  const texts: string[] = [];
  const items: Written[] = [];
  const keys = EXPECTED.filter((key) => fields[key] !== undefined && fields[key] !== null);
  for (const key of keys) {
    const value = fields[key];
    if (typeof value === 'string') texts.push(value.trim());
    else if (typeof value === 'object') items.push(...writtenIn(value, [...path, key], plain, 'assertion'));
    else
      notes.warnOnce([...path, key], {
        rule: 'wrong-type',
        message: `${JSON.stringify(key)} is ${JSON.stringify(value)}, which cannot be graded`,
      });
  }
  return { reference: texts.filter(Boolean).join('\n\n') || null, items, keys };
}

const FROM_REFERENCE = 'expected-output';

function gradedBy({ fields, path }: Entry, { reference, items }: Expected, notes: Notes): Graded {
  const from = (keys: readonly string[], phrase: (key: string) => (text: string) => string, prefix: string) =>
    keys
      .filter((key) => fields[key] !== undefined && fields[key] !== null)
      .flatMap((key) => writtenIn(fields[key], [...path, key], phrase(key), prefix));
  const graded = readAssertions(
    [
      ...from(ASSERTIONS, (key) => (key === 'must_include' ? included : plain), 'assertion'),
      ...items,
      ...from(FORBIDDEN, (key) => (key === 'must_not_include' ? excluded : forbidden), 'forbidden'),
    ],
    notes,
  );
  if (graded.graders.length + graded.criteria.length > 0 || reference === null) return graded;
  const text = `What the agent did and answered agrees with this description of the expected result: ${reference}`;
  return { graders: [], criteria: [{ id: FROM_REFERENCE, text, weight: 1, required: false }] };
}

function writtenIn(value: unknown, path: Path, phrase: Written['phrase'], prefix: string): Written[] {
  return itemsOf(value, path).map((it) => ({ ...it, phrase, prefix }));
}

const plain = (text: string) => text;
const included = (text: string) => `The result includes: ${text}`;
const excluded = (text: string) => `The result does not include: ${text}`;
const forbidden = (text: string) => `This did not happen: ${text}`;

function triggerOf({ fields, path, shouldTrigger }: Entry, { notes, skill }: CaseContext): Grader[] {
  const key = TRIGGERS.find((it) => fields[it] !== undefined && fields[it] !== null);
  const value = key === undefined ? shouldTrigger : fields[key];
  if (value === null) return [];
  if (typeof value !== 'boolean') {
    notes.error([...path, key ?? ''], { rule: 'wrong-type', message: `${key} must be true or false` });
    return [];
  }
  const named = typeof fields['expect_skill'] === 'string' ? fields['expect_skill'].trim() : skill;
  if (named)
    return [grader('skill-trigger', 'skill-trigger', { skill: named, expected: value }, { required: true })];
  notes.error(path, {
    rule: 'missing-skill',
    message: 'there is no skill that could be triggered',
    hint: 'put the file into evals/ of the skill’s folder, beside its SKILL.md',
  });
  return [];
}

function filesOf({ fields, path }: Entry, prompt: string, { notes, place, path: answers }: CaseContext) {
  const { files: written } = fields;
  const files: CaseFile[] = [];
  const problems: string[] = [];
  if (written === undefined || written === null) return { files, problems };
  for (const { value, at } of [written]
    .flat()
    .map((it, index) => ({ value: it, at: [...path, 'files', index] }))) {
    const found =
      typeof value === 'string' ? findFiles(value, place, answers) : { problem: 'must be a path' };
    if ('files' in found) {
      files.push(...found.files);
      warnElsewhere(String(value), prompt, at, notes);
      continue;
    }
    const message = `the file ${JSON.stringify(value)} ${found.problem}`;
    problems.push(message);
    const hint = 'paths are relative to the skill’s folder; the case fails until the file is there';
    notes.error(at, { rule: 'file_copy_error', message, hint });
  }
  return { files, problems };
}

/** A prompt that speaks of another folder sends the agent looking. */
function warnElsewhere(written: string, prompt: string, at: Path, notes: Notes): void {
  const name = written.slice(written.lastIndexOf('/') + 1);
  const spoken = prompt
    .split(/[\s"'`()<>,;]+/)
    .map((word) => word.replace(/[.:?!]+$/, '').replace(/^\.\//, ''));
  const other = spoken.find((word) => word.endsWith(`/${name}`) && !isSamePath(word, written));
  if (name === '' || other === undefined || spoken.some((word) => isSamePath(word, written))) return;
  notes.warn(at, {
    rule: 'file-elsewhere',
    message: `the prompt speaks of ${other}, and the agent finds the file at ${written}`,
  });
}

function isSamePath(a: string, b: string): boolean {
  return a.replace(/^\.\//, '') === b.replace(/^\.\//, '');
}

function describe(fields: Entry['fields']): string | null {
  const given = [titleOf(fields), fields['description'], fields['desc'], fields['intent']];
  return given.find((it): it is string => typeof it === 'string' && it.trim() !== '')?.trim() ?? null;
}

function isRead(key: string): boolean {
  const named = [...ASSERTIONS, ...FORBIDDEN, ...TRIGGERS, 'files', 'expect_skill'];
  return INFORMATION.has(key) || named.includes(key);
}

/** All that says nothing about how to run or grade it. */
function metadataOf(fields: Entry['fields']): Case['metadata'] {
  const known = [
    ...PROMPTS,
    ...EXPECTED,
    ...ASSERTIONS,
    ...FORBIDDEN,
    ...TRIGGERS,
    'files',
    'prompt_file',
    'id',
  ];
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !known.includes(key))) as Record<
    string,
    Json
  >;
}

function hashOf(fields: Entry['fields'], files: readonly CaseFile[]): string {
  const hash = createHash('sha256').update(JSON.stringify(fields));
  for (const { from, to } of files) {
    hash.update(`\0${to}\0`);
    if (from !== null) hash.update(readFileSync(from));
  }
  return `sha256:${hash.digest('hex')}`;
}
