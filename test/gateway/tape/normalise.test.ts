import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Json, mapTexts } from '../../../src/gateway/tape/canonical.ts';
import { normalise } from '../../../src/gateway/tape/normalise.ts';
import { readRequest } from '../../../src/gateway/tape/request.ts';
import type { Provider } from '../../../src/model/usage.ts';
import { claudeBody, codexBody, judgeBody, MARKS, ONE, OTHER } from './bodies.ts';

const read = (provider: Provider, body: unknown, places: string[] = []) =>
  readRequest(provider, '/v1/messages', Buffer.from(JSON.stringify(body)), { places });
const keyOf = (provider: Provider, body: unknown) => read(provider, body).key;

describe('normalising', () => {
  it.each([
    ['anthropic', claudeBody],
    ['openai', codexBody],
  ] as const)(
    '%s: another day, machine, session and order of parallel results are the same request',
    (provider, body) => {
      expect(keyOf(provider, body(OTHER))).toBe(keyOf(provider, body(ONE)));
      expect(read(provider, body(OTHER)).variant).not.toBe(read(provider, body(ONE)).variant);
    },
  );

  it.each([
    ['anthropic', claudeBody],
    ['openai', codexBody],
  ] as const)('%s: normalising twice changes nothing more', (provider, body) => {
    for (const it of [ONE, OTHER]) {
      const once = normalise(provider, body(it) as Json).body;
      expect(normalise(provider, once).body).toEqual(once);
    }
  });

  it('holds for any JSON, whatever its shape', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom<Provider>('anthropic', 'openai'), (value, provider) => {
        const once = normalise(provider, value as Json).body;
        expect(normalise(provider, once).body).toEqual(once);
        expect(keyOf(provider, value)).toBe(keyOf(provider, JSON.parse(JSON.stringify(value))));
      }),
    );
  });

  it.each([
    ['anthropic', claudeBody(ONE), /^toolu_|device_id|^x-anthropic-billing|^ephemeral$/],
    ['openai', codexBody(ONE), /^msg_|^call_|^1{8}-|^12$/],
    ['anthropic', judgeBody(MARKS[0]), /^$/],
  ] as const)('%s: any edit of any other text is another request', (provider, body, exempt) => {
    const texts: string[] = [];
    mapTexts(body as Json, (text) => {
      texts.push(text);
      return text;
    });
    const base = keyOf(provider, body);
    fc.assert(
      fc.property(
        fc.nat(texts.length - 1),
        fc.nat(),
        fc.string({ minLength: 1, unit: 'binary' }),
        (at, where, piece) => {
          const text = texts[at] ?? '';
          const index = where % (text.length + 1);
          fc.pre(!exempt.test(text) && !isSlot(text, index));
          let seen = 0;
          const edited = mapTexts(body as Json, (it) =>
            seen++ === at ? it.slice(0, index) + piece + it.slice(index) : it,
          );
          expect(keyOf(provider, edited)).not.toBe(base);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    [
      'a date in the prompt',
      'Extract the text.',
      "Today's date is 2020-01-01.",
      "Today's date is 2020-01-02.",
    ],
    ['a date in a skill', 'Then check.', "Today's date is 2020-01-01.", "Today's date is 2020-01-02."],
    [
      'a date in the description of a skill',
      'Reads PDFs.',
      "Reads.\nToday's date is 2020-01-01.",
      "Reads.\nToday's date is 2020-01-02.",
    ],
    [
      'a fence in the prompt that is not the judge’s',
      'Extract the text.',
      `Look:\n<<<${MARKS[0]} x`,
      `Look:\n<<<${MARKS[1]} x`,
    ],
    ['a time in a result', 'Sent.', 'duration_ms: 1</usage>', 'duration_ms: 2</usage>'],
    ['an id in a result', 'Sent.', 'toolu_1', 'toolu_2'],
    [
      'a uuid in a result',
      'Sent.',
      '01a1de41-1be5-74b2-ae13-60655b3dbddb',
      '01a1de41-1be5-74b2-ae13-60655b3dbddc',
    ],
    ['a path in a result', 'Sent.', '/tmp/abc', '/tmp/abd'],
    ['a mark in a result', 'Sent.', `<<<${MARKS[0]} x`, `<<<${MARKS[1]} x`],
  ])('keeps %s', (_, place, one, other) => {
    const body = (text: string) => mapTexts(claudeBody(ONE) as Json, (it) => it.replace(place, text));
    expect(keyOf('anthropic', body(one))).not.toBe(keyOf('anthropic', body(other)));
  });

  it.each([
    [
      'anthropic',
      (day: string) => `<system-reminder>\nToday's date is ${day}.\n</system-reminder>`,
      (text: string) => ({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] }),
    ],
    [
      'openai',
      (day: string) =>
        `<environment_context>\n  <cwd>/workspace</cwd>\n  <current_date>${day}</current_date>\n  <timezone>UTC</timezone>\n</environment_context>`,
      (text: string) => ({ input: [{ role: 'user', content: [{ type: 'input_text', text }] }] }),
    ],
  ] as const)('%s: keeps a prompt that looks like words of the CLI', (provider, like, body) => {
    const key = (day: string, prompts: string[]) =>
      readRequest(provider, '/v1', Buffer.from(JSON.stringify(body(like(day)))), { prompts }).key;
    const own = (day: string) => key(day, [` ${like(day)}\n`]);
    expect(own('2020-01-01')).not.toBe(own('2020-01-02'));
    expect(key('2020-01-01', ['Do it.'])).toBe(key('2020-01-02', ['Do it.']));
  });

  it('leaves out what git tells, and knows whether it told something', () => {
    const body = (status: string) => ({
      messages: [{ role: 'user', content: [{ type: 'text', text: gitReminder(status) }] }],
    });
    const [one, other, none] = ['?? a.txt', '?? b.txt', '(unavailable)'].map((it) =>
      read('anthropic', body(it)),
    );
    expect([other?.key, none?.key]).toEqual([one?.key, one?.key]);
    expect(other?.gitStatus).not.toBe(one?.gitStatus);
    expect(none?.gitStatus).toBeNull();
    const branch = JSON.parse(JSON.stringify(body('?? a.txt')).replace('branch: main', 'branch: other'));
    expect(keyOf('anthropic', branch)).not.toBe(one?.key);
  });

  it('keeps the order of results apart from their content', () => {
    const swapped = claudeBody(ONE);
    const results = swapped.messages[3]?.content;
    expect(results).toHaveLength(2);
    const [first, second] = results as { content: unknown }[];
    if (first && second) [first.content, second.content] = [second.content, first.content];
    expect(keyOf('anthropic', swapped)).not.toBe(keyOf('anthropic', claudeBody(ONE)));
  });

  it('tells news of a sub-agent that say something else', () => {
    const body = codexBody(OTHER);
    const other = mapTexts(body as Json, (text) => text.replace('agent_path', 'agent_pith'));
    expect(keyOf('openai', other)).not.toBe(keyOf('openai', body));
    const status = mapTexts(body as Json, (text) =>
      text.startsWith('<subagent') ? text.replace('Found.', 'Lost.') : text,
    );
    expect(keyOf('openai', status)).not.toBe(keyOf('openai', body));
  });

  it('takes the id of a sub-agent only from the tool that starts one', () => {
    const hand = (id: string) => `x\nagentId: ${id} (use SendMessage with to: '${id}' y)\n<usage>1</usage>`;
    const body = (id: string) => mapTexts(claudeBody(ONE) as Json, (text) => text.replace('Sent.', hand(id)));
    const ids = ['a0123456789abcdef', 'afedcba9876543210'] as const;
    expect(keyOf('anthropic', body(ids[0]))).not.toBe(keyOf('anthropic', body(ids[1])));
  });

  it('compares what the judge is shown without what the CLIs made up, and without the order of what ran at once', () => {
    const saved = (id: string) => `/agent/projects/-workspace/${id}/tool-results/b${id}.txt`;
    const shown = (agents: readonly [string, string], file: string, ms: number, order: readonly number[]) => {
      const handedBack = (agent: string, said: string) =>
        `${said}\nagentId: ${agent} (use SendMessage with to: '${agent}', summary: 'x')\n<usage>tool_uses: 1\nduration_ms: ${ms}</usage>`;
      const lines = [
        { tool: 'Agent', input: { prompt: 'one' }, result: handedBack(agents[0], 'Found one.') },
        { tool: 'Agent', input: { prompt: 'two' }, result: handedBack(agents[1], 'Found two.') },
        { tool: 'Read', input: { file_path: saved(file) }, result: '1' },
        {
          tool: 'Bash',
          input: {},
          result: `<persisted-output>\nOutput too large (42.9KB). Full output saved to: ${saved(file)}\n\n1`,
        },
        { said: `I go on with ${agents[1]}.` },
      ].map((line) => JSON.stringify(line));
      const title = 'the actions of the agent, one to a line, in their order';
      return `above\n${MARKS[0]}>>>\n\n<<<${MARKS[0]} ${title}\n${order.map((at) => lines[at]).join('\n')}`;
    };
    const one = shown(['a0000000000000001', 'a0000000000000002'], 'x1', 12, [0, 1, 2, 3, 4]);
    const other = shown(['a00000000000000ff', 'a0000000000000001'], 'aa', 3456, [3, 1, 4, 0, 2]);
    const key = (text: string) => keyOf('anthropic', judgeBody(MARKS[0], { shown: text }));
    expect(key(other)).toBe(key(one));
    const { names } = read('anthropic', judgeBody(MARKS[0], { shown: other }));
    expect(names).toEqual({
      '⟦agent-1⟧': 'a00000000000000ff',
      '⟦agent-2⟧': 'a0000000000000001',
      '⟦saved-output-1⟧': saved('aa'),
    });
    for (const edited of [
      one.replace('Found one.', 'Found none.'),
      one.replace('"prompt":"one"', '"prompt":"One"'),
      one.replace('tool_uses: 1', 'tool_uses: 2'),
      one.replace('I go on with a0000000000000002', 'I go on with a0000000000000001'),
      one.replace('in their order', 'in some order'),
      one.replace('above', 'Above'),
    ]) {
      expect(edited).not.toBe(one);
      expect(key(edited)).not.toBe(key(one));
    }
    const inAnswer = (lines: string) => key(one.replace('above', lines));
    expect(inAnswer('first\nsecond')).not.toBe(inAnswer('second\nfirst'));
  });

  it('sees through the mark of the judge, and not through one that the agent wrote', () => {
    expect(keyOf('anthropic', judgeBody(MARKS[0]))).toBe(keyOf('anthropic', judgeBody(MARKS[1])));
    const cut = (mark: string) => judgeBody(mark, { shown: `The [${mark}: 12 characters cut] end.` });
    expect(keyOf('anthropic', cut(MARKS[0]))).toBe(keyOf('anthropic', cut(MARKS[1])));
    const forged = (mark: string) => judgeBody(MARKS[0], { shown: `<<<${mark} criteria` });
    expect(keyOf('anthropic', forged(MARKS[1]))).not.toBe(keyOf('anthropic', forged(MARKS[2])));
  });

  it('sees through folders it was told of', () => {
    const body = (root: string) => ({ messages: [{ role: 'user', content: `Look into ${root}/src.` }] });
    expect(read('anthropic', body('/tmp/w1'), ['/tmp/w1']).key).toBe(
      read('anthropic', body('/tmp/w2'), ['/tmp/w2']).key,
    );
    expect(keyOf('anthropic', body('/tmp/w1'))).not.toBe(keyOf('anthropic', body('/tmp/w2')));
  });

  it('counts what the model said, not what it was told', () => {
    expect(read('anthropic', claudeBody(ONE)).turn).toBe(3);
    expect(read('openai', codexBody(ONE)).turn).toBe(4);
  });
});

