/** Reads an eval file of the Agent Skills kind, and the skill it belongs to. */
import { basename, dirname, relative, sep } from 'node:path';
import type { Case } from '../../../model/case.ts';
import type { AgentPackage } from '../../../model/package.ts';
import { emptyPackage } from '../../empty-package.ts';
import type { LoadedSuite } from '../../format.ts';
import { Notes } from '../../notes.ts';
import { readText } from '../../read-text.ts';
import { type Source, unreadable } from '../../source.ts';
import { parseTolerantJson } from '../../tolerant-json.ts';
import { readPackage } from '../uaaps/package.ts';
import { settingsOf } from '../uaaps/suite.ts';
import { answerTest } from './answers.ts';
import { type CaseContext, readCase } from './case.ts';
import { nameCases } from './case-names.ts';
import { type Entries, findEntries } from './entries.ts';
import { isEvalFileName } from './file-names.ts';
import { placeSkill } from './skill-place.ts';

/** Whole tasks take longer than a single question. */
const TIMEOUT_SECONDS = 300;

export async function readAgentSkills(path: string): Promise<LoadedSuite> {
  const { home } = placeSkill(path, null);
  const file = slashed(relative(home, path));
  const source = await sourceOf(path, file);
  const notes = new Notes(source);
  const found = source.value === undefined ? NO_ENTRIES : findEntries(source.value, notes);
  const place = placeSkill(path, found.skillName);
  const name = found.skillName ?? basename(home);
  const pkg = place.skill === null ? emptyPackage(home, name) : await readPackage(place.skill);
  const skill = skillUnderTest(pkg, found, notes);
  const names = nameCases(found.entries, notes);
  const context: CaseContext = {
    ...{ place, notes, skill, file },
    installed: pkg.skills.map((it) => it.name),
    isAnswer: answerTest(path, place),
    lineOf: (at) => source.at(at).line,
  };
  const read = found.entries.flatMap((entry, index) => {
    const named = names[index];
    if (!named) return [];
    const { result, mistakes } = notes.mistakesIn(() => readCase(entry, named, context));
    if (result && mistakes.length === 0 && isUngraded(result)) notes.warn(entry.path, ungraded(named.name));
    return [{ result, mistakes, words: [named.name, ...named.aliases] }];
  });
  return {
    home,
    pkg: withoutAnswers(pkg, path),
    suite: {
      cases: read.flatMap(({ result, mistakes }) => (result && mistakes.length === 0 ? [result] : [])),
      settings: settingsOf(pkg, TIMEOUT_SECONDS),
    },
    broken: read
      .filter(({ mistakes }) => mistakes.length > 0)
      .map(({ words, mistakes }) => ({ words, diagnostics: mistakes })),
    found: found.found,
    diagnostics: notes.all,
  };
}

const NO_ENTRIES: Entries = { skillName: null, entries: [], found: 0 };

async function sourceOf(path: string, file: string): Promise<Source> {
  const read = await readText(dirname(path), basename(path));
  if ('text' in read) return parseTolerantJson(read.text, file);
  return unreadable(file, [{ ...read.problem, file }]);
}

/** The one that the file names, or the only one there is. */
function skillUnderTest({ skills }: AgentPackage, { skillName }: Entries, notes: Notes): string | null {
  const names = skills.map(({ name }) => name);
  const [only] = names;
  if (only === undefined) {
    notes.warn([], {
      rule: 'missing-skill',
      message: 'there is no SKILL.md here or above, so the agent gets no skill',
      hint: 'put the file into evals/ of the skill’s folder',
    });
    return null;
  }
  if (skillName === null || names.includes(skillName)) return skillName ?? (names.length === 1 ? only : null);
  notes.warn(['skill_name'], {
    rule: 'skill-name',
    message: `the file names the skill ${skillName}, and installed is ${names.join(', ')}`,
  });
  return names.length === 1 ? only : null;
}

function isUngraded({ graders, criteria }: Case): boolean {
  return graders.length + criteria.length === 0;
}

function ungraded(name: string) {
  return {
    rule: 'ungraded',
    message: `the case ${name} says nothing that could be graded, so it will be undecided`,
    hint: 'add assertions or an expected_output',
  };
}

/** Evals folders are never installed; other eval files of the skill must not be either. */
function withoutAnswers(pkg: AgentPackage, path: string): AgentPackage {
  const own = slashed(relative(pkg.root, path));
  const folder = /^evals?$/.test(basename(dirname(path))) ? slashed(relative(pkg.root, dirname(path))) : null;
  const isAnswer = (it: string) =>
    it === own || it === folder || (folder && it.startsWith(`${folder}/`)) || isEvalFileName(basename(it));
  return { ...pkg, files: new Map([...pkg.files].filter(([it]) => !isAnswer(it))) };
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
