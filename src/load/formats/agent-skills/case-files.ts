/** The files that a case gives to its agent. */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { CaseFile } from '../../../model/case.ts';
import { normalizePath, pathProblem } from '../../../model/names.ts';
import type { SkillPlace } from './skill-place.ts';

export type FilesFound = { readonly files: readonly CaseFile[] } | { readonly problem: string };

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

/** A file, or all files of a folder, under the path that is written. `answers`: what no agent may see. */
export function findFiles(written: string, place: SkillPlace, answers: string): FilesFound {
  if (written.startsWith('~')) return { problem: 'is in somebody’s home folder' };
  const problem = pathProblem(written);
  if (problem) return { problem };
  const to = normalizePath(written);
  const from = rootsOf(place)
    .map((root) => join(root, to))
    .find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
  if (to === '' || from === undefined) return { problem: 'does not exist' };
  const real = realpathSync(from);
  if (real === realpathSync(answers)) return { problem: 'holds the answers' };
  if (!isInside(real, place)) return { problem: 'links to something outside the repository' };
  const stats = statSync(real);
  if (stats.isFile()) return { files: [{ from: real, to }] };
  if (!stats.isDirectory()) return { problem: 'is neither a file nor a folder' };
  const files = filesBelow(real, to);
  if (files.length > MAX_FILES) return { problem: `has more than ${MAX_FILES} files` };
  const shown = files.filter(({ from: path }) => path !== realpathSync(answers));
  return { files: shown };
}

export interface TextFound {
  readonly text: string;
  /** Absolute. */
  readonly path: string;
}

/** The file that holds a prompt, or null. */
export function findText(written: string, place: SkillPlace): TextFound | null {
  if (pathProblem(written)) return null;
  const roots = [join(place.evalsDir, 'prompts'), place.evalsDir, ...rootsOf(place)];
  for (const path of roots.map((root) => join(root, normalizePath(written)))) {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    if (isInside(realpathSync(path), place)) return { text: readFileSync(path, 'utf8'), path };
  }
  return null;
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
