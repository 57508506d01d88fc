/** Whether a case wants a skill to be used, or left alone. */
import { type Grader, grader } from '../../../model/grader.ts';
import type { Notes } from '../../notes.ts';
import type { Entry } from './entries.ts';
import { TRIGGERS } from './keys.ts';

export interface SkillsThere {
  /** Name of the skill under test; null: there is none. */
  readonly skill: string | null;
  /** Names of all that are installed. */
  readonly installed: readonly string[];
}

export function triggerOf(entry: Entry, { skill, installed }: SkillsThere, notes: Notes): Grader[] {
  const { path } = entry;
  const named = namedSkill(entry, notes);
  const wanted = wantedOf(entry, named, notes);
  if (wanted === null) return [];
  if (named !== null && !installed.includes(named))
    notes.warnOnce([...path, 'expect_skill'], {
      rule: 'missing-skill',
      message: `the skill ${named} is expected, and not installed here`,
    });
  if (wanted) {
    const expected = named ?? skill;
    return expected === null ? withoutSkill(entry, notes) : [triggered(expected, true)];
  }
  // Another skill is the right one: whether it was used can only be asked where it is there.
  const other = named !== null && named !== skill && installed.includes(named);
  if (skill === null) return withoutSkill(entry, notes);
  return [triggered(skill, false), ...(other ? [triggered(named, true, 'expect-skill')] : [])];
}

function triggered(skill: string, expected: boolean, id = 'skill-trigger'): Grader {
  return grader(id, 'skill-trigger', { skill, expected }, { required: true });
}

/** null: the case does not say, or says it wrongly. */
function wantedOf({ fields, path, shouldTrigger }: Entry, named: string | null, notes: Notes) {
  const key = TRIGGERS.find((it) => fields[it] !== undefined && fields[it] !== null);
  const value = key === undefined ? (shouldTrigger ?? (named === null ? null : true)) : fields[key];
  if (value === null || typeof value === 'boolean') return value;
  notes.error([...path, key ?? ''], { rule: 'wrong-type', message: `${key} must be true or false` });
  return null;
}

function namedSkill({ fields, path }: Entry, notes: Notes): string | null {
  const { expect_skill: written } = fields;
  if (written === undefined || written === null) return null;
  if (typeof written === 'string' && written.trim() !== '') return written.trim();
  notes.error([...path, 'expect_skill'], {
    rule: 'wrong-type',
    message: 'expect_skill must be the name of a skill',
  });
  return null;
}

function withoutSkill({ path }: Entry, notes: Notes): Grader[] {
  notes.error(path, {
    rule: 'missing-skill',
    message: 'there is no skill that could be triggered',
    hint: 'put the file into evals/ of the skill’s folder, beside its SKILL.md',
  });
  return [];
}
