/** Runs one test case and decides it. Never throws for what the case does. */
import { runInNewContext } from 'node:vm';
import { TEST_CHECKS } from '../check/checks.ts';
import type { HookEntry } from '../model/hooks.ts';
import type { AgentPackage } from '../model/package.ts';
import type { ProcessOutcome } from '../model/process.ts';
import type { CheckRecord, TestCaseRecord, TestRunRecord } from '../model/test-report.ts';
import type { Expectation, Json } from '../model/tests.ts';
import { fileStem, type PlannedTest } from '../plan/tests.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Stage, StagePool } from '../sandbox/stage.ts';
import { decisive, together } from './hook-group.ts';
import { buildPayload } from './hook-payload.ts';

export interface TestContext {
  readonly pkg: AgentPackage;
  readonly sandbox: Sandbox;
  readonly stages: StagePool;
  readonly signal: AbortSignal;
}

const DEFAULT_TIMEOUT_SECONDS = 30;
const GIB = 1024 ** 3;
const LIMITS = { outputBytes: 8 * 1024 ** 2, scratchBytes: GIB, diskBytes: GIB, processes: 4096 };
/** The kernel refuses longer environment values. */
const MAX_ENV_VALUE = 100_000;

export async function runTest(test: PlannedTest, context: TestContext): Promise<TestCaseRecord> {
  const started = performance.now();
  const decided = await attempt(test, context).catch((error: Error) =>
    skipped('sandbox', `the case could not be set up: ${error.message}`),
  );
  return testRecord(test, { ...decided, duration_ms: round(performance.now() - started) });
}

/** The record of a case that was left out. */
export function skippedTest(
  test: PlannedTest,
  kind: NonNullable<TestCaseRecord['error_kind']>,
  error: string,
): TestCaseRecord {
  return testRecord(test, skipped(kind, error));
}

function testRecord(test: PlannedTest, decided: Decided): TestCaseRecord {
  const { file, value, at } = test.case;
  const { name, description } = value;
  return {
    id: testId(test),
    name,
    stem: fileStem(file),
    target: targetOf(test),
    ...(description !== undefined && { description }),
    file,
    ...at([]),
    duration_ms: 0,
    checks: [],
    runs: [],
    notes: [],
    ...decided,
  };
}

export function testId(test: PlannedTest): string {
  return `${targetOf(test)}/${test.case.value.name}`;
}

function targetOf(test: PlannedTest): string {
  return test.kind === 'skill' ? `skill:${test.suite.skill}` : `hook:${test.case.value.event}`;
}

type Decided = Pick<TestCaseRecord, 'verdict'> & Partial<TestCaseRecord>;

async function attempt(test: PlannedTest, context: TestContext): Promise<Decided> {
  if (context.signal.aborted)
    return skipped('interrupted', 'the run was interrupted before this case started');
  const prepared = test.kind === 'skill' ? skillSteps(test) : await hookSteps(test, context.pkg);
  if ('verdict' in prepared) return prepared;

  const { pkg, stages } = context;
  const request = { package: pkg.root, focus: prepared.focus, hidden: `${test.suite.dir}/cases` };
  return stages.lend(request, (stage) => execute(test, prepared, stage, context));
}

