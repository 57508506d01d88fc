/** Finds the package that a path means. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../model/errors.ts';
import { MANIFEST_FILES } from '../model/manifest.ts';

const NEVER_ENTERED = new Set(['node_modules', '.git', '.agent-packages', '.aam', '.venv']);

export interface Discovered {
  readonly root: string;
  /** Part of the package that was asked for, relative to its root; '' for the whole. */
  readonly part: string;
  /** A folder with a SKILL.md between the two, which need not be a skill of this package. */
  readonly skill: string | null;
}

/** The package at `path`, or the nearest one above it; failing that, a bare skill. */
export async function discoverPackage(path: string, cwd: string): Promise<Discovered> {
  const absolute = resolve(cwd, path);
  const stats = await stat(absolute).catch(() => null);
  if (!stats)
    throw new UserError(`${path} does not exist`, 'give the folder of a package, or a file inside one');

  const start = stats.isDirectory() ? absolute : dirname(absolute);
  const skill = await nearestWith(start, ['SKILL.md']);
  const root = (await nearestWith(start, MANIFEST_FILES)) ?? skill;
  if (root === null) {
    throw new UserError(
      `${path} is not a package: there is no package.agent.json and no SKILL.md here or above`,
      'make one:  aam init',
      'or say where it is:  -C path/to/package',
    );
  }
  const nearer = skill !== null && skill.length > root.length ? skill : null;
  return { root, part: relative(root, absolute).split(sep).join('/'), skill: nearer };
}

/** Every package below a folder, itself included. */
export async function discoverWorkspace(path: string, cwd: string): Promise<string[]> {
  const root = resolve(cwd, path);
  if (!(await stat(root).catch(() => null))?.isDirectory()) throw new UserError(`${path} is not a folder`);
  const found: string[] = [];
  await walk(root, 0, false);
  if (found.length === 0) {
    throw new UserError(
      `there is no package below ${path}`,
      'a package is a folder with a package.agent.json or a SKILL.md',
    );
  }
  return found.sort();

  /** A SKILL.md outside every package is a package of its own. */
  async function walk(dir: string, depth: number, inPackage: boolean): Promise<void> {
    const children = await readdir(dir, { withFileTypes: true }).catch(() => []);
    const has = (names: readonly string[]) => children.some((child) => names.includes(child.name));
    const isPackage = has(MANIFEST_FILES) || (!inPackage && has(['SKILL.md']));
    if (isPackage) found.push(dir);
    const folders = children.filter((child) => child.isDirectory() && !NEVER_ENTERED.has(child.name));
    if (depth < 32)
      await Promise.all(
        folders.map((child) => walk(join(dir, child.name), depth + 1, inPackage || isPackage)),
      );
  }
}

async function nearestWith(start: string, names: readonly string[]): Promise<string | null> {
  for (let dir = start; ; dir = dirname(dir)) {
    const children = await readdir(dir).catch((): string[] => []);
    if (names.some((name) => children.includes(name))) return dir;
    if (dir === dirname(dir)) return null;
  }
}