function gitReminder(status: string): string {
  return `<system-reminder>\nAs you answer the user's questions, you can use the following context:\n# gitStatus\nThis is the git status at the start of the conversation. Note that it is a snapshot.\n\nCurrent branch: main\n\nMain branch (you will usually use this for PRs): main\n\nStatus:\n${status}\n\nRecent commits:\n\n\nClaude Code attached this.\n</system-reminder>`;
}

/** Inside the few characters that a rule replaces. */
function isSlot(text: string, index: number): boolean {
  const slots = [
    /Today's date is (\d{4}-\d{2}-\d{2})\./d,
    /OS Version: (Linux [\d.]+)/d,
    /(\/agent\/projects\/\S+\.txt)/d,
    /duration_ms: (\d+)/d,
    /<current_date>([\d-]+)</d,
    /<timezone>([^<]*)</d,
    /Chunk ID: (\d+)\n/d,
    /Wall time:? ([\d.]+) seconds/d,
    /"chunk_id":"(\d+)"/d,
    /"wall_time_seconds":([\d.e-]+)/d,
    /"nickname":"(\w+)"/d,
    /codex-arg0(\w{6})/d,
  ];
  return slots.some((slot) => {
    const [start = -1, end = -1] = slot.exec(text)?.indices?.[1] ?? [];
    return index >= start && index <= end;
  });
}
