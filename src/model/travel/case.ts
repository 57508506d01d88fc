/** A case as it travels to the machine that runs it. */
import { z } from 'zod';
import type { Case } from '../case.ts';
import { commandLine, graderSchema, scoringSchema, share } from './grader.ts';
import {
  amount,
  environment,
  exactly,
  flag,
  insidePath,
  json,
  jsonMap,
  text,
  texts,
  whole,
} from './parts.ts';
import { type PathSchemas, TRAVELLING } from './place.ts';

const criterion = z.strictObject({
  id: text,
  text,
  scale: z.array(z.strictObject({ from: amount, to: amount, text })).optional(),
  negate: flag.optional(),
  ...share,
});

const mockAnswer = z.strictObject({
  response: text,
  toolCalls: z.array(z.strictObject({ tool: text, input: json, output: text })),
});

const fault = z.strictObject({ errorKind: z.literal('file_copy_error'), error: text, files: texts });

const written = z.strictObject({ criteria: text.nullable(), input: json, expectedOutput: json });

export const travellingCase = caseSchema(TRAVELLING);

export function caseSchema(paths: PathSchemas) {
  return exactly<Case>()(
    z.strictObject({
      name: text,
      aliases: texts,
      description: text.nullable(),
      target: text.nullable(),
      prompt: text,
      followUps: texts,
      instructions: text.optional(),
      setup: setupSchema(paths).optional(),
      timeoutSeconds: amount.optional(),
      env: environment.optional(),
      tags: texts.optional(),
      assertions: texts.optional(),
      files: z.array(z.strictObject({ from: paths.path.nullable(), to: insidePath })),
      mock: mockAnswer.optional(),
      graders: z.array(graderSchema(paths)),
      criteria: z.array(criterion),
      reference: text.nullable(),
      scoring: scoringSchema(paths),
      fault: fault.nullable(),
      written: written.optional(),
      metadata: jsonMap,
      sources: paths.sources.optional(),
      file: text,
      line: whole,
      hash: text,
    }),
  );
}

function setupSchema(paths: PathSchemas) {
  const command = z.strictObject({
    name: text,
    argv: commandLine(paths),
    cwd: paths.path.nullable(),
    timeoutMs: amount,
  });
  const repository = z.strictObject({
    from: paths.path,
    to: insidePath,
    ref: text.nullable(),
    ancestor: whole,
  });
  return z.strictObject({
    repositories: z.array(repository),
    before: z.array(command),
    after: z.array(command),
  });
}
