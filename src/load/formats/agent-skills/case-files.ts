/** The files that a case gives to its agent. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { CaseFile } from '../../../model/case.ts';
import { normalizePath, pathProblem } from '../../../model/names.ts';
import { readTextNow } from '../../read-text.ts';
import { statsOf } from '../../stats-of.ts';
import type { AnswerTest } from './answers.ts';
import type { SkillPlace } from './skill-place.ts';

export type FilesFound =
  /** `leftOut`: paths in a folder that hold answers. */
  { readonly files: readonly CaseFile[]; readonly leftOut: readonly string[] } | { readonly problem: string };

const MAX_FILES = 10_000;

/** In the order in which a path is looked for. */
function rootsOf({ skill, home, evalsDir, repository }: SkillPlace): string[] {
  const roots = [
    skill ?? home,
    evalsDir,
    join(evalsDir, 'files'),
    join(evalsDir, 'fixtures'),
    home,
    repository,
  ];
  return [...new Set(roots)];
}

/** A file, or all files of a folder, under the path that is written. What holds answers is in none of them. */
export function findFiles(written: string, place: SkillPlace, isAnswer: AnswerTest): FilesFound {
  if (written.startsWith('~')) return { problem: 'is in somebody’s home folder' };
  const problem = pathProblem(written);
  if (problem) return { problem };
  const to = normalizePath(written);
  if (to === '') return { problem: 'is the whole folder, with its evals: name the files and folders in it' };
  const from = rootsOf(place)
    .map((root) => join(root, to))
    .find((path) => statsOf(path) !== undefined);
  if (from === undefined) return { problem: 'does not exist' };
  const real = realpathSync(from);
  if (!isInside(real, place)) return { problem: 'links to something outside the repository' };
  if (isAnswer(real)) return { problem: HOLDS_ANSWERS };
  const stats = statSync(real);
  if (stats.isFile()) return { files: [{ from: real, to }], leftOut: [] };
  if (!stats.isDirectory()) return { problem: 'is neither a file nor a folder' };
  const files = filesBelow(real, to);
  if (files.length > MAX_FILES) return { problem: `has more than ${MAX_FILES} files` };
  if (files.length === 0) return { problem: 'is a folder without files' };
  const shown = files.filter((it) => !isAnswer(it.from));
  if (shown.length === 0) return { problem: HOLDS_ANSWERS };
  return { files: shown, leftOut: files.filter((it) => isAnswer(it.from)).map((it) => it.to) };
}

const HOLDS_ANSWERS = 'holds answers, so no agent may get it';

/** The file that holds a prompt. */
export function findText(
  written: string,
  place: SkillPlace,
  isAnswer: AnswerTest,
): { readonly text: string; readonly path: string } | { readonly problem: string } {
  const problem = pathProblem(written);
  if (problem) return { problem };
  const roots = [join(place.evalsDir, 'prompts'), place.evalsDir, ...rootsOf(place)];
  for (const path of roots.map((root) => join(root, normalizePath(written)))) {
    if (!statsOf(path)?.isFile()) continue;
    const real = realpathSync(path);
    if (!isInside(real, place)) continue;
    if (isAnswer(real)) return { problem: HOLDS_ANSWERS };
    const read = readTextNow('/', real);
    if ('problem' in read) return { problem: read.problem.message };
    const { text } = read;
    return text.trim() === '' ? { problem: 'is empty' } : { text, path: real };
  }
  return { problem: 'does not exist' };
}

function isInside(real: string, { skill, home, repository }: SkillPlace): boolean {
  return [skill ?? home, home, repository].some((root) => {
    const top = realpathSync(root);
    return real === top || real.startsWith(top + sep);
  });
}

/** Links in a folder are left out: they may lead anywhere. */
function filesBelow(dir: string, to: string): { from: string; to: string }[] {
  const found: { from: string; to: string }[] = [];
  const walk = (path: string) => {
    for (const entry of readdirSync(join(dir, path), { withFileTypes: true })) {
      const inner = path ? `${path}/${entry.name}` : entry.name;
      if (found.length > MAX_FILES) return;
      if (entry.isDirectory() && entry.name !== '.git') walk(inner);
      else if (entry.isFile()) found.push({ from: join(dir, inner), to: `${to}/${inner}` });
    }
  };
  walk('');
  return found.sort((a, b) => (a.to < b.to ? -1 : 1));
}
