/** Files that are not files, and a user who may not read everything. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import process from 'node:process';
import { promisify } from 'node:util';

const NOBODY = 65_534;

export async function makeFifo(path: string): Promise<void> {
  await promisify(execFile)('mkfifo', [path]);
}

export async function makeSocket(path: string): Promise<AsyncDisposable> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(path, ready));
  return { [Symbol.asyncDispose]: () => new Promise((closed) => server.close(() => closed())) };
}

/** Root may read everything, so tests that run as root step down for a moment. */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  const user = process.geteuid?.();
  if (user !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(user);
  }
}
