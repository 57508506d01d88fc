/** The checks of deterministic tests: each looks at the stream it is named after. */
import { describe, expect, it } from 'vitest';
import { TEST_CHECKS } from '../../src/check/checks.ts';

const text = (value: string, truncated = false) => ({ text: value, bytes: value.length, truncated });
const OBSERVED = { exitCode: 3, stdout: text('{"a": 1}\nout'), stderr: text('bad\nerr') };

describe('the exit code', () => {
  it.each([
    [3, 3, 'PASS exit code 3'],
    [0, 3, 'FAIL expected exit code 0, got 3'],
    [0, 127, 'FAIL expected exit code 0, got 127 (command not found)'],
    [0, 126, 'FAIL expected exit code 0, got 126 (not executable)'],
    [0, null, 'FAIL expected exit code 0, got null'],
  ])('%i, when it is %j', (expected, exitCode, outcome) => {
    const { verdict, message, actual } = TEST_CHECKS['exit-code'](expected, { ...OBSERVED, exitCode });
    expect([`${verdict} ${message}`, actual]).toEqual([outcome, exitCode]);
  });
});

describe('texts', () => {
  it('are looked for in their own stream', () => {
    expect(TEST_CHECKS['stdout-contains'](['out'], OBSERVED).verdict).toBe('PASS');
    expect(TEST_CHECKS['stdout-contains'](['err'], OBSERVED).message).toBe('stdout does not contain "err"');
    expect(TEST_CHECKS['stderr-contains'](['err'], OBSERVED).verdict).toBe('PASS');
    expect(TEST_CHECKS['stderr-contains'](['out'], OBSERVED).message).toBe('stderr does not contain "out"');
  });

  it('must not be in either', () => {
    const decide = (needle: string, more: Partial<typeof OBSERVED> = {}) =>
      TEST_CHECKS['not-contains']([needle], { ...OBSERVED, ...more });
    expect(decide('none').verdict).toBe('PASS');
    expect(decide('out').message).toBe('stdout contains "out" (line 2)');
    expect(decide('err').message).toBe('stderr contains "err" (line 2)');
  });

  it('may be in what was not kept of either', () => {
    for (const stream of ['stdout', 'stderr'] as const) {
      const cut = { ...OBSERVED, [stream]: text('begin', true) };
      expect(TEST_CHECKS['not-contains'](['x'], cut)).toMatchObject({
        verdict: 'FAIL',
        message: `${stream} is not known to its end, so it may contain "x": it is 5 bytes long, and the middle was not kept`,
      });
    }
  });
});

describe('JSON', () => {
  const decide = (expected: unknown, stdout: string) =>
    TEST_CHECKS['stdout-json'](expected as never, { ...OBSERVED, stdout: text(stdout) });

  it('is that of standard output', () => {
    expect(decide({ a: 1 }, '{"a": 1, "b": 2}').verdict).toBe('PASS');
    expect(decide({ a: 2 }, '{"a": 1}')).toMatchObject({
      verdict: 'FAIL',
      message: 'stdout differs at a: expected 2, got 1',
    });
  });

  it('that is nested without end fails', () => {
    const depth = 100_000;
    expect(decide({ a: 1 }, '['.repeat(depth) + ']'.repeat(depth))).toEqual({
      verdict: 'FAIL',
      message: 'stdout is nested too deeply to be compared',
      actual: null,
    });
  });
});
