/** Where the skill of an eval file is, and what else its paths may be relative to. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MANIFEST_FILES } from '../../../model/manifest.ts';
import { statsOf } from '../../stats-of.ts';

export interface SkillPlace {
  readonly evalsDir: string;
  /** The folder that has the evals folder, or the eval file itself. */
  readonly home: string;
  /** The repository around it; where there is none, the same as `home`. */
  readonly repository: string;
  /** A folder with a SKILL.md or a package's manifest; null: there is none. */
  readonly skill: string | null;
}

export function placeSkill(file: string, skillName: string | null): SkillPlace {
  const evalsDir = dirname(file);
  const home = /^evals?$/.test(basename(evalsDir)) ? dirname(evalsDir) : evalsDir;
  const repository = repositoryOf(home) ?? home;
  const above = foldersUpTo(evalsDir, repository).find(isInstallable);
  return { evalsDir, home, repository, skill: above ?? below(home, repository, skillName) };
}

function repositoryOf(start: string): string | null {
  for (let dir = start; ; dir = dirname(dir)) {
    if (existsSync(join(dir, '.git'))) return dir;
    if (dir === dirname(dir)) return null;
  }
}

function foldersUpTo(start: string, last: string): string[] {
  const folders: string[] = [];
  for (let dir = start; ; dir = dirname(dir)) {
    folders.push(dir);
    if (dir === last || dir === dirname(dir)) return folders;
  }
}

export function isInstallable(dir: string): boolean {
  return ['SKILL.md', ...MANIFEST_FILES].some((name) => statsOf(join(dir, name))?.isFile());
}

/** Repositories often keep their skills in a folder of their own, beside the evals. */
function below(home: string, repository: string, skillName: string | null): string | null {
  const named = skillName !== null && /^[\w][\w.-]*$/.test(skillName) ? skillName : null;
  const usual = [
    ...(named === null
      ? []
      : [`skills/${named}`, `.claude/skills/${named}`, `.agents/skills/${named}`, named]),
    'skill',
  ];
  const candidates = [...new Set([home, repository])].flatMap((root) =>
    usual.map((path) => join(root, path)),
  );
  return candidates.find(isInstallable) ?? null;
}
