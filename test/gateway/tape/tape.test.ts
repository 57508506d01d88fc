import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TapePlayer } from '../../../src/gateway/tape/player.ts';
import { parseTape } from '../../../src/gateway/tape/read.ts';
import { TapeRecorder } from '../../../src/gateway/tape/recorder.ts';
import { UserError } from '../../../src/model/errors.ts';
import type { Provider } from '../../../src/model/usage.ts';
import { claudeBody, codexBody, judgeBody, MARKS, ONE, OTHER, type Varying } from './bodies.ts';

const ABOUT = {
  source: 'recorded',
  recorded_at: '2026-01-01T00:00:00.000Z',
  trial: 'extract.claude-code.with.1',
  case: 'extract',
  case_hash: 'abc',
  engine: 'claude-code',
  engine_version: '2.1.325',
  aam_version: '0.1.0',
  model: null,
  judge: null,
  package: {},
} as const;
const PATH = '/v1/messages?beta=true';

interface Exchange {
  readonly body: unknown;
  readonly answer: string | Buffer;
  readonly provider?: Provider;
}

function recorded(exchanges: readonly Exchange[], secrets: string[] = []): TapeRecorder {
  const recorder = new TapeRecorder({ secrets });
  const ends = exchanges.map(({ body, provider = 'anthropic' }) =>
    recorder.begin(provider, PATH, bytes(body)),
  );
  // The last answer comes first: the order on the tape must not depend on it.
  exchanges.toReversed().forEach(({ answer }, index) => {
    ends.at(-1 - index)?.({
      status: 200,
      headers: { 'content-type': 'text/event-stream', 'request-id': 'req_1', date: 'today' },
      body: Buffer.from(answer),
      usage: { model: 'm', input_tokens: 3, output_tokens: 4, cache_read_tokens: 0, cache_write_tokens: 0 },
      durationMs: 12.4,
    });
  });
  return recorder;
}

const tapeOf = (exchanges: readonly Exchange[], secrets: string[] = []) =>
  textOf(recorded(exchanges, secrets));
function textOf(recorder: TapeRecorder): string {
  const done = recorder.finish(ABOUT);
  if ('problem' in done) throw new Error(done.problem);
  return done.text;
}
const bytes = (body: unknown) => Buffer.from(JSON.stringify(body));
const playerOf = (text: string, options = {}) =>
  new TapePlayer(parseTape('evals/tapes/x.jsonl', text), options);

function ask(player: TapePlayer, body: unknown, provider: Provider = 'anthropic'): string | null {
  const played = player.play(provider, PATH, bytes(body));
  return 'answer' in played ? played.answer.body.toString() : null;
}

const prompt = (text: string) => ({ model: 'm', messages: [{ role: 'user', content: text }] });

