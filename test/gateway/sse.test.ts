import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseReader } from '../../src/gateway/sse.ts';
import { RECORDING } from './helpers.ts';

function read(bytes: Buffer, cuts: readonly number[]): string[] {
  const reader = new SseReader();
  const edges = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  const events = edges.slice(1).flatMap((end, index) => reader.push(bytes.subarray(edges[index], end)));
  return [...events, ...reader.end()];
}

describe('events are read the same however the bytes are cut', () => {
  it.each(['anthropic', 'openai'] as const)('in a recording of %s', (provider) => {
    const bytes = RECORDING[provider];
    const whole = read(bytes, []);
    expect(whole.length).toBeGreaterThan(10);
    for (const data of whole) expect(JSON.parse(data)).toHaveProperty('type');
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 200 }), (cuts) => {
        expect(read(bytes, cuts)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });

  it('in any text with any line ends', () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((text) => text.replace(/[\r\n\ufeff]/g, ''));
    const event = fc.record({
      data: fc.array(line, { minLength: 1, maxLength: 3 }),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      noise: fc.constantFrom('', 'event: x', ': comment', 'id: 1', 'retry'),
    });
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat(600)), (events, cuts) => {
        const text = events
          .map(({ data, end, noise }) => {
            const lines = [...(noise ? [noise] : []), ...data.map((it) => `data: ${it}`), '', ''];
            return lines.join(end);
          })
          .join('');
        const bytes = Buffer.from(text);
        const within = cuts.map((cut) => Math.min(cut, bytes.length));
        expect(read(bytes, within)).toEqual(events.map(({ data }) => data.join('\n')));
      }),
      { numRuns: 500 },
    );
  });
});

describe('an event', () => {
  it('that is too long is dropped, and the ones after it are not', () => {
    const reader = new SseReader(20);
    const text = `data: ${'x'.repeat(50)}\ndata: y\n\ndata: ok\n\n`;
    expect([...text].flatMap((char) => reader.push(Buffer.from(char)))).toEqual(['ok']);
  });

  it('without its last empty line counts at the end', () => {
    const reader = new SseReader();
    expect(reader.push(Buffer.from('data: 1\n\ndata:2'))).toEqual(['1']);
    expect(reader.end()).toEqual(['2']);
  });
});
