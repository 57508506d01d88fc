/** What an agent did, as it travels. Its own numbers are told as they are: a strange one is no reason to lose a trial. */
import { z } from 'zod';
import type { AgentEvent } from '../agent-event.ts';
import { exactly, flag, json, text, texts } from './parts.ts';

const told = z.number();

export const agentEvent = exactly<AgentEvent>()(
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('session'),
      sessionId: text.nullable(),
      model: text.nullable(),
      engineVersion: text.nullable(),
      skills: texts.nullable(),
      agents: texts.nullable(),
    }),
    z.strictObject({ type: z.literal('message'), text, subAgent: flag }),
    z.strictObject({ type: z.literal('tool-call'), id: text, tool: text, input: json, subAgent: flag }),
    z.strictObject({
      type: z.literal('tool-result'),
      id: text,
      output: text,
      isError: flag,
      durationMs: told.optional(),
    }),
    z.strictObject({ type: z.literal('skill'), name: text, how: z.enum(['tool', 'read']) }),
    z.strictObject({ type: z.literal('sub-agent'), name: text.nullable() }),
    z.strictObject({
      type: z.literal('hook'),
      event: text,
      blocked: flag,
      exitCode: told.nullable(),
      detail: text,
    }),
    z.strictObject({
      type: z.literal('denied'),
      tool: text,
      by: z.enum(['hook', 'permissions']),
      reason: text,
    }),
    z.strictObject({ type: z.literal('turn'), answer: text, prompt: text }),
    z.strictObject({ type: z.literal('error'), message: text }),
    z.strictObject({
      type: z.literal('end'),
      ok: flag,
      output: text,
      reason: text.nullable(),
      costUsd: told.nullable(),
      claimed: z.strictObject({ inputTokens: told, outputTokens: told, cacheReadTokens: told }).optional(),
      outOfBudget: z.literal(true).optional(),
      modelError: z.strictObject({ status: told.nullable(), message: text }).nullable(),
    }),
    z.strictObject({ type: z.literal('cut'), what: text }),
    z.strictObject({ type: z.literal('unreadable'), line: text }),
  ]),
);