describe('a tape', () => {
  it('gives back any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: 'binary' }), fc.jsonValue(), (answer, said, more) => {
        const body = { ...prompt(said), more };
        const player = playerOf(tapeOf([{ body, answer: Buffer.from(answer) }]));
        const played = player.play('anthropic', PATH, bytes(body));
        expect('answer' in played && Buffer.compare(played.answer.body, Buffer.from(answer))).toBe(0);
        expect(played).toMatchObject({
          answer: { status: 200, headers: { 'content-type': 'text/event-stream' } },
        });
      }),
    );
  });

  it('answers on another day, for another provider, and with the names of this run', () => {
    const answer = (it: Varying) => `go on with a${it.id.repeat(16)}`;
    const player = playerOf(tapeOf([{ body: claudeBody(ONE), answer: answer(ONE) }]));
    expect(ask(player, claudeBody(ONE))).toBe(answer(ONE));
    expect(ask(playerOf(tapeOf([{ body: claudeBody(ONE), answer: answer(ONE) }])), claudeBody(OTHER))).toBe(
      answer(OTHER),
    );
    const codex = tapeOf([{ provider: 'openai', body: codexBody(ONE), answer: 'x' }]);
    expect(ask(playerOf(codex), codexBody(OTHER), 'openai')).toBe('x');
    expect(ask(playerOf(codex), codexBody(OTHER), 'anthropic')).toBe(null);
  });

  it('puts a name together that a stream has cut', () => {
    const event = (partial_json: string) =>
      `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } })}\n\n`;
    const [begin, end] = ['event: message_start\ndata: {}\n\n', 'event: message_stop\ndata: {}\n\n'];
    const cut = `${begin}${event('{"to":"a1111')}${event('11111111111')}${event('1","x":1}')}${end}`;
    const player = playerOf(tapeOf([{ body: claudeBody(ONE), answer: cut }]));
    expect(ask(player, claudeBody(OTHER))).toBe(
      `${begin}${event(`{"to":"a${'2'.repeat(16)}","x":1}`)}${end}`,
    );
    expect(ask(player, claudeBody(ONE))).toBe(null);
  });

  it('has the same lines whichever answer came first, and no line twice', () => {
    const turns = [1, 3, 5, 7].map((count) => ({
      ...claudeBody(ONE),
      messages: claudeBody(ONE).messages.slice(0, count),
    }));
    const exchanges = turns.map((body, index) => ({ body, answer: `answer ${index}` }));
    const other = exchanges.toReversed().map((it) => ({ ...it }));
    const lines = tapeOf(exchanges).split('\n');
    expect(tapeOf([...other.slice(-1), ...other.slice(0, -1)]).split('\n')).toEqual(lines);
    expect(new Set(lines).size).toBe(lines.length);
    const starts = lines.flatMap((line) => (line.startsWith('{"exchange"') ? [JSON.parse(line).like] : []));
    expect(starts.map((like) => like?.exchange ?? null)).toEqual([null, 1, 2, 3]);
  });

  it('keeps no header of the account, and no key', () => {
    const key = 'my-very-own-key-123';
    const text = tapeOf([{ body: prompt(`the key is ${key} and AKIAIOSFODNN7EXAMPLE`), answer: 'x' }], [key]);
    expect(text).not.toMatch(/req_1|today|my-very-own|AKIA/);
    expect(ask(playerOf(text), prompt(`the key is ${key} and AKIAIOSFODNN7EXAMPLE`))).toBe('x');
    expect(ask(playerOf(text), prompt(`the key is ${key} and AKIAIOSFODNN7EXAMPLF`))).toBe(null);
  });

  it('is not made from an answer with a secret in it, nor from none', () => {
    const recorder = recorded([{ body: prompt('x'), answer: `use ghp_${'a1B2'.repeat(9)} now` }]);
    expect(recorder.finish(ABOUT)).toEqual({
      problem: 'an answer of the model holds what looks like a secret (GitHub token)',
    });
    expect(recorded([]).finish(ABOUT)).toEqual({ problem: 'the model has answered nothing' });
    const compressed = new TapeRecorder();
    const answer = { status: 200, headers: { 'content-encoding': 'gzip' }, body: Buffer.from('x') };
    compressed.begin('anthropic', PATH, bytes(prompt('x')))({ ...answer, usage: null, durationMs: 0 });
    expect(compressed.finish(ABOUT)).toEqual({ problem: expect.stringContaining('compressed (gzip)') });
  });

  it('keeps refusals that are about the request, and no others', () => {
    const recorder = new TapeRecorder();
    for (const status of [400, 401, 429, 500, 529]) {
      const body = prompt(String(status));
      recorder.begin(
        'anthropic',
        PATH,
        bytes(body),
      )({ status, headers: {}, body: Buffer.from('{}'), usage: null, durationMs: 0 });
    }
    const tape = parseTape('x', textOf(recorder));
    expect(tape.exchanges.map(({ status }) => status)).toEqual([400]);
  });
});

describe('equal requests', () => {
  const votes = MARKS.slice(0, 2).map((mark, index) => ({ body: judgeBody(mark), answer: `vote ${index}` }));

  it('get an answer each when they come from different places, and the same again when repeated', () => {
    const player = playerOf(tapeOf(votes));
    const [one, two, three] = MARKS;
    const answers = [three, one, three, one, three].map((mark) => ask(player, judgeBody(mark)));
    expect(answers).toEqual(['vote 0', 'vote 1', 'vote 0', 'vote 1', 'vote 0']);
    expect(ask(player, judgeBody(two))).toBe(null);
    expect(player.misses[0]?.message).toContain(
      'the model was asked this 2 times when the tape was recorded, now once more',
    );
  });

  it('of one place are answered in order, the last one again and again', () => {
    const player = playerOf(tapeOf(['a', 'b'].map((answer) => ({ body: prompt('x'), answer }))));
    expect([1, 2, 3, 4].map(() => ask(player, prompt('x')))).toEqual(['a', 'b', 'b', 'b']);
  });
});

