/** `package.agent.json`, the manifest of a package. */
import { z } from 'zod';
import { artifactName, envName, packageName, textUpTo, version, versionRange } from './names.ts';
import { jsonDocument, record } from './on-disk.ts';

const text = z.string();
const list = z.array(text);
const shortText = textUpTo(1024);
const groupName = text.regex(/^[a-z0-9][a-z0-9-]*$/, {
  error: 'must start with a-z or 0-9 and hold only a-z, 0-9 and hyphens',
});

const dependencies = z.record(packageName, versionRange);

const systemDependencies = record({
  python: text.optional(),
  node: text.optional(),
  packages: record({
    pip: list.optional(),
    npm: list.optional(),
    brew: list.optional(),
    apt: list.optional(),
    cargo: list.optional(),
  }).optional(),
  binaries: list.optional(),
  'mcp-servers': list.optional(),
});

const permissions = record({
  fs: record({ read: list.optional(), write: list.optional() }).optional(),
  network: record({
    hosts: list.optional(),
    schemes: list.describe('https, http, wss, ws').optional(),
  }).optional(),
  shell: record({ allow: z.boolean().optional(), binaries: list.optional() }).optional(),
});

const artifactEntry = record({ name: artifactName, path: text, description: shortText.optional() });

const artifactNames = record({
  skills: list.optional(),
  agents: list.optional(),
  commands: list.optional(),
});

const dependencyGroup = record({
  description: text.optional(),
  dependencies: dependencies.optional(),
  systemDependencies: systemDependencies.optional(),
}).refine((group) => group.dependencies || group.systemDependencies, {
  error: 'must have dependencies or systemDependencies',
});

const extra = record({
  description: text.optional(),
  dependencies: dependencies.optional(),
  systemDependencies: systemDependencies.optional(),
  artifacts: artifactNames.optional(),
  permissions: permissions.optional(),
}).refine((it) => it.dependencies || it.systemDependencies || it.artifacts || it.permissions, {
  error: 'must have dependencies, systemDependencies, artifacts or permissions',
});

/** Where a manifest may stand; the first that is there counts. */
export const MANIFEST_FILES: readonly string[] = [
  'package.agent.json',
  'package.agent.yaml',
  'package.agent.yml',
];

export const manifest = jsonDocument({
  name: packageName.describe('name or @scope/name'),
  version: version.describe('SemVer 2.0'),
  description: shortText.optional(),
  author: text.optional(),
  license: text.optional(),
  repository: z.url({ error: 'must be a URL' }).optional(),
  homepage: z.url({ error: 'must be a URL' }).optional(),
  category: text.optional(),
  keywords: list
    .refine((words) => new Set(words).size === words.length, { error: 'must not repeat a keyword' })
    .optional(),
  engines: z.record(text, text).describe('agent platform → version range').optional(),
  artifacts: record({
    skills: z.array(artifactEntry).optional(),
    agents: z.array(artifactEntry).optional(),
    commands: z.array(artifactEntry).optional(),
  })
    .describe('Explicit list of artifacts; found by folder when absent')
    .optional(),
  files: list.describe('Globs of the files to publish').optional(),
  dependencies: dependencies.optional(),
  optionalDependencies: dependencies.optional(),
  peerDependencies: dependencies.optional(),
  resolutions: dependencies.optional(),
  dependencyGroups: z.record(groupName, dependencyGroup).optional(),
  extras: z.record(groupName, extra).optional(),
  systemDependencies: systemDependencies.optional(),
  env: z
    .record(
      envName,
      record({ description: text, required: z.boolean().optional(), default: text.optional() }),
    )
    .optional(),
  permissions: permissions.optional(),
  permissionGrants: z.record(packageName, permissions).optional(),
  quality: record({
    tests: z.array(record({ name: text, command: text, description: text.optional() })).optional(),
    evals: z
      .array(
        record({
          name: text,
          path: text,
          description: text.optional(),
          metrics: z.array(z.looseObject({ name: text, type: text })).optional(),
        }),
      )
      .optional(),
  }).optional(),
  skills: text.describe('Folder of the skills, ./skills by default').optional(),
  commands: text.describe('Folder of the commands, ./commands by default').optional(),
  agents: text.describe('Folder of the sub-agents, ./agents by default').optional(),
  rules: text.describe('Folder of the rules, ./rules by default').optional(),
  hooks: text.describe('Hook definitions, ./hooks/hooks.json by default').optional(),
  mcp: text.describe('MCP servers, ./mcp/servers.json by default').optional(),
  'dist-tags': z.record(text, version).optional(),
  installMode: z
    .union([text, z.record(text, text)])
    .describe('uaaps or plugin; or one of them for each platform and as default')
    .optional(),
  resolverVersion: z.literal(1, { error: 'must be 1, the only resolver version there is' }).optional(),
  deprecated: record({
    message: textUpTo(280),
    replacement: text.optional(),
  }).optional(),
});

export type Manifest = z.output<typeof manifest>;
export type Permissions = z.output<typeof permissions>;
