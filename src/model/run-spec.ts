/** What is common to all trials of a run, as it travels to the machines that run them. */
import { z } from 'zod';
import { runOptions } from './run.ts';
import { bundlePlace } from './travel/place.ts';
import { travellingSettings } from './travel/settings.ts';

const text = z.string();

export const runSpec = z.strictObject({
  version: z.literal(1),
  aam: text,
  options: runOptions,
  settings: travellingSettings,
  package: z.strictObject({
    name: text,
    version: text.nullable(),
    /** null: nothing is installed. */
    place: bundlePlace.nullable(),
  }),
  format: text,
  runs: z.int().positive(),
  baseline: z.boolean(),
  /** Whether any trial needs a judge. */
  judged: z.boolean(),
  /** What the agent must not see of its project, by its places. */
  answers: z.array(bundlePlace),
  /** Empty folders, by their places. */
  folders: z.array(bundlePlace),
  /** Symbolic links, by their places; each leads to something in the bundle. */
  links: z.array(z.strictObject({ place: bundlePlace, target: text })),
});

export type RunSpec = z.output<typeof runSpec>;
