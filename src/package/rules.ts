/** The truths that hold across the files of one package. Pure: everything was read before. */
import { compareDiagnostics, type Diagnostic } from '../model/diagnostic.ts';
import type { AgentPackage } from '../model/package.ts';
import { agentRules } from './rules/agents.ts';
import { evalRules } from './rules/evals.ts';
import { fileRules } from './rules/files.ts';
import { hookRules } from './rules/hooks.ts';
import { lockRules } from './rules/lock.ts';
import { manifestRules } from './rules/manifest.ts';
import { mcpRules } from './rules/mcp.ts';
import { nameRules } from './rules/names.ts';
import { permissionRules } from './rules/permissions.ts';
import { skillRules } from './rules/skills.ts';
import { testRules } from './rules/tests.ts';

type Rule = (pkg: AgentPackage) => Iterable<Diagnostic>;

const RULES = {
  files: fileRules,
  names: nameRules,
  manifest: manifestRules,
  lock: lockRules,
  skills: skillRules,
  agents: agentRules,
  hooks: hookRules,
  mcp: mcpRules,
  evals: evalRules,
  tests: testRules,
  permissions: permissionRules,
} as const satisfies Record<string, Rule>;

/** Everything wrong with a package: what reading found, and what the rules find. */
export function checkPackage(pkg: AgentPackage): Diagnostic[] {
  return [...pkg.diagnostics, ...Object.values(RULES).flatMap((rule) => [...rule(pkg)])].sort(
    compareDiagnostics,
  );
}
