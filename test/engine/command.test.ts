import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBubblewrap } from '../../src/sandbox/bubblewrap/bubblewrap.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { HOST } from '../conformance/sandbox.ts';
import { type EngineTrial, runEngine } from '../helpers/engines.ts';

describe('engine: command', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createBubblewrap(HOST);
  });
  afterAll(() => sandbox[Symbol.asyncDispose]());
  const run = (template: readonly string[], trial: Partial<EngineTrial> = {}) =>
    runEngine('command', sandbox, { script: null, template, ...trial });

  it('gives the prompt on standard input when no argument asks for it', async () => {
    await using result = await run(['cat'], { prompt: 'first\n-second' });
    expect(result.events).toEqual([
      { type: 'message', text: 'first\n-second', subAgent: false },
      { type: 'end', ok: true, output: 'first\n-second', reason: null, costUsd: null, modelError: null },
    ]);
  });

  it('fills the placeholders wherever they stand, once', async () => {
    const template = ['printf', '%s|%s|%s', 'in {workspace}', '--prompt={prompt}', '{prompt}{workspace}'];
    const prompt = '{workspace} $1 $& "q"';
    await using result = await run(template, { prompt });
    expect(result.end?.output).toBe(`in /workspace|--prompt=${prompt}|${prompt}/workspace`);
  });

  it('puts the prompt into a file when asked, however long it is', async () => {
    const prompt = `${'long '.repeat(100_000)}end`;
    await using result = await run(['sh', '-c', 'cat "$1"; cat', 'sh', '{prompt_file}'], { prompt });
    expect(result.end?.output).toBe(prompt);
  });

  it('runs in the workspace, without network and keys', async () => {
    const script = 'pwd; echo made > out.txt; env; getent hosts example.com || echo no network';
    await using result = await run(['sh', '-c', script], { env: { GIVEN: 'yes' } });
    expect(result.end?.output).toMatch(/^\/workspace\n/);
    expect(result.end?.output).toMatch(/\nno network$/);
    expect(result.end?.output).toContain('GIVEN=yes');
    expect(result.end?.output).not.toMatch(/KEY|TOKEN/);
    expect(await result.file('out.txt')).toBe('made\n');
  });

  it('keeps a lot of output, and says when it was too much', async () => {
    await using much = await run(['sh', '-c', 'yes | head -c 1000000']);
    expect(much.end?.output).toHaveLength(999_999);
    expect(much.of('error')).toEqual([]);
    await using tooMuch = await run(['sh', '-c', 'yes | head -c 100000000']);
    expect(tooMuch.outcome).toMatchObject({ exitCode: 0, stdout: { bytes: 100_000_000 } });
    expect(tooMuch.end?.output.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(tooMuch.of('cut')).toHaveLength(1);
  });

  it('leaves it to others what an exit code means', async () => {
    await using result = await run(['sh', '-c', 'exit 5']);
    expect(result.outcome.exitCode).toBe(5);
    expect(result.events).toEqual([
      { type: 'end', ok: true, output: '', reason: null, costUsd: null, modelError: null },
    ]);
  });

  it('is not started when there is no such program', async () => {
    await using result = await run(['no-such-agent', '{prompt}']);
    expect(result.outcome).toMatchObject({
      ended: 'not-started',
      error: expect.stringContaining('no-such-agent'),
    });
  });
});
