/** Cases of several turns: one real session of the real CLIs, resumed for each of them. */
import { describe, expect, it } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import {
  type AgentEngine,
  ENGINE_NAMES,
  evalCase,
  judgeSays,
  PACKAGE,
  shell,
  withOwnAgent,
} from '../helpers/eval.ts';
import type { ModelRequest, Script, Turn } from '../helpers/model-server.ts';
import { writePackage } from '../helpers/package.ts';
import { type PlannedOptions, runPlanned } from '../helpers/plan.ts';

const FOLLOW_UPS = ['And now the second part.', 'Finally the third part.'];
const MODELS = { 'claude-code': 'claude-sonnet-5-5', codex: 'gpt-5.4' };

const CASE = {
  ...PACKAGE,
  'evals/cases/a.yaml': evalCase('a', {
    input: { prompt: 'Start with the first part.' },
    expected: { contains: ['third answer'] },
  }),
};

/** Answers by what was asked last. */
function answering(engine: AgentEngine): Script {
  return ({ body, turn }) => {
    const text = JSON.stringify(body);
    if (text.includes('the third part')) return { text: 'The third answer.' };
    if (text.includes('the second part'))
      return turn === 1 ? { tools: [shell(engine, 'echo kept > note.txt')] } : { text: 'The second answer.' };
    return { text: 'The first answer.' };
  };
}

const withTurnsAndCriteria = (it: Case): Case => ({ ...it, followUps: FOLLOW_UPS });
const withTurns = (it: Case): Case => ({ ...it, followUps: FOLLOW_UPS, criteria: [] });

/** A hook that lets every prompt pass but the first. */
const GUARD = 'grep -q "the first part" || exit 0; echo "not that" >&2; exit 2';

async function run(engine: AgentEngine, options: Omit<PlannedOptions, 'root'>, files: object = {}) {
  await using pkg = await writePackage({ ...CASE, ...files });
  return await runPlanned({
    root: pkg.root,
    engine,
    model: MODELS[engine],
    change: options.judgeScript ? withTurnsAndCriteria : withTurns,
    ...options,
  });
}

describe.each(ENGINE_NAMES)('several turns with %s', (engine) => {
  it('goes on with one session: each request carries what was said before', async () => {
    const { report, requests, captures } = await run(engine, { script: answering(engine) });
    expect(report.cases[0]).toMatchObject({
      verdict: 'PASS',
      agent_output_snippet: 'The third answer.',
    });
    expect(requests).toHaveLength(4);
    expect(report.usage.requests).toBe(4);
    const said = requests.map(({ body }) => JSON.stringify(body));
    expect(said[0]).not.toContain('the second part');
    expect(said[1]).toMatch(/Start with the first part.*The first answer.*And now the second part/);
    expect(said[3]).toMatch(
      /Start with the first part.*The first answer.*the second part.*note\.txt.*The second answer.*the third part/,
    );
    const [capture] = captures;
    const told = capture?.events.filter(({ type }) => type !== 'error').map(({ type }) => type);
    expect(told).toEqual([
      ...['session', 'message', 'turn'],
      ...['tool-call', 'tool-result', 'message', 'turn'],
      ...['message', 'end'],
    ]);
    expect(capture?.events.filter(({ type }) => type === 'turn')).toEqual([
      { type: 'turn', answer: 'The first answer.', prompt: FOLLOW_UPS[0] },
      { type: 'turn', answer: 'The second answer.', prompt: FOLLOW_UPS[1] },
    ]);
    expect(capture?.output).toBe('The first answer.\nThe second answer.\nThe third answer.');
  });

  it('goes on with it without a sandbox too', async () => {
    const { report } = await run(engine, { script: answering(engine), sandbox: 'none' });
    expect(report.cases[0]).toMatchObject({ verdict: 'PASS', agent_output_snippet: 'The third answer.' });
  });

  it('shows the judge what the user said and what was answered', async () => {
    let asked = '';
    const { report } = await run(engine, {
      script: answering(engine),
      judge: 'claude-opus-4-6',
      judgeScript: (request: ModelRequest) => {
        asked = JSON.stringify(request.body);
        return judgeSays('PASS', ['The second answer.'])(request);
      },
    });
    expect(report.cases[0]).toMatchObject({ verdict: 'PASS', judge_verdict: { result: 'PASS' } });
    expect(asked).toContain('what the user said after each answer');
    expect(asked).toMatch(/The first answer.*And now the second part.*The second answer.*Finally the third/);
  });

  it('plays a tape of all turns without a model', async () => {
    await using pkg = await writePackage(CASE);
    const options = { root: pkg.root, engine, model: MODELS[engine], change: withTurns };
    const tape = { folder: null, strict: false, source: 'recorded' } as const;
    const recorded = await runPlanned({
      ...options,
      script: answering(engine),
      tape: { ...tape, mode: 'record' },
    });
    expect(recorded.report.cases[0]).toMatchObject({ verdict: 'PASS', warnings: [] });
    const replayed = await runPlanned({ ...options, tape: { ...tape, mode: 'replay' } });
    expect(replayed.report.cases[0]).toMatchObject({
      verdict: 'PASS',
      agent_output_snippet: 'The third answer.',
    });
    expect(replayed.requests).toEqual([]);
    expect(replayed.report.usage).toEqual(recorded.report.usage);
  });

  it('ends the case with the turn in which the model fails', async () => {
    const script = ({ body }: ModelRequest): Turn =>
      JSON.stringify(body).includes('the second part') ? { status: 401 } : { text: 'The third answer.' };
    const { report, captures } = await run(engine, { script });
    expect(report.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'model-auth' });
    expect(captures[0]?.events.filter(({ type }) => type === 'turn')).toHaveLength(1);
  });

  it('gives all turns together the time of the case', async () => {
    // None of them would be too long alone.
    const slow = { tools: [shell(engine, 'timeout 5 tail -f /dev/null; echo over')] };
    const script = ({ body, turn }: ModelRequest): Turn => {
      const second = JSON.stringify(body).includes('the second part');
      return turn === (second ? 2 : 0) ? slow : { text: 'The third answer.' };
    };
    const { report, captures } = await run(engine, { script, timeoutSeconds: 9 });
    expect(report.cases[0]).toMatchObject({
      verdict: 'FAIL',
      error_kind: 'timeout',
      error: expect.stringContaining('still running after 9 s'),
    });
    expect(captures[0]?.events.at(-1)?.type).not.toBe('end');
  });

  it('goes on after a hook has held back the first prompt', async () => {
    const { report, requests, captures } = await run(
      engine,
      { script: answering(engine) },
      {
        'hooks/hooks.json': {
          version: 1,
          hooks: { 'pre-prompt': [{ hooks: [{ type: 'command', command: GUARD }] }] },
        },
      },
    );
    expect(report.cases[0]).toMatchObject({ verdict: 'PASS', agent_output_snippet: 'The third answer.' });
    expect(captures[0]?.hooks.map(({ decision }) => decision)).toEqual(['block', 'none', 'none']);
    expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain('The first answer.');
  });
});

