/** Writes a file so that a reader sees the old one or the new one, never half. */
import { randomBytes, randomUUID } from 'node:crypto';
import { constants, write } from 'node:fs';
import { access, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pid } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { livenessOf, ownName } from '../host/owner.ts';
import { syncFolder } from '../host/sync-folder.ts';
import { findDestination } from './destination.ts';

/** A text, or the pieces of something that is too large for one. */
type Content = string | AsyncIterable<Uint8Array>;

/** As far as the user's own mask allows. */
const SHARED = 0o666;
export const PRIVATE = 0o600;

/** What is no file, such as a pipe, a terminal or /dev/null, is written to and stays what it is. */
export async function writeAtomically(path: string, content: Content, mode = SHARED): Promise<void> {
  const { path: target, isStream } = await findDestination(path);
  if (isStream) await writeInto(target, content);
  else await withTemporary(target, content, (temporary) => rename(temporary, target), mode);
}

/** Never replaces a file: the first free of `name.json`, `name-2.json`, `name-3.json`… Returns which. */
export async function writeNew(path: string, content: Content): Promise<string> {
  const [, stem = path, ending = ''] = /^(.*?)(\.[^./]*)?$/.exec(path) ?? [];
  return withTemporary(path, content, async (temporary) => {
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

/** Nothing is made, cut or replaced. */
async function writeInto(path: string, content: Content): Promise<void> {
  const own = OWN_DESCRIPTOR.exec(path);
  if (own?.[1] === String(pid)) {
    const pieces = typeof content === 'string' ? [Buffer.from(content)] : content;
    for await (const piece of pieces) await writeToDescriptor(Number(own[2]), piece);
    return;
  }
  // A pipe that nobody reads would be waited for without end.
  await using probe = await open(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(withoutReader);
  await using stream = await open(path, constants.O_WRONLY | constants.O_APPEND);
  await probe.close();
  await stream.writeFile(content as string);
}

const OWN_DESCRIPTOR = /^\/proc\/(\d+)\/(?:task\/\d+\/)?fd\/(\d+)$/;
const FULL_MS = 10;

/** What is open already need not, and as a socket cannot, be opened again. */
async function writeToDescriptor(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await writeBytes(descriptor, bytes, at).catch(async (error) => {
      if (error.code !== 'EAGAIN') throw error;
      // Its reader takes its time.
      await setTimeout(FULL_MS);
      return { bytesWritten: 0 };
    });
    at += bytesWritten;
  }
}

const writeBytes = promisify(write);

function withoutReader(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENXIO' ? new Error('nobody reads from it') : error;
}

async function withTemporary<Result>(
  path: string,
  content: Content,
  use: (temporary: string) => Promise<Result>,
  mode = SHARED,
): Promise<Result> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${ownName()}.${randomBytes(3).toString('hex')}.tmp`;
  try {
    {
      await using file = await open(temporary, 'wx', mode);
      for await (const piece of typeof content === 'string' ? [content] : content)
        await file.writeFile(piece);
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
  const { path: target, isStream } = await findDestination(path);
  if (isStream) return await access(target, constants.W_OK);
  const folder = dirname(target);
  await makeFolder(folder);
  if (!(await stat(folder)).isDirectory()) throw new Error(`${folder} is not a folder`);
  await tryToWrite(target);
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
