/** What any agent may look for: AGENTS.md and .agents/skills. */
import type { AgentPackage } from '../../model/package.ts';
import { skillParts } from './contents.ts';
import { lost, type Part, type Where } from './installation.ts';
import { instructionParts } from './rules.ts';

export function* commandParts(pkg: AgentPackage, { instructions }: Where): Iterable<Part> {
  yield* skillParts(pkg, '.agents/skills');
  yield* instructionParts(pkg, null, instructions);
  const others = [
    ...pkg.commands.map(({ file }) => ({ file, what: 'commands' })),
    ...pkg.agents.map(({ file }) => ({ file, what: 'sub-agents' })),
    ...(pkg.hooks ? [{ file: pkg.hooks.file, what: 'hooks' }] : []),
    ...(pkg.mcp ? [{ file: pkg.mcp.file, what: 'MCP servers' }] : []),
  ];
  for (const { file, what } of others)
    yield lost(file, `${what} have no common layout, so an agent of your own does not get them`);
}