/** Commands to run one after the other, and what they get. */
interface Steps {
  readonly commands: readonly { readonly command: string; readonly timeoutMs?: number }[];
  readonly stdin: string | null;
  /** Where they run, and what they may write: inside the package. */
  readonly cwd: string;
  readonly focus: string;
  readonly env: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

function skillSteps({ suite, case: it }: Extract<PlannedTest, { kind: 'skill' }>): Steps {
  const { command, stdin } = it.value.input;
  const dir = suite.skillDir;
  return { commands: [{ command }], stdin: stdin ?? null, cwd: dir, focus: dir, env: {}, notes: [] };
}

async function hookSteps(
  { suite, case: it }: Extract<PlannedTest, { kind: 'hook' }>,
  pkg: AgentPackage,
): Promise<Steps | Decided> {
  const { event, hookIndex } = it.value;
  const group = pkg.hooks?.value.hooks[event]?.[hookIndex];
  const entries: readonly HookEntry[] = group?.hooks ?? [];
  const commands = entries.flatMap((entry) =>
    entry.type === 'command'
      ? [{ command: entry.command, ...(entry.timeout && { timeoutMs: entry.timeout * 1000 }) }]
      : [],
  );
  if (commands.length === 0) return skipped('needs-model', 'this hook is a prompt: only a model can run it');
  const payload = await buildPayload(pkg.root, suite.dir, it.value);
  if ('problem' in payload) {
    return { verdict: 'FAIL', error: String(payload['problem']), error_kind: 'broken-fixture' };
  }

  const notes: string[] = [];
  const prompts = entries.length - commands.length;
  if (prompts > 0)
    notes.push(
      `of this hook ${prompts === 1 ? 'a prompt was' : `${prompts} prompts were`} not run: only a model can`,
    );
  const toolName = payload['toolName'];
  if (group?.matcher && typeof toolName === 'string' && !matches(group.matcher, toolName)) {
    notes.push(
      `the matcher ${JSON.stringify(group.matcher)} does not match the fixture’s tool ${toolName}, so an agent would not run this hook`,
    );
  }
  const stdin = JSON.stringify(payload);
  const file = (payload['toolInput'] as { file_path?: unknown } | undefined)?.file_path;
  const env: Record<string, string> = {};
  if (stdin.length < MAX_ENV_VALUE) env['ARGUMENTS'] = stdin;
  if (typeof file === 'string' && file.length < MAX_ENV_VALUE && !file.includes('\0')) env['file'] = file;
  const hooksFile = pkg.hooks?.file ?? '';
  const focus = hooksFile.slice(0, Math.max(hooksFile.lastIndexOf('/'), 0));
  return { commands, stdin, cwd: '', focus, env, notes };
}

/** A pattern may take for ever; then nothing is said about it. */
function matches(matcher: string, toolName: string): boolean {
  if (matcher === '*') return true;
  try {
    const test = 'new RegExp(matcher).test(toolName)';
    return runInNewContext(test, { matcher, toolName }, { timeout: MATCH_MS }) === true;
  } catch {
    return true;
  }
}

const MATCH_MS = 1000;

async function execute(
  test: PlannedTest,
  steps: Steps,
  stage: Stage,
  context: TestContext,
): Promise<Decided> {
  const { sandbox, signal } = context;
  const cwd = steps.cwd ? `${stage.root}/${steps.cwd}` : stage.root;
  const config = test.suite.config?.value;
  const timeoutMs = (config?.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  // Of its commands alone: what aam was stopped meanwhile is nobody's time.
  let spentMs = 0;
  const env = { PACKAGE_ROOT: stage.root, ...steps.env, ...config?.env };

  const runs: TestRunRecord[] = [];
  const outcomes: ProcessOutcome[] = [];
  const result = (decided: Decided): Decided => ({ runs, notes: [...steps.notes], ...decided });
  for (const { command, timeoutMs: own } of steps.commands) {
    const left = Math.max(timeoutMs - spentMs, 1);
    const limit = Math.min(left, own ?? Number.POSITIVE_INFINITY);
    const outcome = await sandbox.run({
      argv: ['/bin/sh', '-c', command],
      cwd,
      env,
      mounts: stage.mounts,
      stdin: steps.stdin,
      network: false,
      timeoutMs: limit,
      limits: LIMITS,
      signal,
    });
    runs.push(runRecord(command, steps.cwd || '.', outcome));
    outcomes.push(outcome);
    spentMs += outcome.durationMs;
    const problem = failure(outcome, own !== undefined && own < left ? own : timeoutMs);
    if (problem) return result(problem);
  }
  const checks = decide(test, outcomes);
  return result({ verdict: checks.every((check) => check.verdict === 'PASS') ? 'PASS' : 'FAIL', checks });
}

/** What ends a case without its checks: the sandbox's own failure decides nothing, a time-out fails it. */
function failure(
  { ended, error, exceeded, stdout, stderr }: ProcessOutcome,
  timeoutMs: number,
): Decided | null {
  if (ended === 'not-started') return skipped('sandbox', `the sandbox failed: ${error}`);
  if (ended === 'aborted') return skipped('interrupted', 'the run was interrupted while this case ran');
  if (ended === 'timed-out') {
    return {
      verdict: 'FAIL',
      error: `still running after ${timeoutMs / 1000} s; it and all it started were ended`,
      error_kind: 'timeout',
    };
  }
  if (exceeded) {
    const error = `${exceeded.error}; it and all it started were ended`;
    return {
      verdict: 'FAIL',
      error,
      error_kind: exceeded.limit === 'disk' ? 'too-much-disk' : 'too-many-processes',
    };
  }
  if (!stdout.truncated && !stderr.truncated) return null;
  const bytes = Math.max(stdout.bytes, stderr.bytes);
  return {
    verdict: 'FAIL',
    error: `wrote ${bytes} bytes, more than the ${LIMITS.outputBytes} that are kept, so the output cannot be checked`,
    error_kind: 'too-much-output',
  };
}

const FIELDS = {
  'exit-code': 'exitCode',
  'stdout-contains': 'stdoutContains',
  'stderr-contains': 'stderrContains',
  'not-contains': 'notContains',
  'stdout-json': 'stdoutJson',
} as const satisfies Record<keyof typeof TEST_CHECKS, keyof Expectation>;

function decide(test: PlannedTest, outcomes: readonly ProcessOutcome[]): CheckRecord[] {
  const expectation: Expectation = test.case.value.expected;
  const names = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
  return names.flatMap((name) => {
    const expected = expectation[FIELDS[name]];
    if (expected === undefined) return [];
    const check = TEST_CHECKS[name] as (
      expected: unknown,
      outcome: ProcessOutcome,
    ) => ReturnType<(typeof TEST_CHECKS)[typeof name]>;
    const { verdict, message, actual, at, diff } = check(
      expected,
      name === 'not-contains' ? together(outcomes) : decisive(outcomes),
    );
    return [
      {
        check: name,
        verdict,
        message,
        expected,
        actual: actual as Json,
        ...(diff !== undefined && { diff }),
        file: test.case.file,
        ...test.case.at(['expected', name, ...(at ?? [])]),
      },
    ];
  });
}

const KEPT_OUTPUT = 20_000;

function runRecord(command: string, cwd: string, outcome: ProcessOutcome): TestRunRecord {
  const { stdout, stderr } = outcome;
  return {
    command,
    cwd,
    ended: outcome.ended,
    exit_code: outcome.exitCode,
    stdout: stdout.text.slice(-KEPT_OUTPUT),
    stderr: stderr.text.slice(-KEPT_OUTPUT),
    truncated: stdout.text.length > KEPT_OUTPUT || stderr.text.length > KEPT_OUTPUT,
    duration_ms: round(outcome.durationMs),
  };
}

function skipped(kind: NonNullable<TestCaseRecord['error_kind']>, error: string): Decided {
  return { verdict: 'SKIP', error, error_kind: kind };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
