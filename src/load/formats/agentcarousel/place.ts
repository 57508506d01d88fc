/** Where a fixture stands, and what else its paths may be relative to. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { normalizePath, pathProblem } from '../../../model/names.ts';
import { KEEPERS } from '../../keepers.ts';
import { readTextNow } from '../../read-text.ts';
import { statsOf } from '../../stats-of.ts';
import { isInstallable } from '../agent-skills/skill-place.ts';

export interface FixturePlace {
  /** The fixture's own folder first, then those above it, up to the root of the repository. */
  readonly folders: readonly [string, ...string[]];
  /** The nearest folder called `mocks`; null: there is none. */
  readonly mocks: string | null;
}

/** Without a repository: `fixtures/<skill>/cases.yaml` has its mocks and goldens two folders above. */
const LEVELS = 2;

export function placeFixture(file: string): FixturePlace {
  const folders = foldersOf(dirname(file));
  const mocks = folders.map((dir) => join(dir, 'mocks')).find(isFolder);
  return { folders, mocks: mocks ?? null };
}

function foldersOf(start: string): [string, ...string[]] {
  const above: string[] = [];
  for (let dir = start; dir !== dirname(dir); dir = dirname(dir)) {
    if (existsSync(join(dir, '.git'))) return [start, ...above];
    above.push(dirname(dir));
  }
  const known = above.slice(0, LEVELS).filter((dir) => dir !== dirname(dir));
  return [start, ...known];
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

/** The folder of what is under test: around the fixture, or where skills usually are; null: there is none. */
export function findSubject(name: string | null, { folders }: FixturePlace): string | null {
  const usual =
    name === null ? [] : ['skills', '.claude/skills', '.agents/skills', '.'].map((it) => join(it, name));
  const below = folders.flatMap((folder) => usual.map((path) => join(folder, path)));
  return [...folders, ...below].find(isInstallable) ?? null;
}

export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  /** The folder that the written path is relative to. */
  readonly folder: string;
}

/** The first that is there; null: none is. Links must not lead out of these folders. */
export function findFile(written: string, { folders }: FixturePlace): FoundFile | null {
  if (pathProblem(written) || written.split('/').some((part) => KEEPERS.has(part))) return null;
  for (const folder of folders) {
    const path = join(folder, normalizePath(written));
    if (!statsOf(path)?.isFile()) continue;
    const real = realpathSync(path);
    if (folders.some((it) => real.startsWith(realpathSync(it) + sep))) return { path, folder };
  }
  return null;
}

/** The text of a file that was found; null: it is too large, or no text. */
export function textOf({ path }: FoundFile): string | null {
  const read = readTextNow('/', path);
  return 'text' in read ? read.text : null;
}
