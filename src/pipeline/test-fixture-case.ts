/** Decides the assertions of one case of a fixture by the answer of its mock. */
import { type Observed, runGraders } from '../check/graders.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Case, MockAnswer } from '../model/case.ts';
import type { CheckRecord, TestCaseRecord } from '../model/test-report.ts';
import type { Json } from '../model/tests.ts';
import type { CheckOutcome } from '../model/trial.ts';

export function decideByMock(it: Case): TestCaseRecord {
  const started = performance.now();
  const asserted = it.graders.filter(({ id }) => it.assertions?.includes(id));
  if (!it.mock)
    return leftOut(it, 'no-mock', 'no mock answers it: mocks/*.json has no agent_response for its id');
  if (asserted.length === 0)
    return leftOut(it, 'ungraded', 'it has no assertions; its evaluator decides it:  aam eval');
  const outcomes = runGraders({ graders: asserted }, observed(it.mock, it.target));
  const open = outcomes.find(({ verdict }) => verdict === 'SKIP');
  const failed = outcomes.some(({ verdict }) => verdict === 'FAIL');
  return {
    ...frame(it),
    verdict: failed ? 'FAIL' : open ? 'SKIP' : 'PASS',
    duration_ms: Math.round((performance.now() - started) * 10) / 10,
    checks: outcomes.flatMap((outcome) => checkRecord(it, outcome, it.mock?.response ?? '')),
    ...(!failed &&
      open && { error: `${open.check}: ${open.message}`, error_kind: 'check-undecided' as const }),
  };
}

export function leftOut(
  it: Case,
  kind: NonNullable<TestCaseRecord['error_kind']>,
  error: string,
): TestCaseRecord {
  return { ...frame(it), verdict: 'SKIP', error, error_kind: kind };
}

function frame(it: Case): Omit<TestCaseRecord, 'verdict'> {
  const [id = it.name] = it.aliases;
  return {
    id,
    name: it.name,
    stem: it.name,
    target: id.includes('/') ? id.slice(0, id.indexOf('/')) : id,
    ...(it.description !== null && { description: it.description }),
    file: it.file,
    line: it.line,
    column: 1,
    duration_ms: 0,
    checks: [],
    runs: [],
    notes: [],
  };
}

/** What the mock says, and nothing that was expected of it. */
function observed({ response, toolCalls }: MockAnswer, target: string | null): Observed {
  const calls = toolCalls.map(
    ({ tool, input }, index): AgentEvent => ({
      type: 'tool-call',
      id: `call-${index + 1}`,
      tool,
      input,
      subAgent: false,
    }),
  );
  return {
    answer: response,
    answers: [response],
    said: response,
    events: calls,
    tellsTools: true,
    tellsSkills: false,
    target,
    created: [],
    notFiles: {},
    existedBefore: [],
    present: [],
    read: () => ({ problem: 'there is no workspace', state: 'missing' }),
    hooks: [],
    installed: [],
    confirmed: [],
    gap: null,
    hookGap: null,
    fileGap: null,
    durationMs: null,
    costUsd: null,
    usage: null,
  };
}

const SHOWN = 500;

function checkRecord(
  { graders, file, line }: Case,
  { check, verdict, message }: CheckOutcome,
  answer: string,
): CheckRecord[] {
  if (verdict === 'SKIP') return [];
  const its = graders.find(({ id }) => id === check);
  return [
    {
      check,
      verdict,
      message,
      expected: (its?.options ?? null) as unknown as Json,
      actual: answer.length > SHOWN ? `${answer.slice(0, SHOWN)}…` : answer,
      file,
      ...(its?.place ?? { line, column: 1 }),
    },
  ];
}
