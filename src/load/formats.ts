/** The formats of eval files there are. A package with `evals/cases/` is read by `formats/uaaps`. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beginningOf } from './beginning.ts';
import type { RECOGNISERS } from './eval-files.ts';
import type { Format } from './format.ts';
import { agentSkills } from './formats/agent-skills/format.ts';

export const FORMATS = {
  'agent-skills': agentSkills,
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

/** The eval file that a folder has by the usual names; null: none. */
export async function usualFile(folder: string): Promise<string | null> {
  for (const path of Object.values(FORMATS).flatMap(({ usualFiles }) => usualFiles)) {
    const file = join(folder, path);
    if ((await stat(file).catch(() => null))?.isFile()) return file;
  }
  return null;
}
