/** The report of a test run, from the records of its cases. */
import type { TestCaseRecord, TestPackageRecord, TestReport } from '../model/test-report.ts';

interface TestFacts {
  /** Selected cases that could not be run. */
  readonly invalid: number;
  readonly sandbox: TestReport['sandbox'];
  readonly durationMs: number;
  readonly interrupted: boolean;
}

export function reportOfTests(
  packages: TestPackageRecord[],
  { invalid, sandbox, durationMs, interrupted }: TestFacts,
): TestReport {
  const cases = packages.flatMap((pkg) => pkg.cases);
  const count = (verdict: TestCaseRecord['verdict']) => cases.filter((it) => it.verdict === verdict).length;
  const summary = {
    total: cases.length + invalid,
    passed: count('PASS'),
    failed: count('FAIL'),
    skipped: count('SKIP'),
    invalid,
  };
  return {
    version: 1,
    sandbox,
    duration_ms: Math.round(durationMs),
    summary,
    exit_code: exitCode(summary, interrupted),
    packages,
  };
}

/** 0 all passed · 1 something failed · 2 a selected case could not be run · 3 something undecided · 130 interrupted. */
function exitCode({ failed, invalid, skipped }: TestReport['summary'], interrupted: boolean): number {
  if (interrupted) return 130;
  if (failed > 0) return 1;
  if (invalid > 0) return 2;
  return skipped > 0 ? 3 : 0;
}
