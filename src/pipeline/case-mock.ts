/** What a mock answers. */
import type { Case, MockAnswer, SuiteSettings } from '../model/case.ts';

/** What the case itself says comes before what its target does; undefined: nobody says anything. */
export function mockFor(
  { mock }: Pick<Case, 'mock'>,
  { target }: Pick<SuiteSettings, 'target'>,
): MockAnswer | undefined {
  if (mock) return mock;
  const response = target?.response ?? null;
  return response === null ? undefined : { response, toolCalls: [] };
}
