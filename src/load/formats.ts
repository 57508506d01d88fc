/** The formats of eval files there are. A package with `evals/cases/` is read by `formats/uaaps`. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../model/errors.ts';
import { beginningOf } from './beginning.ts';
import type { RECOGNISERS } from './eval-files.ts';
import type { Format } from './format.ts';
import { agentSkills } from './formats/agent-skills/format.ts';
import { agentCarousel } from './formats/agentcarousel/format.ts';
import { agentv } from './formats/agentv/format.ts';

export const FORMATS = {
  'agent-skills': agentSkills,
  agentcarousel: agentCarousel,
  agentv,
} as const satisfies Record<keyof typeof RECOGNISERS, Format>;

export type FormatName = keyof typeof FORMATS;

const BEGINNING = 64 * 1024;

/** The format of a file; null: of none. */
export function formatOf(file: string): FormatName | null {
  const text = beginningOf(file, BEGINNING)?.toString() ?? null;
  if (text === null) return null;
  const names = Object.keys(FORMATS) as FormatName[];
  return names.find((name) => FORMATS[name].recognises(file, text)) ?? null;
}

/** The eval file that a folder has by the usual names; null: none. Throws a UserError where several could be meant. */
export async function usualFile(folder: string): Promise<string | null> {
  for (const path of Object.values(FORMATS).flatMap(({ usualFiles }) => usualFiles)) {
    const [found, another] = await filesAt(folder, path);
    if (another !== undefined)
      throw new UserError(
        `${folder} has several eval files: ${path} is ${basename(String(found))} and ${basename(another)}`,
        'name one of them:  aam eval path/to/file',
      );
    if (found !== undefined) return found;
  }
  return null;
}

/** Whether a path, relative to a folder, is one of the usual ones: a `*` stands for any part of a file's name. */
export function isUsual(path: string, usual: string): boolean {
  const pattern = usual.split('*').map((part) => part.replaceAll(/[.+]/g, '\\$&'));
  return new RegExp(`^${pattern.join('[^/]*')}$`).test(path);
}

async function filesAt(folder: string, usual: string): Promise<string[]> {
  if (!usual.includes('*')) {
    const file = join(folder, usual);
    const isFile = (await stat(file).catch(() => null))?.isFile() === true;
    return isFile && formatOf(file) !== null ? [file] : [];
  }
  const entries = await readdir(join(folder, dirname(usual)), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((it) => it.isFile() && isUsual(it.name, basename(usual)))
    .map((it) => join(folder, dirname(usual), it.name))
    .sort();
}
