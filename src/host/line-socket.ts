/** Collects lines of JSON that other processes send to a unix socket. */
import { rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LineSocket extends AsyncDisposable {
  readonly path: string;
  /** Each line as a parsed value, in the order they were completed. */
  readonly lines: readonly unknown[];
  /** Lines that were no JSON, too long, cut off, or beyond what is kept. */
  readonly dropped: number;
  /** Once every sender is gone (or half a second has passed): what was sent is in `lines`. */
  drained(): Promise<void>;
}

const DEFAULT_BOUNDS = { lineBytes: 1024 * 1024, totalBytes: 16 * 1024 * 1024 };
const NEWLINE = 0x0a;
const LOOK_MS = 5;
const DRAIN_MS = 500;

export async function listenLines(
  path: string,
  { lineBytes, totalBytes } = DEFAULT_BOUNDS,
): Promise<LineSocket> {
  const lines: unknown[] = [];
  const open = new Set<Socket>();
  let dropped = 0;
  let kept = 0;

  const take = (line: Buffer, whole: boolean) => {
    if (whole && line.length === 0) return;
    const value = whole && kept + line.length <= totalBytes ? parsed(line) : undefined;
    if (value === undefined) dropped++;
    else {
      kept += line.length;
      lines.push(value);
    }
  };

  const server = createServer((connection) => {
    let rest: Buffer = Buffer.alloc(0);
    let tooLong = false;
    open.add(connection);
    connection.on('data', (chunk) => {
      let data = Buffer.concat([rest, chunk]);
      for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE)) {
        take(data.subarray(0, end), !tooLong && end <= lineBytes);
        tooLong = false;
        data = data.subarray(end + 1);
      }
      tooLong ||= data.length > lineBytes;
      rest = tooLong ? Buffer.alloc(0) : data;
    });
    connection.on('error', () => {});
    connection.on('close', () => {
      open.delete(connection);
      if (rest.length > 0 || tooLong) take(rest, false);
    });
  });
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(path, ready);
  });

  return {
    path,
    lines,
    get dropped() {
      return dropped;
    },
    async drained() {
      const deadline = performance.now() + DRAIN_MS;
      // The first wait lets connections in that the kernel has accepted and we have not seen yet.
      do await sleep(LOOK_MS);
      while (open.size > 0 && performance.now() < deadline);
    },
    async [Symbol.asyncDispose]() {
      for (const connection of open) connection.destroy();
      await new Promise((closed) => server.close(closed));
      await rm(path, { force: true });
    },
  };
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}
