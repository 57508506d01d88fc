/** The exit code is the expected one. */
import type { CheckResult } from '../check.ts';

export function exitCode(expected: number, actual: number | null): CheckResult {
  if (actual === expected) return { verdict: 'PASS', message: `exit code ${expected}`, actual };
  const meaning = actual === 127 ? ' (command not found)' : actual === 126 ? ' (not executable)' : '';
  return { verdict: 'FAIL', message: `expected exit code ${expected}, got ${actual}${meaning}`, actual };
}
