/** What a run is of: results of two processes belong together only when all of it is the same. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case } from '../model/case.ts';
import type { AgentPackage } from '../model/package.ts';
import type { RunIdentity } from '../model/run.ts';
import { packageCopy } from '../package/install.ts';
import type { EvalPlan } from './eval-plan.ts';

interface Seen {
  /** What the run installs from. */
  readonly packageCopy: string;
  readonly aamVersion: string;
  readonly engineVersion: string | null;
}

export async function identityOf(plan: EvalPlan, seen: Seen): Promise<RunIdentity> {
  const { trials, engineName, settings } = plan;
  const { env, ...others } = settings;
  const values = Object.entries(env).map(([name, value]) => [name, shortHash(value)]);
  return {
    aamVersion: seen.aamVersion,
    engine: { name: engineName, version: seen.engineVersion },
    ...(await hashPackage(plan.pkg, seen.packageCopy)),
    cases: Object.fromEntries(trials.map(({ case: it }) => [it.name, caseIdentity(it, plan)])),
    // Prices decide nothing.
    settings: JSON.parse(JSON.stringify({ ...others, prices: null, env: Object.fromEntries(values) })),
    trials: trials.length,
  };
}

/** What a mock answers is no part of the case itself, and still all that a run with it is of. */
function caseIdentity({ hash, mock }: Case, { engine }: EvalPlan): string {
  return engine.id === 'mock' && mock ? shortHash(`${hash}${JSON.stringify(mock)}`) : hash;
}

/** What is different, in the words of the one who changed it; empty: it is the same run. */
export function differences(before: RunIdentity, now: RunIdentity): string[] {
  const config = Object.keys({ ...before.settings, ...now.settings })
    .filter((key) => key !== 'env')
    .filter((key) => !isSame(before.settings[key], now.settings[key]))
    .map(
      (key) =>
        `the setting ${settingName(key)} was ${shown(before.settings[key])} and is ${shown(now.settings[key])}`,
    );
  return [
    ...(before.aamVersion === now.aamVersion
      ? []
      : [`aam itself: it was version ${before.aamVersion} and is ${now.aamVersion}`]),
    ...config,
    ...changes(objectAt(before.settings, 'env'), objectAt(now.settings, 'env'), 'the variable'),
    ...(before.engine.name === now.engine.name && before.engine.version !== now.engine.version
      ? [`${now.engine.name}: it was version ${before.engine.version} and is ${now.engine.version}`]
      : []),
    ...changes(before.cases, now.cases, 'the case'),
    ...packageChanges(before, now),
    ...(before.trials === now.trials
      ? []
      : [`the number of trials: it was ${before.trials} and is ${now.trials}`]),
  ];
}

/** Beyond this a package is written down by its folders. */
const MAX_FILES = 2000;

/** Of names and contents of all that is installed. Folders of tools are named, not read. */
async function hashPackage(pkg: AgentPackage, copy: string): Promise<Pick<RunIdentity, 'package' | 'files'>> {
  const all = createHash('sha256');
  const contents = new Map<string, string>();
  for (const path of packageCopy(pkg)) {
    const isFile = pkg.files.get(path)?.kind === 'file';
    const content = isFile ? await readFile(join(copy, path)).catch(() => null) : '';
    // Not everything is copied: what gives answers away is left out.
    if (content === null) continue;
    all.update(`${path}\0`);
    const digest = createHash('sha256').update(content).digest();
    if (isFile) all.update(digest);
    contents.set(path, digest.toString('hex').slice(0, HASH_DIGITS));
  }
  return { package: `sha256:${all.digest('hex')}`, files: byFolder(contents) };
}

const HASH_DIGITS = 16;

function byFolder(contents: ReadonlyMap<string, string>): Record<string, string> {
  if (contents.size <= MAX_FILES) return Object.fromEntries(contents);
  const folders = new Map<string, string>();
  for (const [path, hash] of contents) {
    const folder = path.split('/').slice(0, 2).join('/');
    folders.set(folder, shortHash(`${folders.get(folder) ?? ''}${path}\0${hash}`));
  }
  return Object.fromEntries(folders);
}

function packageChanges(before: RunIdentity, now: RunIdentity): string[] {
  if (before.package === now.package) return [];
  const named = changes(before.files, now.files, 'the package’s file');
  return named.length > 0 ? named : ['the package'];
}

type Hashes = Readonly<Record<string, unknown>>;

function changes(before: Hashes, now: Hashes, what: string): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) => {
    if (!Object.hasOwn(now, name)) return [`${what} ${name} is gone`];
    if (!Object.hasOwn(before, name)) return [`${what} ${name} is new`];
    return isSame(before[name], now[name]) ? [] : [`${what} ${name} has changed`];
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function objectAt(settings: RunIdentity['settings'], key: string): Hashes {
  const value = settings[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

const SETTING_NAMES: Readonly<Record<string, string>> = {
  timeoutSeconds: 'timeout',
  network: 'sandbox.network',
  writablePaths: 'sandbox.writable-paths',
};

function settingName(key: string): string {
  return SETTING_NAMES[key] ?? key;
}

const SHOWN_LENGTH = 60;

function shown(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}
