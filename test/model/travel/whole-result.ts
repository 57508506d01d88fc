/** A result and a capture in which everything there can be is there. */
import type { AgentEvent } from '../../../src/model/agent-event.ts';
import type { Vote } from '../../../src/model/judgement.ts';
import type { Capture, TrialResult } from '../../../src/model/trial.ts';
import { NO_USAGE } from '../../../src/model/usage.ts';

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

export const EVENTS: {
  readonly [Type in AgentEvent['type']]: Required<Extract<AgentEvent, { type: Type }>>;
} = {
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

export const WHOLE_RESULT: Required<TrialResult> = {
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

export const WHOLE_CAPTURE: Capture = {
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
