import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { ProcessOutcome } from '../../src/model/process.ts';
import type { ModelFailure } from '../../src/model/usage.ts';
import { type Evidence, excuseFor, findFault } from '../../src/pipeline/trial-verdict.ts';

const TEXT = { text: '', bytes: 0, truncated: false };
const EXITED: ProcessOutcome = { ended: 'exited', exitCode: 0, stdout: TEXT, stderr: TEXT, durationMs: 1 };
const TIMED_OUT: ProcessOutcome = { ...EXITED, ended: 'timed-out', exitCode: null };
const END: AgentEvent = {
  type: 'end',
  ok: true,
  output: 'Done.',
  reason: null,
  costUsd: null,
  modelError: null,
};
const BAD_END: AgentEvent = { ...END, ok: false, reason: 'it broke' };
const LIMITED: ModelFailure = { kind: 'rate-limit', status: 429, message: 'slow down' };
const REFUSED: ModelFailure = { kind: 'bad-request', status: 404, message: 'no such model' };

function fault(more: Partial<Evidence>): string {
  const found = findFault({
    outcome: EXITED,
    events: [END],
    modelFailure: null,
    unanswered: null,
    requests: 1,
    askedBefore: false,
    ranHooks: false,
    isInHook: false,
    heldBack: false,
    callsCommand: false,
    ownModel: false,
    timeoutSeconds: 9,
    memoryBytes: null,
    isInterrupted: false,
    ...more,
  });
  return found === null ? 'none' : `${found.verdict} ${found.errorKind}: ${found.error}`;
}

