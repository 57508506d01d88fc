/** Frontmatter and definitions of the artifacts a package is made of. */
import { z } from 'zod';
import { artifactName, textUpTo } from './names.ts';
import { record } from './on-disk.ts';

const text = z.string();
const list = z.array(text);
const plain = z.union([text, z.number(), z.boolean()]);
const nonEmpty = text.refine((it) => it.trim() !== '', { error: 'must not be empty' });
const description = textUpTo(1024).refine((it) => it.trim() !== '', { error: 'must not be empty' });

export const skillFrontmatter = record({
  name: text
    .regex(/^[a-z0-9-]{1,64}$/, { error: 'must hold only a-z, 0-9 and hyphens, 1 to 64 of them' })
    .describe('The same as the folder’s name'),
  description: description.describe('What the skill does, and when to use it'),
  license: text.optional(),
  compatibility: z
    .union([
      text,
      record({ requires: list.optional(), optional: list.optional(), packages: list.optional() }),
    ])
    .optional(),
  metadata: z.record(text, plain).optional(),
  'allowed-tools': z.union([text, list]).describe('Tool names, separated by spaces').optional(),
  context: text.describe('fork').optional(),
  agent: text.optional(),
  model: text.optional(),
  'argument-hint': text.optional(),
  'user-invocable': z.boolean().optional(),
  'disable-model-invocation': z.boolean().optional(),
});

export const commandFrontmatter = record({
  name: artifactName,
  description: text.optional(),
  'argument-hint': text.optional(),
  'allowed-tools': z.union([text, list]).optional(),
  model: text.optional(),
  variables: z
    .array(
      record({
        name: text.regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, { error: 'must be an identifier' }),
        description: text.optional(),
        required: z.boolean().default(false),
        enum: z.array(plain).optional(),
        default: plain.optional(),
      }),
    )
    .optional(),
});

export const agentDefinition = record({
  name: artifactName,
  description: nonEmpty,
  system_prompt: text
    .regex(/\.md$/, { error: 'must be the relative path of a .md file' })
    .describe('Relative path of the system prompt'),
  version: text.optional(),
  model: text.optional(),
  skills: list.optional(),
  commands: list.optional(),
  tools: list.optional(),
  parameters: z
    .looseObject({
      temperature: z
        .number()
        .min(0, { error: 'must be 0 to 2' })
        .max(2, { error: 'must be 0 to 2' })
        .optional(),
      style: text.optional(),
      output_format: text.optional(),
    })
    .optional(),
});

export const systemPromptFrontmatter = record({
  description: nonEmpty,
  capabilities: list.optional(),
});

/** One `agents/<name>.md` file, the older way to write a sub-agent. */
export const legacyAgentFrontmatter = z.looseObject({
  name: artifactName.optional(),
  description: nonEmpty,
});

const ruleAgent = z.looseObject({ enabled: z.boolean().optional() });

export const ruleFrontmatter = record({
  name: text
    .regex(/^[a-z0-9][a-z0-9-]*$/, { error: 'must hold only a-z, 0-9 and hyphens' })
    .max(64, { error: 'must be 64 characters at most' }),
  description: nonEmpty,
  apply: record({
    mode: z.enum(['always', 'intelligent', 'files', 'manual']),
    globs: z.union([list, text]).optional(),
  }).refine((apply) => apply.mode !== 'files' || (apply.globs && apply.globs.length > 0), {
    error: 'with mode "files" must have globs',
  }),
  version: text.optional(),
  agents: record({
    copilot: ruleAgent.optional(),
    cursor: ruleAgent.optional(),
    claude: ruleAgent.optional(),
    codex: ruleAgent.optional(),
  }).optional(),
  refs: list.optional(),
});

/** The rule frontmatter of the migration guide. */
export const legacyRuleFrontmatter = record({
  name: text.optional(),
  description: nonEmpty,
  globs: z.union([list, text, z.null()]).optional(),
  alwaysApply: z.boolean().optional(),
});

export type SkillFrontmatter = z.output<typeof skillFrontmatter>;
export type CommandFrontmatter = z.output<typeof commandFrontmatter>;
export type AgentDefinition = z.output<typeof agentDefinition>;
export type RuleFrontmatter = z.output<typeof ruleFrontmatter>;