describe('a miss', () => {
  const text = tapeOf([
    { body: claudeBody(ONE), answer: 'x' },
    { body: judgeBody(MARKS[0]), answer: 'y' },
  ]);
  const missOf = (body: unknown, options = {}) => {
    const player = playerOf(text, options);
    expect(ask(player, body)).toBe(null);
    return player.misses[0]?.message;
  };
  const edited = (from: string, to: string, body: unknown = claudeBody(OTHER)) =>
    JSON.parse(JSON.stringify(body).replace(from, to)) as unknown;

  it('shows what differs and how to record again', () => {
    expect(missOf(edited('Then check.', 'Then check twice.'))).toMatchInlineSnapshot(`
      "the tape evals/tapes/x.jsonl has no answer to what the agent asks in turn 4
      the text of the skill pdf-tools (SKILL.md) differs:
           Run the script.
          -Then check.
          +Then check twice.
      record it again:  aam eval extract --engine claude-code --tape record"
    `);
  });

  it.each([
    ['Extract the text.', 'Extract it.', 'the prompt differs'],
    ['Reads PDFs.', 'Reads all PDFs.', 'the description of the skill pdf-tools (SKILL.md) differs'],
    ['Sent.', 'Not sent.', 'the result of tool call 3 (SendMessage) differs'],
    ['Runs a command.', 'Runs one.', 'tool definition Bash differs'],
    ['You are an agent.', 'You are two.', 'the system prompt differs'],
    ['128000', '64000', 'the setting max_tokens differs'],
    ['Look.', 'Look here.', 'tool call 2 (Agent) differs'],
  ])('%j → %j: %s', (from, to, message) => {
    expect(missOf(edited(from, to))).toContain(message);
  });

  it('names the criteria of the judge, or what it is shown', () => {
    expect(missOf(judgeBody(MARKS[1], { criteria: 'It is short.' }))).toContain(
      "the judge's criteria differ",
    );
    expect(missOf(judgeBody(MARKS[1], { shown: 'Other.' }))).toContain('what the judge is shown differs');
  });

  it('says when the CLI is another one', () => {
    const message = missOf(edited('Sent.', 'No.'), { engineVersion: '2.2.0' });
    expect(message).toContain('it was recorded with claude-code 2.1.325, this is 2.2.0');
    expect(missOf(edited('Sent.', 'No.'), { engineVersion: '2.1.325' })).not.toContain('was recorded with');
  });

  it('shows no secret and no end of lines', () => {
    const message = missOf(edited('Sent.', `key sk-ant-${'x9'.repeat(20)}\\n${'line\\n'.repeat(99)}`));
    expect(message).toContain('key [Anthropic key removed]');
    expect(message?.split('\n').length).toBeLessThan(20);
  });
});

describe('a damaged tape', () => {
  const text = tapeOf([
    { body: claudeBody(ONE), answer: 'x' },
    { body: prompt('other'), answer: 'y' },
  ]);
  const lines = text.trimEnd().split('\n');
  const problemOf = (damaged: string): string => {
    try {
      parseTape('evals/tapes/x.jsonl', damaged);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      expect((error as UserError).hints.join()).toContain('aam eval --tape record');
      return (error as UserError).message;
    }
    return 'nothing';
  };
  const end = lines.length;

  it.each([
    ['empty', '', 'evals/tapes/x.jsonl:1: the tape is empty'],
    ['no tape', '{}\n{}\n', 'evals/tapes/x.jsonl:1: tape: must be 1: another version of aam wrote this tape'],
    ['cut inside a line', text.slice(0, -20), `evals/tapes/x.jsonl:${end}: the tape is cut off`],
    [
      'cut between lines',
      `${lines.slice(0, -1).join('\n')}\n`,
      `evals/tapes/x.jsonl:${end - 1}: the tape is cut off`,
    ],
    [
      'an edited answer',
      text.replace('"text":"x"', '"text":"z"'),
      `evals/tapes/x.jsonl:${end}: the tape was changed after it was written`,
    ],
    [
      'a conflict',
      text.replace('\n', '\n<<<<<<< HEAD\n'),
      'evals/tapes/x.jsonl:2: the line is not a JSON object',
    ],
    [
      'another key',
      text.replace(/"key":"\w{4}/, '"key":"0000'),
      'the parts of the request do not fit its key',
    ],
    [
      'a missing part',
      `${[lines[0], ...lines.slice(2)].join('\n')}\n`,
      'the parts of the request do not fit its key',
    ],
    ['an unknown field', text.replace('"status":200', '"status":200,"more":1'), 'Unrecognized key: "more"'],
  ])('%s', (_, damaged, problem) => {
    expect(problemOf(damaged)).toContain(problem);
  });

  it('is noticed wherever it was cut or changed', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.boolean(), (at, isCut) => {
        const changed = text[at] === '0' ? '1' : '0';
        const damaged = isCut ? text.slice(0, at) : text.slice(0, at) + changed + text.slice(at + 1);
        expect(problemOf(damaged)).not.toBe('nothing');
      }),
      { numRuns: 500 },
    );
  });
});
