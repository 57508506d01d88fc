/** One entry of an eval file → a case. */
import type { Case, CaseFile } from '../../../model/case.ts';
import type { Path } from '../../../model/diagnostic.ts';
import type { Share } from '../../../model/grader.ts';
import { referenceIn } from '../../../model/reference.ts';
import { caseHash } from '../../case-hash.ts';
import type { Notes } from '../../notes.ts';
import type { AnswerTest } from './answers.ts';
import { findFiles, findText } from './case-files.ts';
import { type CaseName, titleOf } from './case-names.ts';
import { type Entry, unread } from './entries.ts';
import { gradedBy, readExpected } from './grading.ts';
import { isKnown, metadataOf, PROMPTS } from './keys.ts';
import type { SkillPlace } from './skill-place.ts';
import { type SkillsThere, triggerOf } from './trigger.ts';

/** The pass mark that the format's own tools use. */
const THRESHOLD = 0.8;

export interface CaseContext extends SkillsThere {
  readonly place: SkillPlace;
  readonly notes: Notes;
  readonly isAnswer: AnswerTest;
  /** The eval file, relative to home, and where its parts stand. */
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
  const trigger = triggerOf(entry, context, notes);
  refuseWeightless([...trigger, ...graders, ...criteria], path, notes);
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
    sources: asked.sources,
    file: context.file,
    line: context.lineOf(path),
    hash: caseHash(definitionOf(entry, asked), given.files),
  };
}

/** What counts for nothing decides nothing. */
function refuseWeightless(parts: readonly Share[], path: Path, notes: Notes): void {
  if (parts.length === 0 || parts.some(({ weight, required }) => weight > 0 || required)) return;
  notes.error(path, {
    rule: 'wrong-value',
    message: 'every assertion of the case has the weight 0, so nothing decides it',
    hint: 'give one of them a weight, or make it required',
  });
}

interface Asked {
  readonly prompt: string;
  /** Those that it was read from. */
  readonly keys: readonly string[];
  /** Files that it was read from. */
  readonly sources: readonly string[];
  /** What keeps the case from being run. */
  readonly problem: string | null;
}

function promptOf({ fields, path }: Entry, { notes, place, isAnswer }: CaseContext): Asked | null {
  const key = PROMPTS.find((it) => typeof fields[it] === 'string');
  const text = key === undefined ? '' : String(fields[key]);
  if (key !== undefined && text.trim() !== '')
    return usable({ prompt: text.trim(), keys: [key], sources: [], problem: null });
  const { prompt_file: written } = fields;
  if (typeof written === 'string') {
    const found = findText(written, place, isAnswer);
    if ('text' in found)
      return usable({
        prompt: found.text.trim(),
        keys: ['prompt_file'],
        sources: [found.path],
        problem: null,
      });
    const problem = `the prompt file ${JSON.stringify(written)} ${found.problem}`;
    notes.error([...path, 'prompt_file'], { rule: 'file_copy_error', message: problem });
    return { prompt: '', keys: ['prompt_file'], sources: [], problem };
  }
  const command = typeof fields['cmd'] === 'string' || typeof fields['command'] === 'string';
  notes.error(key === undefined ? path : [...path, key], {
    rule: 'missing-key',
    message: key === undefined ? 'the case has no prompt' : `${key} must not be empty`,
    ...(command && { hint: 'it has a command, and an agent needs words; commands are tested by  aam test' }),
  });
  return null;

  /** No program can be given a NUL. */
  function usable(asked: Asked): Asked | null {
    if (!asked.prompt.includes('\0')) return asked;
    const message = 'the prompt must not contain a NUL character';
    notes.error([...path, ...asked.keys], { rule: 'wrong-value', message });
    return null;
  }
}

function filesOf({ fields, path }: Entry, prompt: string, { notes, place, isAnswer }: CaseContext) {
  const { files: written } = fields;
  const files: CaseFile[] = [];
  const problems: string[] = [];
  const missing: string[] = [];
  if (written === undefined || written === null) return { files, problems, missing };
  for (const { value, at } of [written]
    .flat()
    .map((it, index) => ({ value: it, at: [...path, 'files', index] }))) {
    const found =
      typeof value === 'string' ? findFiles(value, place, isAnswer) : { problem: 'must be a path' };
    if ('files' in found) {
      files.push(...found.files);
      if (found.leftOut.length > 0) notes.warn(at, leftOut(String(value), found.leftOut));
      warnElsewhere(String(value), prompt, at, notes);
      continue;
    }
    const message = `the file ${JSON.stringify(value)} ${found.problem}`;
    problems.push(message);
    if (typeof value === 'string') missing.push(value);
    const hint = 'paths are relative to the skill’s folder; the case fails until the file is there';
    notes.error(at, { rule: 'file_copy_error', message, hint });
  }
  return { files, problems, missing };
}

const NAMED = 3;

function leftOut(folder: string, paths: readonly string[]) {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  const named = `${paths.slice(0, NAMED).join(', ')}${more}`;
  return {
    rule: 'answers-left-out',
    message: `the agent gets ${folder} without ${named}: answers are in it`,
  };
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

/** What the entry itself does not hold of the question is part of it too. */
function definitionOf({ fields, shouldTrigger }: Entry, { prompt, keys }: Asked): unknown {
  const isElsewhere = keys.includes('prompt_file');
  if (shouldTrigger === null && !isElsewhere) return fields;
  return [fields, { shouldTrigger, ...(isElsewhere && { prompt }) }];
}
