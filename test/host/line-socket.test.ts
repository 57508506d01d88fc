import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { listenLines } from '../../src/host/line-socket.ts';
import { temporaryFolder } from '../helpers/folder.ts';

function send(path: string, ...chunks: (string | Buffer)[]): Promise<void> {
  return new Promise((done, failed) => {
    const connection = connect(path);
    connection.on('error', failed).on('close', () => done());
    for (const chunk of chunks) connection.write(chunk);
    connection.end();
  });
}

describe('listenLines', () => {
  it('collects lines of many senders, however they are cut', async () => {
    await using folder = await temporaryFolder();
    await using log = await listenLines(join(folder.path, 's'));
    await Promise.all(Array.from({ length: 20 }, (_, n) => send(log.path, `{"n":${n}}\n`)));
    const parts = Buffer.from('{"text":"ä"}\n{"a":1}\n\n{"b":2}\n');
    await send(log.path, parts.subarray(0, 10), parts.subarray(10, 11), parts.subarray(11));
    expect(log.lines).toHaveLength(23);
    expect(log.lines.slice(20)).toEqual([{ text: 'ä' }, { a: 1 }, { b: 2 }]);
    expect(log.dropped).toBe(0);
  });

  it('counts garbage, and what is cut off or too long', async () => {
    await using folder = await temporaryFolder();
    const bounds = { lineBytes: 100, totalBytes: 1000 };
    await using log = await listenLines(join(folder.path, 's'), bounds);
    await send(log.path, 'garbage\n', '{"ok":1}\n', Buffer.from([0xff, 0xfe, 0x0a]));
    await send(log.path, '{"cut":');
    await send(log.path, `"${'x'.repeat(500)}"\n{"ok":2}\n`);
    await send(log.path, `"${'x'.repeat(50_000)}`);
    expect(log.lines).toEqual([{ ok: 1 }, { ok: 2 }]);
    expect(log.dropped).toBe(5);
  });

  it('keeps no more than its bounds', async () => {
    await using folder = await temporaryFolder();
    await using log = await listenLines(join(folder.path, 's'), { lineBytes: 100, totalBytes: 200 });
    await send(log.path, `"${'x'.repeat(48)}"\n`.repeat(10));
    expect(log.lines).toHaveLength(4);
    expect(log.dropped).toBe(6);
  });

  it('tells when all has arrived', async () => {
    await using folder = await temporaryFolder();
    await using log = await listenLines(join(folder.path, 's'));
    const line = JSON.stringify('x'.repeat(5000));
    const sender = `require('node:net').connect(${JSON.stringify(log.path)}).end(${JSON.stringify(line)} + '\\n')`;
    // It has ended before anything here could read what it sent.
    execFileSync(process.execPath, ['-e', `${sender}.on('finish', () => process.exit())`]);
    await log.drained();
    expect(log.lines).toHaveLength(1);
    const idle = connect(log.path).on('error', () => {});
    const started = performance.now();
    await log.drained();
    expect(performance.now() - started).toBeLessThan(2000);
    idle.destroy();
  });

  it('goes away at once, with connections open', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 's');
    let idle: Socket | undefined;
    {
      await using log = await listenLines(path);
      idle = connect(log.path);
      idle.on('error', () => {});
      await sleep(50);
    }
    expect(existsSync(path)).toBe(false);
    idle.destroy();
  });

  it('says when the path cannot be used', async () => {
    await expect(listenLines('/nowhere/at/all')).rejects.toThrow('listen');
  });
});
