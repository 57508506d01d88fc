/** The settings of a suite as they travel, with who is asked. */
import { z } from 'zod';
import type { SuiteSettings } from '../case.ts';
import type { Target } from '../target.ts';
import { amount, environment, exactly, flag, insidePath, named, text, whole } from './parts.ts';
import { type PathSchemas, TRAVELLING } from './place.ts';

const price = z.strictObject({
  input: amount,
  output: amount,
  cacheRead: amount.optional(),
  cacheWrite: amount.optional(),
});

export const travellingSettings = settingsSchema(TRAVELLING);

export function settingsSchema(paths: PathSchemas) {
  return exactly<SuiteSettings>()(
    z.strictObject({
      engine: text,
      timeoutSeconds: amount,
      judge: text.nullable(),
      runs: whole,
      network: flag,
      writablePaths: z.array(insidePath).nullable(),
      env: environment,
      command: z.array(paths.word).nullable(),
      target: targetSchema(paths).optional(),
      passThreshold: amount.optional(),
      maxCostUsd: amount.optional(),
      jobs: whole.optional(),
      prices: named(price),
    }),
  );
}

function targetSchema({ path }: PathSchemas) {
  const healthcheck = z.strictObject({ command: text, cwd: path.nullable() });
  const shell = z.strictObject({
    command: text,
    cwd: path.nullable(),
    filesFormat: text,
    healthcheck: healthcheck.nullable(),
  });
  return exactly<Target>()(
    z.strictObject({
      name: text,
      engine: text,
      model: text.nullable(),
      timeoutSeconds: amount.nullable(),
      instructions: text.nullable(),
      shell: shell.nullable(),
      provider: z.enum(['anthropic', 'openai', 'google']).nullable(),
      response: text.nullable(),
      judge: text.nullable(),
      template: path.optional(),
    }),
  );
}
