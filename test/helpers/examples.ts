/** The examples as a clone has them. */
import { cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { EXAMPLES } from './example-scripts/index.ts';

/** Without what runs have left there. */
export async function copyExample(name: string, to: string): Promise<void> {
  const from = join(EXAMPLES, name);
  const isOfRun = (path: string) => /^(?:\.aam|evals\/reports)(?:\/|$)/.test(relative(from, path));
  await cp(from, to, { recursive: true, filter: (path) => !isOfRun(path) });
}
