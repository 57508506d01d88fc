/** One entry of an eval file → a case. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Case, CaseFile } from '../../../model/case.ts';
import type { Path } from '../../../model/diagnostic.ts';
import { type Grader, grader } from '../../../model/grader.ts';
import { referenceIn } from '../../../model/reference.ts';
import { findFiles, findText } from './case-files.ts';
import { type CaseName, titleOf } from './case-names.ts';
import { type Entry, unread } from './entries.ts';
import { gradedBy, readExpected } from './grading.ts';
import { isKnown, metadataOf, PROMPTS, TRIGGERS } from './keys.ts';
import type { Notes } from './notes.ts';
import type { SkillPlace } from './skill-place.ts';

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
    if (!isKnown(key) && !read.has(key)) notes.warnOnce([...path, key], unread(key));
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
    reference: criteria.some((it) => referenceIn(it) !== null) ? null : expected.reference,
    scoring: { mode: 'score', threshold: THRESHOLD },
    fault:
      problems.length > 0
        ? { errorKind: 'file_copy_error', error: problems.join('; '), files: given.missing }
        : null,
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
  if (key !== undefined && text.trim() !== '') return { prompt: text.trim(), keys: [key], problem: null };
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
  const missing: string[] = [];
  if (written === undefined || written === null) return { files, problems, missing };
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
    missing.push(String(value));
    const hint = 'paths are relative to the skill’s folder; the case fails until the file is there';
    notes.error(at, { rule: 'file_copy_error', message, hint });
  }
  return { files, problems, missing };
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

function hashOf(fields: Entry['fields'], files: readonly CaseFile[]): string {
  const hash = createHash('sha256').update(JSON.stringify(fields));
  for (const { from, to } of files) {
    hash.update(`\0${to}\0`);
    if (from !== null) hash.update(readFileSync(from));
  }
  return `sha256:${hash.digest('hex')}`;
}
