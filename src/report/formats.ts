/** The formats a report, or a comparison of two, can be written in. */
import type { EvalDiff } from '../model/diff.ts';
import type { EvalReport } from '../model/report.ts';
import { evalJunit } from './eval-junit.ts';
import { diffMarkdown } from './markdown/diff.ts';
import { reportMarkdown } from './markdown/report.ts';

export const REPORT_FORMATS = {
  junit: evalJunit,
  markdown: reportMarkdown,
} as const satisfies Record<string, (report: EvalReport) => string | Promise<string>>;

export const DIFF_FORMATS = {
  markdown: diffMarkdown,
} as const satisfies Record<string, (diff: EvalDiff) => string | Promise<string>>;
