/** Finds what eval files name by path, and what of it an agent may be given. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CaseFile } from '../../../model/case.ts';
import { normalizePath } from '../../../model/names.ts';
import { KEEPERS } from '../../keepers.ts';
import { statsOf } from '../../stats-of.ts';
import type { AnswerTest } from './answers.ts';
import type { Doc } from './part.ts';
import type { Place } from './place.ts';

const MAX_FILES = 10_000;

/** Absolute path of what is written in a document; null: there is no such thing. */
export function findPath(written: string, { folders }: Doc, place: Place): string | null {
  return candidates(written, folders, place).find((path) => statsOf(path) !== undefined) ?? null;
}

/** Where it would be, if it were there. */
export function expectedPath(written: string, { folders }: Doc): string {
  return resolve(folders[0] ?? '/', plainPath(written));
}

function candidates(written: string, folders: readonly string[], { top }: Place): string[] {
  const path = plainPath(written);
  if (path === '' || path.includes('\0')) return [];
  // A leading slash means the root of the repository, as other tools have it.
  if (isAbsolute(path)) return [join(top, path), path];
  return [...folders, top].map((folder) => resolve(folder, path));
}

function plainPath(written: string): string {
  if (!written.startsWith('file:')) return written;
  try {
    return written.startsWith('file:///') ? fileURLToPath(written) : written.replace(/^file:(?:\/\/)?/, '');
  } catch {
    return written;
  }
}

export const HOLDS_ANSWERS = 'holds answers, so no agent may get it';

export type Given = { readonly file: CaseFile } | { readonly problem: string };

/** A file for the workspace, under the path that is written, without the steps upward. */
export function givenFile(written: string, doc: Doc, place: Place, isAnswer: AnswerTest): Given {
  if (written.startsWith('~')) return { problem: 'is in somebody’s home folder' };
  const found = findPath(written, doc, place);
  if (found === null) return { problem: 'does not exist' };
  const real = realpathSync(found);
  if (!isInside(real, place)) return { problem: `is outside ${place.top}` };
  if (isKept(real, place.top)) return { problem: 'is of git or of aam, not of the project' };
  if (isAnswer(real)) return { problem: HOLDS_ANSWERS };
  if (!statSync(real).isFile()) return { problem: 'is not a file' };
  return { file: { from: real, to: workspacePath(plainPath(written)) } };
}

function isKept(real: string, top: string): boolean {
  return relative(realpathSync(top), real)
    .split(sep)
    .some((part) => KEEPERS.has(part));
}

function workspacePath(path: string): string {
  const parts = normalizePath(path.replaceAll('\\', '/')).split('/');
  return parts.filter((part) => part !== '..').join('/');
}

export interface Below {
  readonly files: readonly { readonly from: string; readonly to: string }[];
  /** Links, which are left out: they may lead anywhere. */
  readonly links: readonly string[];
  readonly isCut: boolean;
}

/** All files of a folder but those of git. */
export function filesBelow(dir: string): Below {
  const files: { from: string; to: string }[] = [];
  const links: string[] = [];
  const walk = (path: string) => {
    for (const entry of readdirSync(join(dir, path), { withFileTypes: true })) {
      if (files.length > MAX_FILES) return;
      const inner = path ? `${path}/${entry.name}` : entry.name;
      if (entry.isDirectory() && entry.name !== '.git') walk(inner);
      else if (entry.isFile()) files.push({ from: join(dir, inner), to: inner });
      else if (entry.isSymbolicLink()) links.push(inner);
    }
  };
  walk('');
  files.sort((a, b) => (a.to < b.to ? -1 : 1));
  return { files, links, isCut: files.length > MAX_FILES };
}

export function isInside(path: string, { top }: Place): boolean {
  const root = realpathSync(top);
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

export function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}
