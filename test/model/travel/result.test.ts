/** What real runs leave behind survives a journey. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import type { Vote } from '../../../src/model/judgement.ts';
import { travellingCapture, travellingResult } from '../../../src/model/travel/result.ts';
import type { Capture, TrialResult } from '../../../src/model/trial.ts';
import { NO_USAGE } from '../../../src/model/usage.ts';
import { readJournal } from '../../../src/pipeline/journal-lines.ts';
import { aam } from '../../helpers/cli.ts';
import { runEval, runOwnAgent } from '../../helpers/eval.ts';
import { EXAMPLE_MODELS, exampleJudge, exampleModel } from '../../helpers/example-scripts/index.ts';
import { copyExample } from '../../helpers/examples.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { type Files, writePackage } from '../../helpers/package.ts';
import { journalOf, numberedPackage, runIds } from '../../helpers/runs.ts';
import { AGENTCAROUSEL } from './documents.ts';

/** The results of the only run in a folder, and their captures. */
async function leftIn(root: string): Promise<{ results: TrialResult[]; captures: Capture[] }> {
  const [run = ''] = await runIds(root);
  const results = [...readJournal(await journalOf(root, run)).results.values()];
  const files = results.flatMap(({ capture }) => capture ?? []);
  const texts = await Promise.all(files.map((file) => readFile(join(root, '.aam/runs', run, file), 'utf8')));
  return { results, captures: texts.map((text) => JSON.parse(text)) };
}

function expectToSurvive({ results, captures }: Awaited<ReturnType<typeof leftIn>>): void {
  expect(results).not.toEqual([]);
  for (const it of results) expect(travellingResult.parse(JSON.parse(JSON.stringify(it)))).toStrictEqual(it);
  for (const it of captures)
    expect(travellingCapture.parse(JSON.parse(JSON.stringify(it)))).toStrictEqual(it);
}

