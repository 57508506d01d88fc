/** What the words and targets of `aam eval` mean. */
import { join, parse } from 'node:path';
import { UserError } from '../model/errors.ts';

/** A word with a slash or the ending of a data file is a path; every other one names a case. */
export function readArguments(words: readonly string[]): {
  readonly path: string | null;
  readonly cases: readonly string[];
} {
  const paths = words.filter(isPath);
  const [path = null, another] = paths;
  if (another !== undefined)
    throw new UserError(
      `one eval source at a time, not ${paths.join(' and ')}`,
      'run aam eval once for each',
    );
  return { path, cases: words.filter((word) => !isPath(word)) };
}

function isPath(word: string): boolean {
  return word === '.' || word === '..' || word.includes('/') || /\.(?:jsonl?|ya?ml|toml)$/i.test(word);
}

/** `kind:name` chooses cases; a single word names a target or an agent to run. */
export function readTargets(written: readonly string[]): {
  readonly agents: readonly string[];
  readonly targets: readonly string[];
} {
  return {
    agents: written.filter((it) => !it.includes(':')),
    targets: written.filter((it) => it.includes(':')),
  };
}

/** Each target has a file of its own: `report.json` → `report.my-target.json`. */
export function ofTarget(path: string, target: string): string {
  const { dir, base } = parse(path);
  const [, name = base, ext = ''] = /^(.+?)((?:\.tar)?\.[^.]+)$/.exec(base) ?? [];
  return join(dir, `${name}.${target.replaceAll(/[^\w.-]+/g, '-')}${ext}`);
}
