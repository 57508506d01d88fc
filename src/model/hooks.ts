/** `hooks/hooks.json` and `mcp/servers.json`: what a package plugs into the agent. */
import { z } from 'zod';
import { envMap } from './names.ts';
import { jsonDocument, record } from './on-disk.ts';

const text = z.string();
const timeout = z
  .number()
  .min(1, { error: 'must be 1 to 300 seconds' })
  .max(300, { error: 'must be 1 to 300 seconds' })
  .describe('Seconds, 30 by default')
  .optional();

const hookEntry = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('command'),
      command: text
        .min(1, { error: 'must not be empty' })
        .refine((it) => !it.includes('\0'), { error: 'must not contain a NUL character' }),
      timeout,
    }),
    z.strictObject({
      type: z.literal('prompt'),
      prompt: text.min(1, { error: 'must not be empty' }),
      timeout,
    }),
  ],
  { error: 'must be command or prompt' },
);

const hookGroup = record({
  matcher: text.describe('Regular expression on the tool’s name').optional(),
  hooks: z.array(hookEntry).min(1, { error: 'must have at least one hook' }),
});

export const hooksFile = jsonDocument({
  version: z.literal(1, { error: 'must be 1' }),
  description: text.optional(),
  hooks: z.record(text, z.array(hookGroup)).describe('event → groups of hooks'),
});

/** A program to start; it may still be talked to over http. */
const startedServer = z.strictObject({
  type: text.describe('stdio, http').optional(),
  command: text,
  args: z.array(text).optional(),
  env: envMap.optional(),
  envFile: text.optional(),
  cwd: text.optional(),
});

const remoteServer = z.strictObject({
  type: text.describe('http, sse').optional(),
  url: text,
  headers: z.record(text, text).optional(),
});

export const mcpServers = jsonDocument({
  servers: z.record(
    text.regex(/^[a-z0-9-]+$/, { error: 'must hold only a-z, 0-9 and hyphens' }),
    z.union([startedServer, remoteServer]),
  ),
  inputs: z
    .array(
      record({
        type: text.describe('promptString'),
        id: text,
        description: text.optional(),
        password: z.boolean().optional(),
      }),
    )
    .optional(),
});

export type HookEntry = z.output<typeof hookEntry>;
export type HookGroup = z.output<typeof hookGroup>;
export type HooksFile = z.output<typeof hooksFile>;
export type McpServers = z.output<typeof mcpServers>;
