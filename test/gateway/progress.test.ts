import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createProgressReader } from '../../src/gateway/progress.ts';
import { RECORDING } from './helpers.ts';

const progressOf = (...pieces: readonly (string | Uint8Array)[]) => {
  const reader = createProgressReader();
  return pieces.map((piece) => reader.add(Buffer.from(piece)));
};

describe('no progress is', () => {
  it.each([
    ['nothing', ''],
    ['empty lines', '\n\r\n\r\n\n'],
    ['a comment', ': event: x\n\n'],
    ['a ping', 'event: ping\ndata: {"type": "ping"}\n\n'],
    ['a ping without blanks', 'event:ping\ndata:{}\n\n'],
    ['a ping with returns', 'event: ping\rdata: {}\r\r'],
    ['a ping with both ends', 'event: ping\r\ndata: {}\r\n\r\n'],
    ['many pings and comments', 'event: ping\ndata: {}\n\n:\n\nevent: ping\nid: 3\ndata: {}\n\n: x\n'],
    ['what may become a ping', 'event: pin'],
  ])('%s, whole or byte by byte', (_, text) => {
    expect(progressOf(text)).toEqual([false]);
    expect(progressOf(...text)).not.toContain(true);
  });
});

describe('progress is', () => {
  it.each([
    ['an event', 'event: message_stop\ndata: {}\n\n'],
    ['an event that begins like a ping', 'event: pingpong\ndata: {}\n\n'],
    ['data alone', 'data: {}'],
    ['the event after a ping', 'event: ping\ndata: {}\n\nd'],
    ['the event after a comment', ': x\nd'],
  ])('%s, whole or byte by byte', (_, text) => {
    expect(progressOf(text)).toEqual([true]);
    expect(progressOf(...text)).toContain(true);
  });

  it('seen in the piece that brings it', () => {
    expect(progressOf('event: ping\n', 'data: {}\n\n', 'event: x', '\n', 'data: 1\n\n')).toEqual([
      ...[false, false, true],
      ...[false, true],
    ]);
  });
});

it('wherever a stream is cut, a ping in it never counts and the rest does', () => {
  const pings = Buffer.from('event: ping\r\ndata: {"type":"ping"}\r\n\r\n: x\n\n'.repeat(3));
  const stream = Buffer.concat([RECORDING.openai, pings]);
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 8 }), (cuts) => {
      const reader = createProgressReader();
      const places = [0, ...cuts.sort((a, b) => a - b), RECORDING.openai.length, stream.length].sort(
        (a, b) => a - b,
      );
      for (const [index, start] of places.slice(0, -1).entries()) {
        const end = places[index + 1] ?? stream.length;
        const isProgress = reader.add(stream.subarray(start, end));
        if (start >= RECORDING.openai.length) expect(isProgress).toBe(false);
        else if (end - start > 40) expect(isProgress).toBe(true);
      }
    }),
  );
});
