/** Gives a command its own copy of what it may change, without touching the package. */
import { constants, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeTree } from '../host/remove.ts';
import type { Mount, Sandbox } from './sandbox.ts';

/** Where a package stands inside a sandbox. */
const PACKAGE_ROOT = '/package';

/** Large folders of tools: shared read-only instead of copied. */
const SHARED = new Set(['node_modules', '.venv', '.git', '.aam', '.agent-packages']);

/** File times advance in steps of up to 10 ms: a change within the same step as the copy would go unseen. */
const CLOCK_STEP_MS = 12;

export interface StageRequest {
  /** Absolute path of the package. */
  readonly package: string;
  /** The part that is copied and may be written, '' for all. New files at the package's root may be written too. */
  readonly focus: string;
  /** A folder that is left out, relative to the package. */
  readonly hidden: string;
}

export interface Stage {
  readonly mounts: readonly Mount[];
  /** The package's root as commands see it. */
  readonly root: string;
}

interface Slot extends Stage {
  readonly key: string;
  readonly dir: string;
  readonly pristine: string | null;
}

/** Copies of packages that are reused as long as nobody changed them. */
export class StagePool {
  readonly #sandbox: Sandbox;
  /** An existing folder; the caller removes it in the end. */
  readonly #scratch: string;
  readonly #idle = new Map<string, Slot[]>();

  constructor(sandbox: Sandbox, scratch: string) {
    this.#sandbox = sandbox;
    this.#scratch = scratch;
  }

  /** Lends a pristine copy for the time of `use`. */
  async lend<Result>(request: StageRequest, use: (stage: Stage) => Promise<Result>): Promise<Result> {
    const key = JSON.stringify([request.package, request.focus]);
    const slot = this.#idle.get(key)?.pop() ?? (await this.#create(request, key));
    let changed = true;
    try {
      const result = await use(slot);
      changed = fingerprint(slot.dir) !== slot.pristine;
      return result;
    } finally {
      if (changed) await removeTree(slot.dir);
      else this.#idle.set(key, [...(this.#idle.get(key) ?? []), slot]);
    }
  }

  async #create(request: StageRequest, key: string): Promise<Slot> {
    const dir = await mkdtemp(join(this.#scratch, 'stage-'));
    const stage = await layOut(this.#sandbox, request, dir);
    await sleep(CLOCK_STEP_MS);
    return { ...stage, key, dir, pristine: fingerprint(dir) };
  }
}

async function layOut(sandbox: Sandbox, request: StageRequest, dir: string): Promise<Stage> {
  const { package: packageRoot, focus } = request;
  const rootDir = join(dir, 'package');
  const top: Mount = { from: rootDir, to: PACKAGE_ROOT, mode: 'rw' };
  const root = sandbox.seenAt(top);
  const hidden = join(packageRoot, request.hidden);
  if (!sandbox.isolatesFiles) {
    await copyTree(packageRoot, rootDir, hidden, (from, to) => symlink(from, to));
    return { mounts: [top], root };
  }

  const mounts: Mount[] = [top];
  const share = async (from: string, to: string) => {
    await mkdir(to);
    mounts.push({ from, to: from.replace(packageRoot, PACKAGE_ROOT), mode: 'ro' });
  };
  if (focus === '') {
    await copyTree(packageRoot, rootDir, hidden, share);
    return { mounts, root };
  }
  await mkdir(rootDir);
  for (const entry of await readdir(packageRoot, { withFileTypes: true })) {
    if (entry.isDirectory()) await share(join(packageRoot, entry.name), join(rootDir, entry.name));
    else await copyEntry(entry, packageRoot, rootDir, hidden, share);
  }
  const copy = join(dir, 'focus');
  mounts.push({ from: copy, to: `${PACKAGE_ROOT}/${focus}`, mode: 'rw' });
  await copyTree(join(packageRoot, focus), copy, hidden, share);
  return { mounts, root };
}

type Share = (from: string, to: string) => Promise<void>;

async function copyTree(from: string, to: string, hidden: string, share: Share): Promise<void> {
  await mkdir(to);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(entries.map((entry) => copyEntry(entry, from, to, hidden, share)));
}

async function copyEntry(
  entry: Dirent,
  fromDir: string,
  toDir: string,
  hidden: string,
  share: Share,
): Promise<void> {
  const from = join(fromDir, entry.name);
  const to = join(toDir, entry.name);
  if (from === hidden) return;
  if (entry.isDirectory() && SHARED.has(entry.name)) await share(from, to);
  else if (entry.isDirectory()) await copyTree(from, to, hidden, share);
  else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
}

/** Changes whenever anything below the folder was touched: the kernel sets these times, no program can. */
function fingerprint(dir: string): string | null {
  const parts: string[] = [];
  const visit = (path: string) => {
    const { ino, ctimeMs, size } = lstatSync(path);
    parts.push(`${ino} ${ctimeMs} ${size}`);
  };
  const walk = (folder: string) => {
    visit(folder);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else visit(path);
    }
  };
  try {
    walk(dir);
  } catch {
    // A folder that was locked, or is gone: not what it was.
    return null;
  }
  return parts.join('\n');
}
