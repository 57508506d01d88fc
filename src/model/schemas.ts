/** Every document aam reads or prints, by the name `aam schema` knows it under. */
import { z } from 'zod';
import {
  agentDefinition,
  commandFrontmatter,
  ruleFrontmatter,
  skillFrontmatter,
  systemPromptFrontmatter,
} from './artifacts.ts';
import { evalDiff } from './diff.ts';
import { doctorReport } from './doctor-report.ts';
import { evalYaml } from './eval-yaml.ts';
import { evalCase, evalConfig } from './evals.ts';
import { evidenceCheck, evidenceManifest } from './evidence.ts';
import { fixture, fixtureMocks } from './fixture.ts';
import { hooksFile, mcpServers } from './hooks.ts';
import { lock } from './lock.ts';
import { manifest } from './manifest.ts';
import { evalReport } from './report.ts';
import { runRecord } from './run.ts';
import { cleanReport, runList } from './run-list.ts';
import { tapeCheckReport, tapeScrubReport } from './tape-report.ts';
import { testReport } from './test-report.ts';
import { hookTestCase, skillTestCase, testConfig } from './tests.ts';
import { validationReport } from './validation-report.ts';

interface DocumentSchema {
  readonly schema: z.ZodType;
  /** Where such documents stand in a package, or which command prints them. */
  readonly describes: string;
}

export const SCHEMAS = {
  manifest: { schema: manifest, describes: 'package.agent.json, package.agent.yaml' },
  lock: { schema: lock, describes: 'package.agent.lock' },
  skill: { schema: skillFrontmatter, describes: 'frontmatter of skills/*/SKILL.md' },
  command: { schema: commandFrontmatter, describes: 'frontmatter of commands/*.md' },
  agent: { schema: agentDefinition, describes: 'agents/*/agent.yaml' },
  'system-prompt': { schema: systemPromptFrontmatter, describes: 'frontmatter of agents/*/system-prompt.md' },
  rule: { schema: ruleFrontmatter, describes: 'frontmatter of rules/**/RULE.md' },
  hooks: { schema: hooksFile, describes: 'hooks/hooks.json' },
  'mcp-servers': { schema: mcpServers, describes: 'mcp/servers.json' },
  'eval-config': { schema: evalConfig, describes: 'evals/eval-config.json' },
  'eval-case': { schema: evalCase, describes: 'evals/cases/*.yaml' },
  'eval-yaml': { schema: evalYaml, describes: 'EVAL.yaml, *.eval.yaml' },
  'test-config': {
    schema: testConfig,
    describes: 'skills/*/tests/test-config.json, hooks/tests/test-config.json',
  },
  'skill-test-case': { schema: skillTestCase, describes: 'skills/*/tests/cases/*.yaml' },
  'hook-test-case': { schema: hookTestCase, describes: 'hooks/tests/cases/*.yaml' },
  fixture: { schema: fixture, describes: 'agentcarousel fixtures: fixture.yaml, fixture.toml' },
  'fixture-mocks': { schema: fixtureMocks, describes: 'mocks/*.json of agentcarousel fixtures' },
  'eval-report': { schema: evalReport, describes: 'evals/reports/*.json, aam eval --json' },
  'eval-diff': { schema: evalDiff, describes: 'aam eval diff --json' },
  'evidence-manifest': { schema: evidenceManifest, describes: 'manifest.json of aam eval --evidence' },
  'evidence-check': { schema: evidenceCheck, describes: 'aam evidence verify --json' },
  run: { schema: runRecord, describes: '.aam/runs/*/run.json' },
  'run-list': { schema: runList, describes: 'aam runs --json' },
  'clean-report': { schema: cleanReport, describes: 'aam clean --json' },
  'test-report': { schema: testReport, describes: 'aam test --json' },
  'doctor-report': { schema: doctorReport, describes: 'aam doctor --json' },
  'tape-check-report': { schema: tapeCheckReport, describes: 'aam tape check --json' },
  'tape-scrub-report': { schema: tapeScrubReport, describes: 'aam tape scrub --json' },
  'validation-report': { schema: validationReport, describes: 'aam validate --json' },
} as const satisfies Record<string, DocumentSchema>;

export type SchemaName = keyof typeof SCHEMAS;

/** The JSON Schema (draft 2020-12) of one document, for editors and other programs. */
export function jsonSchema(name: SchemaName): Record<string, unknown> {
  const { schema, describes } = SCHEMAS[name];
  const body = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  if (name === 'manifest') body.patternProperties = { '^x-': { type: 'object' } };
  return { ...body, $id: `urn:aam:schema:${name}`, title: name, description: describes };
}
