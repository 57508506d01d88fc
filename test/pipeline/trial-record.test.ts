import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import { AgentRecorder } from '../../src/pipeline/trial-record.ts';

const said = (text: string, subAgent = false): AgentEvent => ({ type: 'message', text, subAgent });
const end = (output: string): AgentEvent => ({
  type: 'end',
  ok: true,
  output,
  reason: null,
  costUsd: null,
  modelError: null,
});

function record(events: Iterable<AgentEvent>, told: AgentEvent[] = []) {
  const recorder = new AgentRecorder();
  for (const event of events) recorder.add(event);
  return recorder.finish(told);
}

describe('AgentRecorder', () => {
  it('joins what the agent itself said, its final answer once', () => {
    expect(record([said('a'), said('sub', true), said('b'), end('b')]).said).toBe('a\nb');
    expect(record([said('a'), end('b')]).said).toBe('a\nb');
    expect(record([end('')])).toMatchObject({ said: '', gap: null });
  });

  it('puts what became known late before the end', () => {
    const late: AgentEvent = { type: 'denied', tool: 'Bash', by: 'hook', reason: 'no' };
    expect(record([said('a'), end('a')], [late]).events.map(({ type }) => type)).toEqual([
      'message',
      'denied',
      'end',
    ]);
    expect(record([said('a')], [late]).events.at(-1)).toEqual(late);
  });

  it('marks what it leaves out, and keeps what verdicts hang on', () => {
    const flood = Array.from({ length: 20_001 }, (_, index) => said(String(index)));
    const block: AgentEvent = { type: 'hook', event: 'Stop', blocked: true, exitCode: 2, detail: '' };
    const { events, said: words, gap } = record([...flood, block, end('last words')]);
    expect(gap).toBe('only the first 20000 events were kept');
    expect(events.slice(-3).map(({ type }) => type)).toEqual(['cut', 'hook', 'end']);
    expect(words).toContain('\n20000\nlast words');
  });

  it('marks words that are too many', () => {
    const long = 'x'.repeat(9 * 1024 * 1024);
    const { said: words, gap } = record([said(long), said(long), said('short'), end('short')]);
    expect(gap).toBe('only the first 16777216 characters it said were kept');
    expect(words).toBe(long);
  });

  it('keeps the answers of all turns apart, and only the last end', () => {
    const recorder = new AgentRecorder();
    const session: AgentEvent = {
      ...{ type: 'session', sessionId: 's', model: null, engineVersion: null },
      ...{ skills: null, agents: null },
    };
    for (const event of [session, said('a'), end('a')]) recorder.add(event);
    recorder.goOn('more', []);
    for (const event of [session, said('b')]) recorder.add(event);
    expect(recorder.turnEvents).toEqual([said('b')]);
    expect(recorder.finish([])).toEqual({
      events: [session, said('a'), { type: 'turn', answer: 'a', prompt: 'more' }, said('b')],
      said: 'a\nb',
      answers: ['a'],
      end: undefined,
      session,
      gap: null,
    });
  });
});
