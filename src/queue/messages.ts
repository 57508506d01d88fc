/** What planner and workers say to each other. Both sides check it, for neither can know who else writes to the queue. */
import { z } from 'zod';
import { travellingCase } from '../model/travel/case.ts';
import { usage } from '../model/travel/judgement.ts';
import { travellingResult } from '../model/travel/result.ts';
import type { TrialResult } from '../model/trial.ts';

/** Ids become parts of keys and of names of files. */
const id = z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,300}$/);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Which process of the run asks: each that goes on with it has a higher number. No clock is compared with another. */
const session = z.int().positive();

/** One trial that waits for a worker. */
export const trialJob = z.strictObject({
  version: z.literal(1),
  run: id,
  session,
  /** Archive with what is common to all trials of the run. */
  bundle: sha256,
  trial: z.strictObject({
    id,
    engine: z.string(),
    arm: z.enum(['with', 'without']),
    repetition: z.int().positive(),
    case: travellingCase,
  }),
});

export type TrialJob = z.output<typeof trialJob>;

const about = { version: z.literal(1), trial: id, worker: z.string().max(200) };

/** `text`: JSON; null where it is a blob. */
const sentCapture = z.strictObject({ sha256, text: z.string().nullable() });

export type SentCapture = z.output<typeof sentCapture>;

/** What a worker tells about a trial. */
export const trialEvent = z.discriminatedUnion('type', [
  z.strictObject({ ...about, type: z.literal('started') }),
  z.strictObject({ ...about, type: z.literal('usage'), usage }),
  z.strictObject({ ...about, type: z.literal('judging') }),
  /** It could not be run there and goes back to the others. */
  z.strictObject({ ...about, type: z.literal('trouble'), message: z.string().max(10_000) }),
  z.strictObject({
    ...about,
    type: z.literal('done'),
    result: travellingResult,
    /** null: nothing was captured. */
    capture: sentCapture.nullable(),
  }),
]);

/** What this process of the run and earlier ones have put into the queue is not wanted any more. */
export const cancelMessage = z.strictObject({ run: id, session });

export type TrialEvent = z.output<typeof trialEvent>;
export type DoneEvent = Extract<TrialEvent, { type: 'done' }> & { readonly result: TrialResult };
