/** A judge asked by the real CLIs, in the real sandbox, through the real gateway. */
import { readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
// As built: the bridge that Codex needs runs from there.
import { cliTransport } from '../../dist/pipeline/judge-cli.js';
import { findEngine } from '../../src/engine/find.ts';
import type { Host } from '../../src/model/host.ts';
import { judgeAnswerSchema } from '../../src/model/judgement.ts';
import { SANDBOXES } from '../../src/sandbox/sandboxes.ts';
import { gatewayTo } from '../gateway/helpers.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { modelServer, verdicts } from '../helpers/model-server.ts';

const HOST: Host = { env: process.env, cwd: process.cwd(), home: homedir() };
const QUESTION = {
  system: 'You are an examiner. Decide.',
  prompt: 'Is it so?',
  schema: judgeAnswerSchema([{}]),
};
const WAYS = [
  ['claude-cli', 'claude-code', 'anthropic', 'claude-sonnet-5-5'],
  ['codex-cli', 'codex', 'openai', 'gpt-5.5'],
] as const;

describe.each(WAYS)('%s', (way, engine, provider, model) => {
  it.each(['bubblewrap', 'none'] as const)(
    'answers from inside %s, and leaves nothing behind',
    async (kind) => {
      await using folder = await temporaryFolder();
      await using sandbox = await SANDBOXES[kind](HOST);
      const verdict = { id: 'c', verdict: 'PASS', reason: 'So it is.', evidence: ['x'] };
      await using server = await modelServer([], { judge: (request) => verdicts(request, [verdict]) });
      await using gateway = await gatewayTo(server.url);
      await using door = await gateway.open('t1', provider);
      const { signal } = new AbortController();
      const program = findEngine(engine, HOST)?.path ?? '';
      const transport = cliTransport(way, program, model, door, { sandbox, scratch: folder.path });
      const replies = await Promise.all([transport.ask(QUESTION, signal), transport.ask(QUESTION, signal)]);
      const reply = { state: 'answered', answer: { criteria: [verdict] }, model };
      expect(replies).toEqual([reply, reply]);
      expect(await readdir(folder.path)).toEqual([]);
    },
  );
});
