/** Writes a file so that a reader sees the old one or the new one, never half. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { livenessOf, ownName } from '../host/owner.ts';
import { syncFolder } from '../host/sync-folder.ts';

export async function writeAtomically(path: string, text: string): Promise<void> {
  await withTemporary(path, text, (temporary) => rename(temporary, path));
}

/** Never replaces a file: the first free of `name.json`, `name-2.json`, `name-3.json`… Returns which. */
export async function writeNew(path: string, text: string): Promise<string> {
  const [, stem = path, ending = ''] = /^(.*?)(\.[^./]*)?$/.exec(path) ?? [];
  return withTemporary(path, text, async (temporary) => {
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? path : `${stem}-${number}${ending}`;
      const taken = await link(temporary, candidate).then(
        () => false,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
          return true;
        },
      );
      if (!taken) return candidate;
    }
  });
}

async function withTemporary<Result>(
  path: string,
  text: string,
  use: (temporary: string) => Promise<Result>,
): Promise<Result> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${ownName()}.${randomBytes(3).toString('hex')}.tmp`;
  try {
    {
      await using file = await open(temporary, 'wx');
      await file.writeFile(text);
      await file.sync();
    }
    const result = await use(temporary);
    // Until then a loss of power could bring back the old one.
    await syncFolder(dirname(path));
    return result;
  } finally {
    await rm(temporary, { force: true });
  }
}

const TEMPORARY = /\.([\d.a-f]+)\.[0-9a-f]{6}\.tmp$/;

/** Files in a folder that processes were writing when they were killed. */
export async function staleTemporaries(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((name) => livenessOf(TEMPORARY.exec(name)?.[1] ?? '') === 'dead')
    .map((name) => join(folder, name));
}

/** Step by step: on some file systems Node's own way of making several folders never ends. */
async function makeFolder(path: string): Promise<void> {
  if ((await stat(path).catch(() => null))?.isDirectory()) return;
  if (path !== dirname(path)) await makeFolder(dirname(path));
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Throws when nothing can be written there: better known before a run than after it. */
export async function checkWritable(path: string): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
  await access(folder, constants.W_OK);
  if ((await stat(path).catch(() => null))?.isDirectory()) throw new Error(`${path} is a folder`);
}
