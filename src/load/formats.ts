/** The formats of eval files there are. A package with `evals/cases/` is read by `formats/uaaps`. */
import { closeSync, openSync, readSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Format } from './format.ts';
import { agentSkills } from './formats/agent-skills/format.ts';
import { agentCarousel } from './formats/agentcarousel/format.ts';

export const FORMATS = {
  'agent-skills': agentSkills,
  agentcarousel: agentCarousel,
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

const BEGINNING = 64 * 1024;

/** The format of a file; null: of none. */
export function formatOf(file: string): FormatName | null {
  const text = beginningOf(file);
  if (text === null) return null;
  const names = Object.keys(FORMATS) as FormatName[];
  return names.find((name) => FORMATS[name].recognises(file, text)) ?? null;
}

/** The eval file that a folder has by the usual names; null: none. */
export async function usualFile(folder: string): Promise<string | null> {
  for (const path of Object.values(FORMATS).flatMap(({ usualFiles }) => usualFiles)) {
    const file = join(folder, path);
    if ((await stat(file).catch(() => null))?.isFile() && formatOf(file) !== null) return file;
  }
  return null;
}

function beginningOf(file: string): string | null {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(BEGINNING);
      return bytes.subarray(0, readSync(descriptor, bytes)).toString('utf8');
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return null;
  }
}
