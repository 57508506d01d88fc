/** Ends of a judge's CLI that are hard to bring about: none of them is a verdict. */
import { describe, expect, it } from 'vitest';
import { judgeCase } from '../../src/judge/judge.ts';
import { claudeCli } from '../../src/judge/transports/claude-cli.ts';
import { createCliTransport, type JudgeCli } from '../../src/judge/transports/cli.ts';
import { codexCli } from '../../src/judge/transports/codex-cli.ts';
import type { ProcessOutcome } from '../../src/model/process.ts';
import type { ModelFailure } from '../../src/model/usage.ts';
import { GOOD, never, QUESTION } from './helpers.ts';

const text = (value: string, truncated = false) => ({ text: value, bytes: value.length, truncated });
const ENDED: ProcessOutcome = {
  ended: 'exited',
  exitCode: 0,
  stdout: text(''),
  stderr: text(''),
  durationMs: 1_000,
};
const claudeSays = (result: object) => text(JSON.stringify({ type: 'result', ...result }));
const SUCCESS = {
  subtype: 'success',
  is_error: false,
  terminal_reason: 'completed',
  structured_output: GOOD,
};
const codexSays = (...events: object[]) => text(events.map((it) => JSON.stringify(it)).join('\n'));
const MESSAGE = { type: 'item.completed', item: { type: 'agent_message', text: JSON.stringify(GOOD) } };

function judge(cli: JudgeCli, change: Partial<ProcessOutcome>, failure: ModelFailure | null = null) {
  const transport = createCliTransport({
    cli,
    door: { socket: '', failure, usage: { models: ['m-1'] } },
    setup: { start: ['cli'], arguments: [], env: {}, configFiles: {}, configDir: '/config', model: null },
    run: async () => ({ ...ENDED, ...change }),
  });
  return judgeCase(QUESTION, transport, { votes: 1, attempts: 1, signal: never });
}

describe('Claude Code', () => {
  it('passes with a full answer: what follows differs from it', async () => {
    expect(await judge(claudeCli, { stdout: claudeSays(SUCCESS) })).toMatchObject({ result: 'PASS' });
  });

  it.each<[string, Partial<ProcessOutcome>, string]>([
    ['did not start', { ended: 'not-started', error: 'no bwrap' }, 'sandbox'],
    ['was aborted', { ended: 'aborted', exitCode: null, stdout: claudeSays(SUCCESS) }, 'interrupted'],
    ['ran out of time', { ended: 'timed-out', exitCode: null, stdout: claudeSays(SUCCESS) }, 'model-stalled'],
    ['crashed after its answer', { exitCode: 139, stdout: claudeSays(SUCCESS) }, 'engine-failed'],
    ['printed nothing', { exitCode: 1, stderr: text('unknown option') }, 'engine-failed'],
    ['printed no result', { stdout: text('{"type":"system"}') }, 'engine-failed'],
    [
      'printed too much',
      { stdout: text(JSON.stringify({ type: 'result', ...SUCCESS }), true) },
      'judge-unusable',
    ],
    ['erred', { stdout: claudeSays({ ...SUCCESS, is_error: true }) }, 'engine-failed'],
    [
      'was stopped',
      { stdout: claudeSays({ ...SUCCESS, subtype: 'error_during_execution' }) },
      'engine-failed',
    ],
    ['gave up', { stdout: claudeSays({ ...SUCCESS, subtype: 'error_max_turns' }) }, 'judge-unusable'],
    ['refused', { stdout: claudeSays({ ...SUCCESS, stop_reason: 'refusal' }) }, 'judge-unusable'],
    ['broke off', { stdout: claudeSays({ ...SUCCESS, stop_reason: 'max_tokens' }) }, 'judge-unusable'],
    ['has no answer', { stdout: claudeSays({ ...SUCCESS, structured_output: null }) }, 'judge-unusable'],
    [
      'lost its model and calls it success',
      { stdout: claudeSays({ ...SUCCESS, terminal_reason: 'api_error', api_error_status: 429 }) },
      'model-rate-limit',
    ],
    [
      'lost its model without a status',
      { stdout: claudeSays({ ...SUCCESS, terminal_reason: 'api_error', api_error_status: null }) },
      'model-unreachable',
    ],
  ])('that %s is undecided', async (_, outcome, errorKind) => {
    expect(await judge(claudeCli, outcome)).toMatchObject({ result: 'SKIP', errorKind });
  });
});

describe('Codex', () => {
  const completed = { type: 'turn.completed', usage: {} };

  it('passes with a full answer, whatever came before it', async () => {
    const warning = { type: 'error', message: 'Reconnecting... 1/2' };
    const stdout = codexSays(warning, { type: 'item.completed', item: null }, MESSAGE, completed);
    expect(await judge(codexCli, { stdout })).toMatchObject({ result: 'PASS', model: 'm-1' });
  });

  it.each<[string, Partial<ProcessOutcome>, string]>([
    ['did not end its turn', { exitCode: 1, stdout: codexSays(MESSAGE) }, 'engine-failed'],
    [
      'says something twice',
      {
        stdout: codexSays(
          {
            ...MESSAGE,
            item: {
              type: 'agent_message',
              text: JSON.stringify(GOOD).replace('"verdict":', '"verdict":"FAIL","verdict":'),
            },
          },
          completed,
        ),
      },
      'judge-unusable',
    ],
    ['said nothing', { stdout: codexSays(completed) }, 'judge-unusable'],
    ['crashed after its answer', { exitCode: 1, stdout: codexSays(MESSAGE, completed) }, 'engine-failed'],
    [
      'failed its turn after its answer',
      { stdout: codexSays(MESSAGE, { type: 'turn.failed', error: { message: 'unexpected status 401 x' } }) },
      'model-auth',
    ],
    [
      'failed in words',
      { stdout: codexSays(MESSAGE, { type: 'turn.failed', error: { message: 'agent loop died' } }) },
      'engine-failed',
    ],
    [
      'failed as the gateway words it for Codex',
      {
        stdout: codexSays(MESSAGE, {
          type: 'turn.failed',
          error: { message: 'unexpected: the model server answered 529: overloaded' },
        }),
      },
      'model-overloaded',
    ],
    ['failed without a word', { stdout: codexSays(MESSAGE, { type: 'turn.failed' }) }, 'engine-failed'],
  ])('that %s is undecided', async (_, outcome, errorKind) => {
    expect(await judge(codexCli, outcome)).toMatchObject({ result: 'SKIP', errorKind });
  });

  it('that ran out of time says what the gateway was waiting for', async () => {
    const failure: ModelFailure = { kind: 'rate-limit', status: 429, message: 'api answered 429' };
    expect(await judge(codexCli, { ended: 'timed-out', exitCode: null }, failure)).toMatchObject({
      result: 'SKIP',
      errorKind: 'model-rate-limit',
    });
  });

  it('is believed less than the gateway', async () => {
    const failure: ModelFailure = { kind: 'overloaded', status: 529, message: 'api answered 529' };
    const stdout = codexSays({ type: 'turn.failed', error: { message: 'high demand' } });
    expect(await judge(codexCli, { exitCode: 1, stdout }, failure)).toMatchObject({
      result: 'SKIP',
      errorKind: 'model-overloaded',
      error: 'the judge’s model did not answer: api answered 529',
    });
  });
});
