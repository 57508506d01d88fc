/** Recorded model traffic of one trial, as its lines stand in `evals/tapes/<trial>.jsonl`. */
import { z } from 'zod';

const text = z.string();
const count = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{32}$/, { error: 'must be 32 hexadecimal digits' });

/** `scripted`: the model's answers were written by a person. Such a tape is no evidence about a package. */
export const tapeHeader = z.strictObject({
  tape: z.literal(1, { error: 'must be 1: another version of aam wrote this tape' }),
  source: z.enum(['recorded', 'scripted']),
  recorded_at: z.iso.datetime(),
  trial: text,
  case: text,
  case_hash: text.nullable(),
  engine: text,
  engine_version: text.nullable(),
  /** As asked for; null: the agent's own default. */
  model: text.nullable(),
  /** Who decided the criteria; null: nobody. */
  judge: z
    .strictObject({
      /** As the config has it; null: the model of the agent. */
      name: text.nullable(),
      provider: z.enum(['anthropic', 'openai', 'google']),
      transport: z.enum(['api', 'claude-cli', 'codex-cli']),
      /** As asked for. */
      model: text,
    })
    .nullable(),
  /** All that answered, by the ids they gave. */
  models: z.array(text),
  aam_version: text,
  /** A short hash of each installed file of the package, or of each folder where there are many. */
  package: z.record(text, text),
});

/** A piece of a request, kept once however often it was sent. It serves to say what differs, never to match. */
export const tapePart = z.strictObject({
  part: hash,
  label: text,
  /** Normalised, without secrets. */
  text: text.optional(),
  /** In the place of a long text of the CLI: one short hash for each line. */
  lines: z.array(text).optional(),
});

export const tapeExchange = z.strictObject({
  exchange: count,
  provider: text,
  path: text,
  key: hash,
  /** Tells requests apart that are equal but for what is normalised. */
  variant: hash,
  /** Assistant turns before this request. */
  turn: count,
  /** The request: so many parts of an earlier exchange, then these. */
  like: z.strictObject({ exchange: count, parts: count }).nullable(),
  parts: z.array(hash),
  /** What the CLI called things that have another name in every run, as far as an answer may repeat it. */
  names: z.record(text, text),
  /** What git told the CLI at the start; null: there was no git, and any is as good. */
  git_status: hash.nullable().default(null),
  status: z.number().int().min(100).max(599),
  headers: z.record(text, text),
  body: z.union([
    z.strictObject({ text }),
    z.strictObject({ base64: z.base64({ error: 'must be base64' }) }),
  ]),
  usage: z
    .strictObject({
      model: text.nullable(),
      input_tokens: count,
      output_tokens: count,
      cache_read_tokens: count,
      cache_write_tokens: count,
    })
    .nullable(),
  duration_ms: count,
});

/** The last line: without it the tape is cut off, with another hash it was changed. */
export const tapeEnd = z.strictObject({ end: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export type TapeHeader = z.infer<typeof tapeHeader>;
export type TapePart = z.infer<typeof tapePart>;
export type TapeExchange = z.infer<typeof tapeExchange>;

export interface Tape {
  /** Where it was read from, for messages. */
  readonly file: string;
  readonly header: TapeHeader;
  readonly parts: ReadonlyMap<string, TapePart>;
  readonly exchanges: readonly TapeExchange[];
}
