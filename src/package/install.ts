/** Lays a package out for an agent, in the agent's own layout. Pure: nothing is read or written here. */
import type { AgentPackage } from '../model/package.ts';
import { CLAUDE_CODE_HOOKS, claudeCodeParts } from './install/claude-code.ts';
import { CODEX_HOOKS, codexParts } from './install/codex.ts';
import { commandParts } from './install/command.ts';
import { visibleFiles } from './install/contents.ts';
import { whyNoHook } from './install/hook-support.ts';
import type { Installation, InstallFile, Part, ShimHook, Where } from './install/installation.ts';

export { leftOut } from './install/contents.ts';
export type { Installation } from './install/installation.ts';

const LAYOUTS = {
  'claude-code': claudeCodeParts,
  codex: codexParts,
  command: commandParts,
} as const satisfies Record<string, (pkg: AgentPackage, where: Where) => Iterable<Part>>;

/** Only the agents that aam knows can run hooks. */
const HOOK_TARGETS = { 'claude-code': CLAUDE_CODE_HOOKS, codex: CODEX_HOOKS, command: null } as const;
const WITH_HOOKS = [CLAUDE_CODE_HOOKS, CODEX_HOOKS];

/** A bare model has no place for a package. */
export function takesPackage(engine: string): engine is keyof typeof LAYOUTS {
  return Object.hasOwn(LAYOUTS, engine);
}

export const NOTHING_INSTALLED: Installation = { files: [], hooks: [], hookFiles: [], warnings: [] };

export function installation(pkg: AgentPackage, engine: string, where: Where): Installation {
  if (!takesPackage(engine)) return NOTHING_INSTALLED;
  const files = new Map<string, InstallFile>();
  const hooks: ShimHook[] = [];
  const warnings = [...visibleFiles(pkg).warnings];
  for (const part of [workspaceManifest(pkg, where), ...LAYOUTS[engine](pkg, where)]) {
    if ('warning' in part) warnings.push(part.warning);
    else if ('hook' in part) hooks.push(part.hook);
    else if (!files.has(part.file.to)) files.set(part.file.to, part.file);
    else warnings.push(`${part.file.to}: two artifacts have the same name; the first one is installed`);
  }
  const hookFiles = WITH_HOOKS.map(({ file }) => file).filter((path) => files.has(path));
  return { files: [...files.values()], hooks, hookFiles, warnings };
}

/** Why no hook of the package for this event can run with the engine; null: one can. */
export function hookProblem(pkg: AgentPackage, engine: string, event: string): string | null {
  const target = takesPackage(engine) ? HOOK_TARGETS[engine] : null;
  return whyNoHook(pkg, event, engine, target, WITH_HOOKS);
}

/**
 * What makes up the copy that hooks and MCP servers find under PACKAGE_ROOT: all of the package but its evals, its
 * tests and what belongs to tools. A folder such as node_modules is one entry and is taken whole.
 */
export function packageCopy(pkg: AgentPackage): readonly string[] {
  return visibleFiles(pkg).files.map(({ to }) => to);
}

/** A dependency is a range of versions and cannot name a folder, so where it came from is told beside it. */
function workspaceManifest({ name, version }: AgentPackage, { packageRoot }: Where): Part {
  const manifest = {
    name: 'eval-workspace',
    version: '0.0.0',
    dependencies: { [name]: version ?? '*' },
    'x-aam': { sources: { [name]: { type: 'file', path: packageRoot } } },
  };
  return { file: { to: 'package.agent.json', text: `${JSON.stringify(manifest, null, 2)}\n` } };
}
