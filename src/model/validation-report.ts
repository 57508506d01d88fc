/** The record of one `aam validate` run, as `--json` prints it. */
import { z } from 'zod';
import { diagnosticRecord } from './test-report.ts';

const counts = {
  errors: z.array(diagnosticRecord),
  warnings: z.array(diagnosticRecord),
};

export const validationReport = z.object({
  version: z.literal(1),
  ok: z.boolean(),
  /** Files relative to the working folder. */
  ...counts,
  packages: z.array(
    z.object({ name: z.string(), version: z.string().nullable(), root: z.string(), files: z.number() }),
  ),
  suites: z
    .array(
      z.object({
        format: z.string(),
        file: z.string(),
        cases: z.number().describe('Those included that cannot be run'),
      }),
    )
    .describe('Eval files that are not part of a package’s own format'),
});

export type ValidationReport = z.output<typeof validationReport>;
