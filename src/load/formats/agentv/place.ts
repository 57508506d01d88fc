/** Where an eval file stands, and the folders around it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placeSkill, type SkillPlace } from '../agent-skills/skill-place.ts';

export interface Place extends SkillPlace {
  /** Nothing outside it is given to an agent. */
  readonly top: string;
  /** From the eval file's folder up to `top`. */
  readonly upward: readonly string[];
}

export function placeEval(file: string): Place {
  const place = placeSkill(file, null);
  const top = existsSync(join(place.repository, '.git'))
    ? place.repository
    : (above(place.evalsDir, '.agentv') ?? dirname(place.home));
  return { ...place, top, upward: foldersUpTo(place.evalsDir, top) };
}

/** The nearest folder, from here upward, that has it. */
function above(start: string, name: string): string | null {
  for (let dir = start; ; dir = dirname(dir)) {
    if (existsSync(join(dir, name))) return dir;
    if (dir === dirname(dir)) return null;
  }
}

export function foldersUpTo(start: string, last: string): string[] {
  const folders = [start];
  for (let dir = start; dir !== last && dir !== dirname(dir); ) {
    dir = dirname(dir);
    folders.push(dir);
  }
  return folders;
}
