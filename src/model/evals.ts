/** `evals/eval-config.json` and `evals/cases/*.yaml`. */
import { z } from 'zod';
import { MAX_RUNS } from './case.ts';
import { caseName, envMap, seconds } from './names.ts';
import { jsonDocument, record } from './on-disk.ts';

const text = z.string();
const list = z.array(text);

export const SUPPORTED_ENGINES = ['claude-code', 'codex', 'command', 'completion'] as const;
export const RESERVED_ENGINES = ['copilot', 'cursor'] as const;
export const TARGET_KINDS = ['skill', 'hook', 'agent'] as const;

const price = z.number().nonnegative({ error: 'must not be negative' });

export const evalConfig = jsonDocument({
  version: z.literal(1, { error: 'must be 1' }),
  engine: text.describe('Agent to run: claude-code, codex, command, or completion for a bare model'),
  timeout: seconds.default(120),
  judge: text.describe('Model that decides judge.criteria').optional(),
  runs: z
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be 1 or more' })
    .max(MAX_RUNS, { error: `must be ${MAX_RUNS} at most` })
    .describe('Trials of each case; default 1')
    .optional(),
  command: list
    .min(1, { error: 'must name a program' })
    .describe('With engine "command": what to run')
    .optional(),
  sandbox: record({
    network: z.boolean().default(false),
    'writable-paths': list.optional(),
  }).optional(),
  env: envMap.default({}),
  prices: z
    .record(
      text,
      record({
        input: price,
        output: price,
        'cache-read': price.optional(),
        'cache-write': price.optional(),
      }),
    )
    .describe('Model id or its beginning → US dollars per million tokens, for cost and --max-cost-usd')
    .optional(),
});

export const evalCase = record({
  name: caseName,
  description: text.optional(),
  target: text.describe('skill:<name>, hook:<event> or agent:<name>').optional(),
  input: record({
    prompt: text
      .refine((it) => it.trim() !== '', { error: 'must not be empty' })
      .refine((it) => !it.includes('\0'), { error: 'must not contain a NUL character' }),
    files: list.describe('Files copied into the workspace, relative to evals/').optional(),
    'workspace-files': list.describe('Files created in the workspace beforehand').optional(),
  }),
  expected: record({
    contains: list.optional(),
    'not-contains': list.optional(),
    'files-created': list.optional(),
    'agent-blocked': z.boolean().optional(),
  }).optional(),
  judge: record({
    criteria: text
      .refine((it) => it.trim() !== '', { error: 'must not be empty' })
      .describe('What must hold for the case to pass, in plain words'),
  }),
});

export type EvalConfig = z.output<typeof evalConfig>;
export type EvalCase = z.output<typeof evalCase>;
