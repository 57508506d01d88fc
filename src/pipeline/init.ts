/** `aam init`: makes a new package on disk, whole or not at all. */
import { lstat, mkdir, open, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../model/errors.ts';
import { MANIFEST_FILES, manifest } from '../model/manifest.ts';
import { artifactName } from '../model/names.ts';
import type { ScaffoldOptions } from '../package/scaffold/draft.ts';
import { packageSlug, slug } from '../package/scaffold/slug.ts';
import { type ScaffoldFile, scaffold } from '../package/scaffold.ts';

export type InitAnswers = Omit<ScaffoldOptions, 'schemas'>;

export interface InitResult {
  readonly root: string;
  readonly name: string;
  /** Relative to the root, in the order they were written. */
  readonly files: readonly string[];
  /** Files that were there already and serve as well. */
  readonly kept: readonly string[];
}

export const INIT_DEFAULTS = {
  description: 'Counts the words of text files exactly, and keeps agents from writing to protected files.',
  skill: 'text-stats',
  engine: 'claude-code',
} as const satisfies Omit<InitAnswers, 'name'>;

/** The folder a new package is meant for, after making sure that it can take one. */
export async function prepareInit(cwd: string, path: string): Promise<{ root: string; folderName: string }> {
  if (!(await stat(cwd).catch(() => null))?.isDirectory()) throw new UserError(`${cwd} is not a folder`);
  const root = resolve(cwd, path);
  await telling(root, () => refusePackage(root, path));
  return { root, folderName: slug(basename(root)) };
}

async function refusePackage(root: string, path: string): Promise<void> {
  const stats = await stat(root).catch(() => null);
  if (stats && !stats.isDirectory()) throw new UserError(`${path} is a file, not a folder`);
  for (const name of MANIFEST_FILES) {
    if (await exists(join(root, name))) {
      throw new UserError(
        `${path === '.' ? 'this folder' : path} is a package already: it has a ${name}`,
        'look for mistakes in it:  aam validate',
        'or make a new one elsewhere:  aam init path/to/package',
      );
    }
  }
}

/** What is wrong with an answer, and the nearest one that is right; null when nothing is. */
export function problemWith(
  field: 'name' | 'skill' | 'description',
  value: string,
): { readonly rule: string; readonly suggestion: string } | null {
  const parsed =
    field === 'skill'
      ? artifactName.safeParse(value)
      : manifest.safeParse({ name: 'a', version: '0.1.0', [field]: value });
  const rule = parsed.error?.issues[0]?.message;
  if (rule === undefined) return null;
  if (field === 'description') return { rule, suggestion: '' };
  if (field === 'skill') return { rule, suggestion: slug(value) };
  return { rule: `${rule}; the name begins with a letter`, suggestion: packageSlug(value) };
}

export async function initPackage(
  root: string,
  answers: InitAnswers,
  signal: AbortSignal,
): Promise<InitResult> {
  return telling(root, async () => {
    const all = scaffold({ ...answers, schemas: await findSchemas(root) });
    const kept = await existing(
      root,
      all.filter(({ optional }) => optional),
    );
    const files = all.filter(({ path }) => !kept.includes(path));
    await refuseExisting(root, files);
    await writeAll(root, files, signal);
    return { root, name: answers.name, files: files.map(({ path }) => path), kept };
  });
}

/** The schemas of the aam that the surrounding project has installed, as seen from the package's root. */
async function findSchemas(root: string): Promise<string | null> {
  for (let dir = root; dir !== dirname(dir); dir = dirname(dir)) {
    if (!(await exists(join(dir, 'package.json')))) continue;
    const schemas = join(dir, 'node_modules/aam/schema');
    return (await exists(schemas)) ? relative(root, schemas).split(sep).join('/') : null;
  }
  return null;
}

async function refuseExisting(root: string, files: readonly ScaffoldFile[]): Promise<void> {
  const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const inTheWay: string[] = [];
  for (const folder of folders) {
    const stats = await lstat(join(root, folder)).catch(ifMissing);
    if (stats && !stats.isDirectory()) inTheWay.push(`${folder} (not a folder)`);
  }
  inTheWay.push(...(await existing(root, files)));
  if (inTheWay.length === 0) return;
  throw new UserError(
    'init never overwrites, and these are in the way:',
    ...inTheWay.map((path) => `  ${path}`),
    'move them, or make the package in a new folder:  aam init path/to/package',
  );
}

async function existing(root: string, files: readonly ScaffoldFile[]): Promise<string[]> {
  const found: string[] = [];
  for (const { path } of files) if (await exists(join(root, path))) found.push(path);
  return found;
}

/** `a/b/c.txt` → `a`, `a/b`. */
function foldersOf(path: string): string[] {
  const steps = path.split('/').slice(0, -1);
  return steps.map((_, index) => steps.slice(0, index + 1).join('/'));
}

async function writeAll(root: string, files: readonly ScaffoldFile[], signal: AbortSignal): Promise<void> {
  const undo: (() => Promise<void>)[] = [];
  try {
    for (const { path, text, executable } of files) {
      signal.throwIfAborted();
      const target = join(root, path);
      await makeFolder(dirname(target), undo);
      await using file = await open(target, 'wx', executable ? 0o755 : 0o644);
      undo.push(() => rm(target));
      await file.writeFile(text);
    }
  } catch (error) {
    for (const step of undo.reverse()) await step().catch(() => undefined);
    throw error;
  }
}

async function makeFolder(path: string, undo: (() => Promise<void>)[]): Promise<void> {
  if (await exists(path)) return;
  await makeFolder(dirname(path), undo);
  await mkdir(path);
  // Not recursive: what someone else put there meanwhile stays.
  undo.push(() => rmdir(path));
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(ifMissing)) !== null;
}

/** Below a file there is nothing either. */
function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

/** What the disk refuses is for the user to mend, so it is told and not thrown as a bug. */
async function telling<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const { message, path } = error as NodeJS.ErrnoException;
    const [reason = ''] = message.split(',');
    throw new UserError(
      `the package cannot be written: ${reason}`,
      `at ${path ?? root}; nothing was left behind`,
    );
  }
}