describe('findFault', () => {
  it('finds none in a session that came to its end, whatever the model did on the way', () => {
    expect(fault({})).toBe('none');
    expect(fault({ modelFailure: LIMITED })).toBe('none');
  });

  it('blames nobody for what an interrupted run leaves undecided, whoever ended first', () => {
    const interrupted = 'SKIP interrupted: the run was interrupted while this case ran';
    expect(fault({ outcome: { ...EXITED, ended: 'aborted' } })).toBe(interrupted);
    const gaveUp = { modelFailure: LIMITED, events: [] };
    expect(fault(gaveUp)).toMatch(/^SKIP model-rate-limit/);
    expect(fault({ ...gaveUp, isInterrupted: true })).toBe(interrupted);
    const told = { outcome: { ...EXITED, exitCode: 143 }, events: [] };
    expect(fault(told)).toMatch(/^FAIL agent-crashed/);
    expect(fault({ ...told, isInterrupted: true })).toBe(interrupted);
    // What is decided stays so.
    expect(fault({ isInterrupted: true })).toBe('none');
    expect(fault({ outcome: TIMED_OUT, events: [], isInterrupted: true })).toMatch(/^FAIL timeout/);
  });

  it('blames the model for a time-out only while the model owes an answer', () => {
    const late = { outcome: TIMED_OUT, events: [] };
    expect(fault(late)).toMatch(/^FAIL timeout/);
    expect(fault({ ...late, unanswered: LIMITED })).toMatch(/^SKIP model-rate-limit/);
    expect(fault({ ...late, modelFailure: LIMITED })).toMatch(/^SKIP model-rate-limit/);
  });

  it('does not blame the case for an engine that never got going, unless the package could have kept it', () => {
    const stuck = { outcome: TIMED_OUT, events: [], requests: 0 };
    const undecided = 'SKIP engine-failed: the engine had not asked its model after 9 s';
    expect(fault(stuck)).toBe(undecided);
    const said = { ...TIMED_OUT, stdout: { ...TEXT, bytes: 9 } };
    expect(fault({ ...stuck, outcome: said })).toBe(undecided);
    const kept = [
      ...[{ requests: 1 }, { askedBefore: true }, { ranHooks: true }],
      ...[{ callsCommand: true }, { ownModel: true }],
    ];
    for (const more of kept) expect(fault({ ...stuck, ...more })).toMatch(/^FAIL timeout/);
  });

  it('does not let a request that was refused excuse an agent that hangs or crashes', () => {
    expect(fault({ outcome: TIMED_OUT, events: [], modelFailure: REFUSED })).toMatch(/^FAIL timeout/);
    expect(fault({ outcome: { ...EXITED, exitCode: 3 }, events: [], modelFailure: REFUSED })).toMatch(
      /^FAIL agent-crashed/,
    );
    const gaveUp = { ...BAD_END, modelError: { status: 404, message: 'no such model' } };
    expect(fault({ events: [gaveUp], modelFailure: REFUSED })).toMatch(/^SKIP model-bad-request/);
    expect(fault({ events: [BAD_END], modelFailure: REFUSED })).toMatch(/^SKIP model-bad-request/);
    expect(fault({ outcome: TIMED_OUT, events: [BAD_END], modelFailure: REFUSED })).toMatch(/^FAIL timeout/);
    expect(fault({ modelFailure: REFUSED })).toBe('none');
  });

  it('tells an engine that never asked its model from an agent that crashed', () => {
    const crashed = { outcome: { ...EXITED, exitCode: 1 }, events: [] };
    expect(fault({ ...crashed, requests: 0 })).toMatch(/^SKIP engine-failed/);
    expect(fault(crashed)).toMatch(/^FAIL agent-crashed/);
    expect(fault({ ...crashed, requests: 0, ownModel: true })).toMatch(/^FAIL agent-crashed/);
    expect(fault({ ...crashed, requests: 0, ranHooks: true })).toMatch(/^SKIP engine-failed/);
    expect(fault({ ...crashed, requests: 0, ranHooks: true, isInHook: true })).toBe(
      'FAIL agent-crashed: the agent ended with exit code 1 without an answer while a hook of the package ran',
    );
  });

  it('takes no words of the engine for those of its model', () => {
    const told: AgentEvent = { type: 'error', message: 'taken for a command' };
    expect(fault({ requests: 0, events: [told, END] })).toMatch(/^SKIP engine-failed: .*taken for a command/);
    expect(fault({ requests: 0, heldBack: true })).toBe('none');
    expect(fault({ requests: 0, callsCommand: true, events: [told, END] })).toBe(
      'FAIL agent-error: the command of the package ended before the model was asked: taken for a command',
    );
    expect(fault({ requests: 0, ownModel: true })).toBe('none');
  });

  it.each([
    ['the sandbox', { outcome: { ...EXITED, ended: 'not-started' as const, error: 'no' } }, /^SKIP sandbox/],
    ['Ctrl-C', { outcome: { ...EXITED, ended: 'aborted' as const } }, /^SKIP interrupted/],
    ['its own budget', { events: [{ ...BAD_END, outOfBudget: true as const }] }, /^SKIP budget/],
    ['an error of its own', { events: [BAD_END] }, /^FAIL agent-error: .*it broke/],
    ['an exit code after the answer', { outcome: { ...EXITED, exitCode: 9 } }, /^FAIL agent-crashed/],
    [
      'a flood',
      { ownModel: true, outcome: { ...EXITED, stdout: { text: '', bytes: 1e8, truncated: true } } },
      /^FAIL too-much-output: .*100000000 bytes/,
    ],
  ])('tells what ended it: %s', (_, evidence, expected) => {
    expect(fault(evidence)).toMatch(expected);
  });

  it('says what ended without a word, and which limit it had', () => {
    const outcome = { ...EXITED, exitCode: 1 };
    const stderr = { ...TEXT, text: 'one\ntwo\nthree\nfour\n' };
    const silent: AgentEvent = { ...END, output: '' };
    const all = [
      { outcome, events: [silent], ownModel: true },
      { outcome: { ...outcome, stderr }, events: [silent], ownModel: true },
      { outcome: { ...outcome, stderr }, ownModel: true },
      { outcome, events: [], requests: 0, memoryBytes: 64 * 1024 * 1024 },
    ];
    expect(all.map(fault)).toMatchInlineSnapshot(`
      [
        "FAIL agent-crashed: the agent ended with exit code 1 without output",
        "FAIL agent-crashed: the agent ended with exit code 1 without output: two three four",
        "FAIL agent-crashed: the agent ended with exit code 1 after its answer: two three four",
        "SKIP engine-failed: the engine ended with exit code 1 before it asked its model; --max-memory gives each process 64 MiB",
      ]
    `);
  });
});

describe('excuseFor', () => {
  it('blames no case for what failed after the model had failed it', () => {
    expect(excuseFor([], 'no such file')).toBe(null);
    expect(excuseFor([LIMITED, LIMITED], 'no such file')).toMatchInlineSnapshot(`
      {
        "error": "the model’s rate limit outlasted the retries (429): slow down (and 1 more like it); the agent went on without that answer, so the case cannot be blamed for what failed: no such file",
        "errorKind": "model-rate-limit",
        "verdict": "SKIP",
      }
    `);
  });
});
