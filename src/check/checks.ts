/** The checks of deterministic tests, by the name a case declares them under. */
import type { ProcessOutcome } from '../model/process.ts';
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
    const inStdout = notContains(expected, stdout.text, 'stdout');
    return inStdout.verdict === 'FAIL' ? inStdout : notContains(expected, stderr.text, 'stderr');
  },
  'stdout-json': (expected: Expected<'stdoutJson'>, { stdout }) =>
    jsonSubset(expected, stdout.text, 'stdout'),
} as const satisfies Record<string, Check<never, Observed>>;
