/** What `aam tape check` and `aam tape scrub` print with --json. */
import { z } from 'zod';

const text = z.string();

const checkedTape = z.object({
  file: text,
  state: z
    .enum(['current', 'stale', 'damaged', 'missing'])
    .describe('stale: a replay may miss; missing: other cases have a tape with this engine'),
  reasons: z.array(text),
  case: text.nullable(),
  engine: text.nullable(),
  engine_version: text.nullable(),
  source: z.enum(['recorded', 'scripted']).nullable(),
  recorded_at: text.nullable(),
  age_days: z.number().nullable(),
  models: z.array(text),
});

export const tapeCheckReport = z.object({
  version: z.literal(1),
  ok: z.boolean().describe('All tapes are current'),
  folder: text,
  tapes: z.array(checkedTape),
});

export const tapeScrubReport = z.object({
  version: z.literal(1),
  ok: z.boolean().describe('Nothing was found'),
  folder: text,
  files: z.number(),
  findings: z.array(z.object({ file: text, line: z.number(), kind: text })),
});

export type TapeCheckReport = z.output<typeof tapeCheckReport>;
export type CheckedTape = z.output<typeof checkedTape>;
export type TapeScrubReport = z.output<typeof tapeScrubReport>;
