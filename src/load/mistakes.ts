/** What keeps a case from being run as it is written. */
import type { Diagnostic } from '../model/diagnostic.ts';

export interface ReadWithMistakes<Result> {
  readonly result: Result;
  readonly mistakes: readonly Diagnostic[];
}

/** Of what `read` adds to `told`, beyond files that are missing in the workspace: they fail their case alone. */
export function mistakesIn<Result>(
  told: readonly Diagnostic[],
  read: () => Result,
): ReadWithMistakes<Result> {
  const before = told.length;
  const result = read();
  const found = told.slice(before);
  return {
    result,
    mistakes: found.filter(({ severity, rule }) => severity === 'error' && rule !== 'file_copy_error'),
  };
}
