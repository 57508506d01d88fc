/** Finds programs. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Host } from '../model/host.ts';

/** The first program of this name on PATH. Relative entries are passed over: they depend on the working folder. */
export function which(name: string, env: Host['env']): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((dir) => dir.startsWith('/'));
  return folders.map((dir) => join(dir, name)).find(isProgram) ?? null;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A folder and all above it. */
export function ancestors(dir: string): string[] {
  return dir === dirname(dir) ? [dir] : [dir, ...ancestors(dirname(dir))];
}
