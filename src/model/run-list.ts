/** What `aam runs --json` and `aam clean --json` print. */
import { z } from 'zod';

const text = z.string();
const count = z.number();

const listedRun = z.object({
  id: text,
  state: z
    .enum(['running', 'finished', 'interrupted', 'died'])
    .describe('died: its process is gone without a word'),
  timestamp: text.describe('Of the start'),
  duration_seconds: count.describe('Time that was worked on it'),
  package: text,
  engine: text,
  trials: z.object({
    planned: count,
    passed: count,
    failed: count,
    undecided: count,
    missing: count.describe('Not run yet, or interrupted'),
  }),
  cost_usd: count.nullable().describe('What is known of it; null: nothing is'),
  cost_is_complete: z.boolean(),
  report: text.nullable().describe('Absolute; null: none was written'),
  folder: text.describe('Absolute'),
  resume: text.nullable().describe('The command that goes on with it; null: nothing is missing or undecided'),
});

export const runList = z.object({ version: z.literal(1), runs: z.array(listedRun) });

/** Absolute paths, and pids. */
export const cleanReport = z.object({
  version: z.literal(1),
  dry_run: z.boolean().describe('true: this would be removed, and nothing was'),
  folders: z.array(text).describe('Of processes that were killed'),
  processes: z.array(count).describe('Sandboxes that outlived aam'),
  files: z.array(text).describe('That were being written when aam was killed'),
  runs: z.array(text).describe('Finished runs, on request only'),
});

export type ListedRun = z.output<typeof listedRun>;
export type RunList = z.output<typeof runList>;
export type CleanReport = z.output<typeof cleanReport>;
