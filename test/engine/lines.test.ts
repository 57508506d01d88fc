import process from 'node:process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINES, type EngineName } from '../../src/engine/engines.ts';
import { Lines } from '../../src/engine/lines.ts';
import { collect } from '../helpers/engines.ts';

const MB = 1024 * 1024;

function linesOf(chunks: readonly Buffer[], limit?: number): Promise<string[]> {
  const lines = new Lines(limit);
  const collected = collect(lines);
  for (const chunk of chunks) lines.add(chunk);
  lines.end();
  return collected;
}

describe('lines of a stream', () => {
  it.each<[string, string[]]>([
    ['', []],
    ['\n', ['']],
    ['one', ['one']],
    ['one\n', ['one']],
    ['one\n\ntwo', ['one', '', 'two']],
    ['one\r\ntwo\n', ['one\r', 'two']],
  ])('%j', async (text, expected) => {
    expect(await linesOf([Buffer.from(text)])).toEqual(expected);
  });

  it('are the same however the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary' }).map((it) => it.replaceAll('\n', ''))),
        fc.array(fc.nat(40)),
        async (expected, cuts) => {
          const bytes = Buffer.from(expected.map((it) => `${it}\n`).join(''));
          const chunks: Buffer[] = [];
          let at = 0;
          for (const cut of cuts) {
            chunks.push(bytes.subarray(at, at + cut));
            at += cut;
          }
          chunks.push(bytes.subarray(at));
          expect(await linesOf(chunks)).toEqual(expected.map((it) => Buffer.from(it).toString()));
        },
      ),
    );
  });

  it('are cut at the limit, and the next one is whole', async () => {
    const bytes = Buffer.from(`${'x'.repeat(50)}\nshort\n${'é'.repeat(50)}`);
    expect(await linesOf([bytes], 10)).toEqual(['x'.repeat(10), 'short', 'é'.repeat(5)]);
  });

  it('come while the stream goes on', async () => {
    const lines = new Lines();
    const first = lines[Symbol.asyncIterator]();
    lines.add(Buffer.from('one\ntw'));
    expect(await first.next()).toEqual({ done: false, value: 'one' });
    const second = first.next();
    lines.add(Buffer.from('o\n'));
    expect(await second).toEqual({ done: false, value: 'two' });
    await first.return?.(undefined);
    lines.add(Buffer.from('nobody reads this\n'));
  });

  it.each<EngineName>(['claude-code', 'codex'])('may be 50 MB long without harm to %s', async (name) => {
    const lines = new Lines();
    const collected = collect(ENGINES[name].read(lines));
    const before = process.memoryUsage.rss();
    lines.add(Buffer.from('{"type":"assistant","message":"'));
    for (let chunk = 0; chunk < 800; chunk++) lines.add(Buffer.alloc(MB / 16, 'x'));
    lines.add(Buffer.from('"}\n'));
    lines.end();
    expect(await collected).toEqual([{ type: 'cut', what: 'a line of the output was too long' }]);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * MB);
  });
});

const WORDS = [
  ...['system', 'assistant', 'user', 'result', 'init', 'hook_response', 'task_started', 'api_retry'],
  ...['thread.started', 'item.started', 'item.completed', 'turn.completed', 'turn.failed', 'error'],
  ...['command_execution', 'file_change', 'mcp_tool_call', 'collab_tool_call', 'agent_message'],
  ...['tool_use', 'tool_result', 'text', 'Skill', 'Agent', 'Read', 'Bash', 'spawn_agent', 'reject', 'hook'],
];
const KEYS = [
  ...['type', 'subtype', 'message', 'content', 'item', 'id', 'tool_use_id', 'name', 'input', 'error'],
  ...['tool', 'status', 'changes', 'agents_states', 'result', 'command', 'tool_result_meta', 'errors'],
  ...['permission_decision', 'decision', 'permission_denials', 'is_error', 'stdout', 'skills', 'text'],
];

describe.each(Object.values(ENGINES))('what $id reads', ({ read }) => {
  it('may be any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const lines = new Lines();
        const collected = collect(read(lines));
        lines.add(Buffer.from(bytes));
        lines.end();
        await collected;
      }),
    );
  });

  it('may be any JSON, also one that looks like its own', async () => {
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(...WORDS),
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...KEYS), tie('json'), { maxKeys: 6 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...WORDS), fc.dictionary(fc.constantFrom(...KEYS), json))),
        async (objects) => {
          const lines = new Lines();
          const collected = collect(read(lines));
          for (const [type, object] of objects)
            lines.add(Buffer.from(`${JSON.stringify({ ...object, type })}\n`));
          lines.end();
          const ends = (await collected).filter((it) => it.type === 'end');
          expect(ends.length).toBeLessThan(2);
        },
      ),
      { numRuns: 500 },
    );
  });
});