describe.each(ENGINE_NAMES)('instructions with %s', (engine) => {
  it('are told the model in every turn, beside the agent’s own', async () => {
    const instructions = `Say "it's" \\n \u007f 日本\nand nothing else. ${'Long. '.repeat(30_000)}End of it.`;
    const script: Script = [{ text: 'The third answer.' }];
    const change = (it: Case): Case => ({ ...withTurns(it), instructions });
    const { report, requests } = await run(engine, { script, change });
    expect(report.cases[0]?.verdict).toBe('PASS');
    expect(requests).toHaveLength(3);
    for (const { body } of requests) {
      const told = engine === 'codex' ? body.input : body.system;
      const texts = told.filter(
        ({ role = 'system' }: { role?: string }) => role === 'system' || role === 'developer',
      );
      expect(JSON.stringify(texts)).toContain(JSON.stringify(instructions).slice(1, -1));
      expect(JSON.stringify(body).split('End of it.')).toHaveLength(2);
    }
  });
});

it('does not pass instructions to an agent that has no way to take them', async () => {
  await using pkg = await writePackage({ ...CASE, ...withOwnAgent('echo third answer') });
  const change = (it: Case): Case => ({ ...it, criteria: [], instructions: 'Be brief.' });
  const { report } = await runPlanned({ root: pkg.root, change });
  expect(report.cases[0]).toMatchObject({
    verdict: 'SKIP',
    error_kind: 'unsupported',
    error: expect.stringContaining('instructions'),
  });
});

it('does not pass a case of several turns to an agent of the user’s', async () => {
  await using pkg = await writePackage({ ...CASE, ...withOwnAgent('echo third answer') });
  const { report } = await runPlanned({ root: pkg.root, change: withTurns });
  expect(report.cases[0]).toMatchObject({
    verdict: 'SKIP',
    error_kind: 'unsupported',
    error: expect.stringContaining('several turns'),
  });
});

it.each([
  [0.0002, 'SKIP', 1],
  [0.0005, 'SKIP', 2],
  [0.0012, 'PASS', 4],
])('counts what all turns cost together: $%d', async (maxCostUsd, verdict, count) => {
  const { report, requests } = await run('claude-code', { script: answering('claude-code'), maxCostUsd });
  expect(report.cases[0]).toMatchObject({
    verdict,
    ...(verdict === 'SKIP' && { error_kind: 'budget' }),
    cost_usd: expect.closeTo(count * 0.00027, 6),
  });
  expect(requests).toHaveLength(count);
});
