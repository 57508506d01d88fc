/** What is written down of a run before its first trial, so that it can be continued. */
import { z } from 'zod';
import { EVALUATORS } from './evaluators.ts';

const text = z.string();
const count = z.number();

/** What was asked for, as far as another process needs to know it. Paths are absolute. */
export const runOptions = z.object({
  selection: z.object({
    cases: z.array(text).readonly(),
    targets: z.array(text).readonly(),
    filters: z.array(text).readonly().optional(),
    tags: z.array(text).readonly().optional(),
  }),
  evaluator: z.enum(EVALUATORS).nullable(),
  engine: text.nullable(),
  target: text.nullable().describe('By its name in targets.yaml'),
  targetsFile: text.nullable(),
  model: text.nullable(),
  judge: text.nullable(),
  judgeVotes: count,
  noJudge: z.boolean(),
  judgeAll: z.boolean(),
  runs: count.nullable(),
  passThreshold: count,
  baseline: z.boolean(),
  timeoutSeconds: count.nullable(),
  sandbox: z.enum(['bubblewrap', 'none']),
  tape: z.object({
    mode: z.enum(['record', 'replay', 'off']),
    folder: text.nullable(),
    strict: z.boolean(),
    source: z.enum(['recorded', 'scripted']),
  }),
  outputBytes: count.nullable(),
  memoryBytes: count.nullable(),
  cpuSeconds: count.nullable(),
  diskBytes: count.nullable().default(null),
  jobs: count.nullable(),
  keepWorkspace: z.boolean(),
  maxCostUsd: count.nullable(),
  maxTokens: count.nullable(),
  output: text.nullable(),
  benchmarkJson: text.nullable(),
  jsonl: text.nullable(),
  outputs: z.partialRecord(z.enum(['junit', 'markdown', 'html']), text),
});

/** What every result of a run must be of. Values of variables stand here as hashes. */
const runIdentity = z.object({
  aamVersion: text,
  engine: z.object({ name: text, version: text.nullable().describe('null: it does not tell') }),
  package: text.describe('Hash of everything that is installed'),
  files: z.record(text, text).describe('Hash of each installed file; of each folder where they are many'),
  cases: z.record(text, text).describe('Hash of each case, by its name'),
  settings: z.record(text, z.json()).describe('Of the eval config, after the options'),
  trials: count,
});

export const runRecord = z.object({
  version: z.literal(1),
  id: text,
  timestamp: text.describe('Of the start'),
  process: text.describe('pid, start time, boot, pid namespace and machine of the process that began it'),
  home: text.describe('Absolute; the package, or the folder of the eval file'),
  file: text.nullable().describe('The eval file, relative to home; null: the cases of the package'),
  package: z.object({ name: text, version: text.nullable() }),
  options: runOptions,
  identity: runIdentity,
});

export type RunOptions = z.output<typeof runOptions>;
export type RunIdentity = z.output<typeof runIdentity>;
export type RunRecord = z.output<typeof runRecord>;