async function evaluated(files: Files, args: readonly string[]) {
  const folder = await writePackage(files);
  const { stderr } = await aam(['eval', '--json', '--no-judge', ...args], { cwd: folder.root });
  if ((await runIds(folder.root)).length === 0) throw new Error(stderr);
  return { ...folder, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('a journey is survived by what is left of', () => {
  it('an agent of the author’s own, whether it ends well or crashes', async () => {
    const script = 'echo made > out.txt; echo "hello $1"; exit "$1"';
    const expected = () => ({ contains: ['hello 0'], 'files-created': ['out.txt'] });
    await using pkg = await writePackage(numberedPackage(2, script, expected));
    await runOwnAgent(pkg.root);
    const left = await leftIn(pkg.root);
    expect(left.captures.flatMap(({ files }) => files.map(({ path }) => path))).toContain('out.txt');
    expect(left.results.map(({ errorKind }) => errorKind)).toContain('agent-crashed');
    expectToSurvive(left);
  });

  it('a mock with graders that score, groups and programs', async () => {
    const program = `console.log(JSON.stringify({ score: 0.5, assertions: [], details: { a: [null] } }))`;
    const assert = [
      { type: 'contains', value: 'a', weight: 2 },
      { type: 'code-judge', command: ['node', 'grade.mjs'] },
      {
        type: 'composite',
        assert: [{ type: 'is-json', name: 'json' }],
        aggregator: { type: 'weighted_average' },
      },
    ];
    const files = {
      'evals/EVAL.yaml': { tests: [{ id: 'one', input: 'Do it.', assert }] },
      'evals/grade.mjs': program,
      '.agentv/targets.yaml': { targets: [{ name: 'fixed', provider: 'mock', response: '{"a": 1}' }] },
    };
    await using pkg = await evaluated(files, ['evals/EVAL.yaml', '--target', 'fixed']);
    const left = await leftIn(pkg.root);
    expect(left.results.flatMap(({ groups }) => groups ?? [])).toMatchObject([{ verdict: 'PASS' }]);
    expect(left.results.flatMap(({ checks }) => checks.flatMap(({ details }) => details ?? []))).not.toEqual(
      [],
    );
    expectToSurvive(left);
  });

  it('a fixture', async () => {
    await using pkg = await evaluated(AGENTCAROUSEL, ['fixture.yaml', '--engine', 'mock']);
    expectToSurvive(await leftIn(pkg.root));
  });

  it('a real agent that a hook blocks, with a judge', async () => {
    await using folder = await temporaryFolder();
    await copyExample('leaky-guard', folder.path);
    const engine = 'claude-code';
    await runEval(
      folder.path,
      engine,
      await exampleModel('leaky-guard', engine),
      ['--model', EXAMPLE_MODELS[engine], '--judge-all'],
      {},
      await exampleJudge('leaky-guard'),
    );
    const left = await leftIn(folder.path);
    expect(left.captures.flatMap(({ hooks }) => hooks)).not.toEqual([]);
    expect(left.results.map(({ judged }) => judged)).not.toContain(null);
    expectToSurvive(left);
  });
});

const VOTES: { readonly [State in Vote['state']]: Extract<Vote, { state: State }> } = {
  cast: {
    state: 'cast',
    criteria: [{ id: 'a', evidence: ['x'], reason: 'So.', verdict: 'PASS', score: 7 }],
    model: 'm',
    attempts: 1,
  },
  unusable: { state: 'unusable', why: 'no quote', model: null, attempts: 2 },
  failed: { state: 'failed', errorKind: 'model-auth', error: 'no key', attempts: 1 },
};

const EVENTS: { readonly [Type in AgentEvent['type']]: Required<Extract<AgentEvent, { type: Type }>> } = {
  session: { type: 'session', sessionId: 's', model: null, engineVersion: '1', skills: ['a'], agents: null },
  message: { type: 'message', text: 'Hello.', subAgent: false },
  'tool-call': { type: 'tool-call', id: '1', tool: 'Read', input: { a: [null] }, subAgent: true },
  'tool-result': { type: 'tool-result', id: '1', output: 'x', isError: false, durationMs: -0.5 },
  skill: { type: 'skill', name: 'a', how: 'read' },
  'sub-agent': { type: 'sub-agent', name: null },
  hook: { type: 'hook', event: 'PreToolUse', blocked: true, exitCode: 2, detail: 'no' },
  denied: { type: 'denied', tool: 'Bash', by: 'hook', reason: 'no' },
  turn: { type: 'turn', answer: 'a', prompt: 'b' },
  error: { type: 'error', message: 'x' },
  end: {
    ...{ type: 'end', ok: false, output: 'x', reason: null, costUsd: 0.1, outOfBudget: true },
    claimed: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3 },
    modelError: { status: 429, message: 'slow' },
  },
  cut: { type: 'cut', what: 'x' },
  unreadable: { type: 'unreadable', line: '{' },
};

const WHOLE_RESULT: Required<TrialResult> = {
  ...{ trial: 'a.mock.with.1', case: 'a', verdict: 'SKIP', score: null, durationMs: 1.5, usage: NO_USAGE },
  checks: [{ check: 'a', verdict: 'PASS', score: 1, message: 'yes', details: { a: [1] } }],
  groups: [{ group: 'g', verdict: 'FAIL', score: 0, message: 'no', members: ['a'] }],
  ...{ error: 'x', errorKind: 'judge-split', costUsd: null, sessionId: null, model: 'm', engineVersion: '1' },
  judged: {
    ...{ durationMs: 1, usage: { ...NO_USAGE, models: ['m'] }, costUsd: 0.1, warnings: ['w'] },
    judgement: {
      ...{ result: 'SKIP', reason: 'split', model: 'm', provider: 'google', transport: 'api' },
      criteria: [
        {
          ...{ id: 'a', text: 'Good.', weight: 1, negate: true, minScore: 0.5, result: 'SKIP', score: null },
          ...{ scale: [{ from: 0, to: 10, text: 'all' }], reason: 'split', evidence: ['x'], agreement: 0.5 },
          votes: { pass: 1, fail: 1, undecided: 1 },
        },
      ],
      ...{ votes: Object.values(VOTES), attempts: 4, prompt: { version: '1', sha256: 'ab' } },
      ...{ error: 'split', errorKind: 'judge-split' },
    },
  },
  ...{ output: 'x', skillsActivated: ['a'], warnings: ['w'], notTaped: 'x', capture: 'captures/a.json' },
  tape: { file: 'evals/tapes/a.jsonl', source: 'scripted', recordedAt: '2024-01-01T00:00:00Z' },
};

describe('everything that there can be in', () => {
  it('a result', () => {
    expect(travellingResult.parse(JSON.parse(JSON.stringify(WHOLE_RESULT)))).toStrictEqual(WHOLE_RESULT);
  });

  it('a capture', () => {
    const capture: Capture = {
      ...{ trial: 'a', command: ['x'], exitCode: null, ended: 'timed-out', output: '', stderr: '' },
      events: Object.values(EVENTS),
      hooks: [
        {
          ...{ event: 'stop', group: 0, index: 1, command: 'x', toolName: null, exitCode: null },
          ...{ decision: 'none', reason: '', stdout: '', stderr: '', error: 'missing', durationMs: 0.5 },
        },
      ],
      files: [{ path: 'a', change: 'modified', diff: null }],
    };
    expect(travellingCapture.parse(JSON.parse(JSON.stringify(capture)))).toStrictEqual(capture);
  });

  it('what an agent calls its arguments, whatever that may be', () => {
    const input: unknown = JSON.parse('{"__proto__": {"a": 1}, "constructor": null}');
    const event = { ...EVENTS['tool-call'], input };
    const capture = {
      ...{
        trial: 'a',
        command: [],
        exitCode: 0,
        ended: 'exited',
        output: '',
        stderr: '',
        hooks: [],
        files: [],
      },
      events: [event],
    };
    const [arrived] = travellingCapture.parse(capture).events;
    expect(JSON.stringify(arrived)).toBe(JSON.stringify(event));
  });
});
