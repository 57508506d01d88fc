/** Writes a file so that a reader sees the old one or the new one, never half. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A text, or the pieces of something that is too large for one. */
type Content = string | AsyncIterable<Uint8Array>;

export async function writeAtomically(path: string, content: Content): Promise<void> {
  await withTemporary(path, content, (temporary) => rename(temporary, path));
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
  content: Content,
  use: (temporary: string) => Promise<Result>,
): Promise<Result> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    {
      await using file = await open(temporary, 'wx');
      for await (const piece of typeof content === 'string' ? [content] : content)
        await file.writeFile(piece);
      await file.sync();
    }
    return await use(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
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
  if ((await stat(path).catch(() => null))?.isDirectory()) throw new Error(`${path} is a folder`);
  await tryToWrite(path);
}

/** Only an attempt tells: whoever is root is allowed to write even where nothing can be written. */
async function tryToWrite(path: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await (await open(temporary, 'wx')).close();
  } catch (error) {
    throw new Error((error as Error).message.replaceAll(temporary, path));
  }
  await rm(temporary, { force: true });
}
