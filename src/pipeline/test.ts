/** `aam test`: load → select → run in the sandbox → check → report. */
import { tmpdir } from 'node:os';
import pLimit from 'p-limit';
import { makeOwnedFolder, removeOwnedFolder } from '../host/owned-folder.ts';
import { starterFor } from '../host/spawner.ts';
import { discoverPackage, discoverWorkspace } from '../load/discover.ts';
import { readPackage } from '../load/formats/uaaps/package.ts';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';
import type { TestCaseRecord, TestReport } from '../model/test-report.ts';
import { checkPackage } from '../package/rules.ts';
import {
  explainEmptySelection,
  type PlannedTest,
  planTests,
  type TestPlan,
  type TestSelection,
  unmatchedWords,
} from '../plan/tests.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { SANDBOXES, type SandboxName } from '../sandbox/sandboxes.ts';
import { StagePool } from '../sandbox/stage.ts';
import type { TestEvent } from './test-events.ts';
import { reportOfTests } from './test-summary.ts';
import { runTest, skippedTest, testId } from './test-trial.ts';

export interface TestOptions {
  readonly host: Host;
  /** Folder of the package, or (with `workspace`) above the packages. */
  readonly path: string;
  readonly workspace: boolean;
  readonly selection: TestSelection;
  readonly sandbox: SandboxName;
  readonly jobs: number;
  readonly bail: boolean;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: TestEvent) => void;
}

const LEFT_OUT = 'not run, because --bail stopped the run at the first failure';

interface Planned {
  readonly pkg: AgentPackage;
  readonly plan: TestPlan;
}

export async function runTests(options: TestOptions): Promise<TestReport> {
  const started = performance.now();
  const planned = await planAll(options);
  const needsSandbox = planned.some(({ plan }) => plan.tests.length > 0);
  const results = needsSandbox ? await runAll(planned, options) : new Map<PlannedTest, TestCaseRecord>();
  const packages = planned.map(({ pkg, plan }) => ({
    name: pkg.name,
    version: pkg.version,
    root: pkg.root,
    cases: plan.tests.map((test) => results.get(test) ?? skippedTest(test, 'not-run', LEFT_OUT)),
    errors: [...plan.errors],
    warnings: [...plan.warnings],
  }));
  return reportOfTests(packages, {
    invalid: planned.reduce((sum, { plan }) => sum + plan.invalid.length, 0),
    sandbox: options.sandbox,
    durationMs: performance.now() - started,
    interrupted: options.signal.aborted,
  });
}

/** The folders of the packages that a run is about. */
export async function testRoots(
  options: Pick<TestOptions, 'host' | 'path' | 'workspace'>,
): Promise<string[]> {
  return (await discoverAll(options)).map(({ root }) => root);
}

async function discoverAll({ host, path, workspace }: Pick<TestOptions, 'host' | 'path' | 'workspace'>) {
  if (!workspace) return [await discoverPackage(path, host.cwd)];
  return (await discoverWorkspace(path, host.cwd)).map((root) => ({ root, part: '', skill: null }));
}

async function planAll(options: TestOptions): Promise<Planned[]> {
  const { path } = options;
  const found = await discoverAll(options);
  const selection = { ...options.selection, part: found[0]?.part ?? '' };
  const packages = await Promise.all(found.map(({ root }) => readPackage(root)));
  const unmatched = unmatchedWords(packages, selection);
  if (unmatched.length > 0) throw new UserError('the selection names what is not there', ...unmatched);
  const planned = packages.map((pkg) => ({ pkg, plan: planTests(pkg, selection, checkPackage(pkg)) }));
  if (planned.every(({ plan }) => plan.tests.length + plan.invalid.length === 0)) {
    const chosen = Object.values(selection).some((it) => (Array.isArray(it) ? it.length > 0 : it));
    throw new UserError(
      chosen ? 'no test case matches the selection' : `there are no tests in ${path}`,
      ...explainEmptySelection(packages, selection),
    );
  }
  return planned.filter(({ plan }) => plan.tests.length + plan.invalid.length > 0);
}

async function runAll(
  planned: readonly Planned[],
  options: TestOptions,
): Promise<Map<PlannedTest, TestCaseRecord>> {
  const { host, jobs, signal, onEvent } = options;
  const total = planned.reduce((sum, { plan }) => sum + plan.tests.length, 0);
  await using starter = starterFor(total);
  await using sandbox: Sandbox = await SANDBOXES[options.sandbox](host, [], starter);
  const scratch = await makeOwnedFolder(tmpdir(), 'test');
  const stages = new StagePool(sandbox, scratch);
  const results = new Map<PlannedTest, TestCaseRecord>();
  const limit = pLimit(jobs);
  let stopped = false;
  onEvent?.({ type: 'run-start', total, packages: planned.length });
  try {
    const all = planned.flatMap(({ pkg, plan }) => plan.tests.map((test) => ({ pkg, test })));
    await limit.map(all, async ({ pkg, test }) => {
      if (stopped) return;
      onEvent?.({ type: 'case-start', id: testId(test) });
      const record = await runTest(test, { pkg, sandbox, stages, signal });
      results.set(test, record);
      stopped ||= options.bail && record.verdict === 'FAIL';
      onEvent?.({ type: 'case-end', record });
    });
  } finally {
    await removeOwnedFolder(scratch);
  }
  return results;
}
