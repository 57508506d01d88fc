/** What a run of tests tells while it goes on. */
import type { TestCaseRecord } from '../model/test-report.ts';

export type TestEvent =
  | { readonly type: 'run-start'; readonly total: number; readonly packages: number }
  | { readonly type: 'case-start'; readonly id: string }
  | { readonly type: 'case-end'; readonly record: TestCaseRecord };
