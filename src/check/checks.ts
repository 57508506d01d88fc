/** The checks of deterministic tests, by the name a case declares them under. */
import type { CapturedText, ProcessOutcome } from '../model/process.ts';
import type { Expectation } from '../model/tests.ts';
import type { Check } from './check.ts';
import { contains, notContains } from './kinds/contains.ts';
import { exitCode } from './kinds/exit-code.ts';
import { jsonSubset } from './kinds/json-subset.ts';

type Observed = Pick<ProcessOutcome, 'exitCode' | 'stdout' | 'stderr'>;
type Expected<Key extends keyof Expectation> = NonNullable<Expectation[Key]>;

export const TEST_CHECKS = {
  'exit-code': (expected: Expected<'exitCode'>, { exitCode: actual }) => exitCode(expected, actual),
  'stdout-contains': (expected: Expected<'stdoutContains'>, { stdout }) =>
    contains(expected, stdout.text, 'stdout'),
  'stderr-contains': (expected: Expected<'stderrContains'>, { stderr }) =>
    contains(expected, stderr.text, 'stderr'),
  'not-contains': (expected: Expected<'notContains'>, { stdout, stderr }) => {
    const inStdout = notContains(expected, stdout.text, 'stdout', gapIn(stdout));
    return inStdout.verdict === 'FAIL'
      ? inStdout
      : notContains(expected, stderr.text, 'stderr', gapIn(stderr));
  },
  'stdout-json': (expected: Expected<'stdoutJson'>, { stdout }) => {
    try {
      return jsonSubset(expected, stdout.text, 'stdout');
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return { verdict: 'FAIL', message: 'stdout is nested too deeply to be compared', actual: null };
    }
  },
} as const satisfies Record<string, Check<never, Observed>>;

function gapIn({ truncated, bytes }: CapturedText): string | null {
  return truncated ? `it is ${bytes} bytes long, and the middle was not kept` : null;
}
