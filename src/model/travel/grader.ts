/** Graders of all kinds as they travel, and how they count. */
import { z } from 'zod';
import type { Grader, GraderKind, Scoring } from '../grader.ts';
import { amount, exactly, flag, json, named, text, texts, whole } from './parts.ts';
import type { PathSchemas } from './place.ts';

const limit = amount.nullable();
const ofText = { of: z.enum(['answer', 'said']) };
const ignoreCase = flag.optional();
const someTexts = { values: texts, ignoreCase };
const oneText = { value: text, ignoreCase };

export const share = { weight: amount, required: flag, minScore: amount.optional() };

const expectedCall = z.strictObject({
  tool: text,
  args: json,
  argsMatch: z.union([z.enum(['exact', 'ignore', 'subset', 'superset', 'part']), texts]),
  maxDurationMs: limit,
});

const expectedField = z.strictObject({
  path: text,
  match: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('exact') }),
    z.strictObject({ kind: z.literal('numeric-tolerance'), tolerance: amount, relative: flag }),
    z.strictObject({ kind: z.literal('date'), formats: texts }),
  ]),
  required: flag,
  weight: amount,
});

const WITHOUT_PATHS = [
  kind('contains', { ...ofText, ...someTexts, match: z.enum(['all', 'any']) }),
  kind('not-contains', { ...ofText, ...someTexts }),
  kind('starts-with', { ...ofText, ...oneText }),
  kind('ends-with', { ...ofText, ...oneText }),
  kind('equals', { ...ofText, ...oneText, exact: flag.optional() }),
  kind('regex', {
    ...ofText,
    pattern: text,
    flags: text.optional(),
    dialect: z.enum(['javascript', 'rust']).optional(),
  }),
  kind('is-json', ofText),
  kind('json-subset', { ...ofText, value: json }),
  kind('json-field', {
    ...ofText,
    field: text,
    relation: z.enum(['contains', 'not-contains', 'equals', 'regex']),
    value: text,
  }),
  kind('golden', {
    ...ofText,
    path: text,
    text: text.nullable(),
    ignoreSpace: flag,
    least: amount.optional(),
  }),
  kind('files-created', { paths: texts }),
  kind('files-exist', { paths: texts }),
  kind('file-contains', { ...someTexts, path: text, match: z.enum(['all', 'any', 'none']) }),
  kind('agent-blocked', { expected: flag }),
  kind('skill-trigger', { skill: text, expected: flag }),
  kind('tool-trajectory', {
    mode: z.enum(['any-order', 'in-order', 'exact', 'superset', 'subset']),
    minimums: named(amount),
    expected: z.array(expectedCall),
  }),
  kind('field-accuracy', {
    reference: json,
    fields: z.array(expectedField),
    aggregation: z.enum(['weighted-average', 'all-or-nothing']),
  }),
  kind('latency', { maxMs: amount }),
  kind('cost', { maxUsd: amount }),
  kind('token-usage', { maxTotal: limit, maxInput: limit, maxOutput: limit }),
  kind('execution-metrics', {
    maxToolCalls: limit,
    maxModelCalls: limit,
    maxTokens: limit,
    maxCostUsd: limit,
    maxDurationMs: limit,
    targetExplorationRatio: limit,
    explorationTolerance: amount,
  }),
] as const;

export function graderSchema(paths: PathSchemas) {
  return exactly<Grader>()(
    z.discriminatedUnion('kind', [...WITHOUT_PATHS, kind('program', programFields(paths))]),
  );
}

export function scoringSchema(paths: PathSchemas) {
  const aggregator = z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('weighted-average') }),
    z.strictObject({ kind: z.literal('threshold'), threshold: amount }),
    z.strictObject({ kind: z.literal('program'), program: z.strictObject(programFields(paths)) }),
    z.strictObject({ kind: z.literal('judge'), instructions: text }),
  ]);
  const group = z.strictObject({ id: text, members: texts, aggregator, negate: flag, ...share });
  return exactly<Scoring>()(
    z.discriminatedUnion('mode', [
      z.strictObject({ mode: z.literal('all') }),
      z.strictObject({ mode: z.literal('score'), threshold: amount, groups: z.array(group).optional() }),
    ]),
  );
}

/** A program and its words. */
export function commandLine({ word }: PathSchemas) {
  return z.tuple([word], word);
}

function kind<Kind extends GraderKind, Options extends z.core.$ZodLooseShape>(name: Kind, options: Options) {
  return z.strictObject({
    id: text,
    kind: z.literal(name),
    options: z.strictObject(options),
    ...share,
    negate: flag,
    place: z.strictObject({ line: whole, column: whole }).optional(),
  });
}

function programFields(paths: PathSchemas) {
  return {
    argv: commandLine(paths),
    cwd: paths.path,
    config: json,
    output: z.enum(['messages', 'text']).optional(),
    timeoutMs: amount,
    protocol: z.literal('agentcarousel').optional(),
  };
}
