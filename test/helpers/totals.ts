/** Closes a run of the tests with plain lines that any CI can read. */
import type { TestCase } from 'vitest/node';
import type { Reporter } from 'vitest/reporters';
import '../faults/figures.ts';
import '../hostile/attempts.ts';

export const totals: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    const lines = [killLine(tests), faultLine(tests), hostileLine(tests), countLine(tests)];
    for (const line of lines) if (line !== null) console.log(`\n${line}`);
  },
};

function killLine(tests: readonly TestCase[]): string | null {
  const kills = tests.flatMap((test) => test.meta().kills ?? []);
  if (kills.length === 0) return null;
  const sum = (key: keyof (typeof kills)[number]) => kills.reduce((total, it) => total + it[key], 0);
  const places = `${sum('beforeRecord')} before the record, ${sum('amongTrials')} among the trials, ${sum('afterTrials')} after them`;
  const outcome = heldOff(tests.filter((test) => test.meta().kills))
    ? 'nothing lost, run twice or left behind'
    : 'not all went well';
  return `kill -9: ${sum('points')} points over ${sum('runs')} runs (${places}); ${outcome}`;
}

function faultLine(tests: readonly TestCase[]): string | null {
  const injected = tests.filter((test) => test.meta().fault !== undefined);
  if (injected.length === 0) return null;
  const kinds = new Set(injected.map((test) => test.meta().fault));
  const outcome = heldOff(injected) ? 'all told as they are' : 'not all told as they are';
  return `faults: ${injected.length} injected, of ${kinds.size} kinds; ${outcome}`;
}

function hostileLine(tests: readonly TestCase[]): string | null {
  const tried = tests.filter((test) => (test.meta().attempts ?? 0) > 0);
  if (tried.length === 0) return null;
  const sum = (key: 'attempts' | 'leaks') =>
    tests.reduce((total, test) => total + (test.meta()[key] ?? 0), 0);
  const outcome = heldOff(tried) ? 'all held off' : 'not all held off';
  return `hostile attempts: ${sum('attempts')}, ${outcome}; leaks found: ${sum('leaks')}`;
}

function heldOff(tests: readonly TestCase[]): boolean {
  return tests.every((test) => test.result().state !== 'failed');
}

function countLine(tests: readonly TestCase[]): string {
  const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  for (const test of tests) count[test.result().state]++;
  return `${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`;
}
