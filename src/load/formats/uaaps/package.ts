/** Reads a whole package: every artifact, every case, every mistake, in one pass. */
import { basename } from 'node:path';
import { compareDiagnostics } from '../../../model/diagnostic.ts';
import { hooksFile, mcpServers } from '../../../model/hooks.ts';
import type { AgentPackage, TestSuite } from '../../../model/package.ts';
import { takeInventory } from '../../inventory.ts';
import { readAgent, readCommand, readRule, readSkill } from './artifacts.ts';
import { readEvals, readHookTests, readSkillTests } from './evals.ts';
import { agentFiles, commandFiles, layoutOf, ruleFiles, skillPlaces } from './layout.ts';
import { readLock, readManifest } from './manifest.ts';
import { PackageReader } from './reader.ts';

export async function readPackage(root: string): Promise<AgentPackage> {
  const reader = new PackageReader(root, takeInventory(root));
  const read = await readManifest(reader);
  const shape = read.file === null ? 'skill' : 'package';
  const layout = layoutOf(reader, read);

  const [lock, skills, commands, agents, rules, hooks, mcp, evals] = await Promise.all([
    readLock(reader),
    Promise.all(skillPlaces(reader, read, layout).map(({ dir, name }) => readSkill(reader, dir, name))),
    Promise.all(commandFiles(reader, read, layout).map((file) => readCommand(reader, file))),
    Promise.all(agentFiles(reader, read, layout).map((file) => readAgent(reader, file))),
    Promise.all(ruleFiles(reader, layout).map((file) => readRule(reader, file))),
    reader.optional(layout.hooks, hooksFile),
    reader.optional(layout.mcp, mcpServers),
    readEvals(reader),
  ]);
  const hooksDir = layout.hooks.slice(0, Math.max(layout.hooks.lastIndexOf('/'), 0));
  const suites = await Promise.all([
    ...skills.map((skill) => readSkillTests(reader, skill)),
    readHookTests(reader, hooksDir ? `${hooksDir}/tests` : 'hooks/tests'),
  ]);

  return {
    root,
    shape,
    name: text(read.raw['name']) ?? skills.find((skill) => skill.dir === '')?.name ?? basename(root),
    version: text(read.raw['version']),
    manifestFile: read.file,
    manifest: read.manifest,
    lock,
    skills,
    commands,
    agents,
    rules,
    hooksFile: layout.hooks,
    hooks,
    mcp,
    instructions: reader.isFile('AGENTS.md') ? 'AGENTS.md' : null,
    evals,
    tests: suites.filter((suite): suite is TestSuite => suite !== null),
    files: reader.files,
    diagnostics: reader.diagnostics.sort(compareDiagnostics),
  };
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
