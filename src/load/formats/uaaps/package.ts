/** Reads a whole package: every artifact, every case, every mistake, in one pass. */
import { basename } from 'node:path';
import { compareDiagnostics, type Located, type Path } from '../../../model/diagnostic.ts';
import { hooksFile, mcpServers } from '../../../model/hooks.ts';
import type { Manifest } from '../../../model/manifest.ts';
import type { AgentPackage, TestSuite } from '../../../model/package.ts';
import { takeInventory } from '../../inventory.ts';
import { readAgent, readCommand, readRule, readSkill } from './artifacts.ts';
import { readEvals, readHookTests, readSkillTests } from './evals.ts';
import { type ManifestRead, readLock, readManifest } from './manifest.ts';
import { PackageReader } from './reader.ts';

export async function readPackage(root: string): Promise<AgentPackage> {
  const reader = new PackageReader(root, await takeInventory(root));
  const read = await readManifest(reader);
  const shape = read.file === null ? 'skill' : 'package';
  const paths = layout(reader, read);

  const [lock, skills, commands, agents, rules, hooks, mcp, evals] = await Promise.all([
    readLock(reader),
    Promise.all(skillDirs(reader, read, paths).map(({ dir, name }) => readSkill(reader, dir, name))),
    Promise.all(commandFiles(reader, read, paths).map((file) => readCommand(reader, file))),
    Promise.all(agentFiles(reader, read, paths).map((file) => readAgent(reader, file))),
    Promise.all(ruleFiles(reader, paths).map((file) => readRule(reader, file))),
    reader.isFile(paths.hooks) ? reader.document(paths.hooks, hooksFile) : null,
    reader.isFile(paths.mcp) ? reader.document(paths.mcp, mcpServers) : null,
    readEvals(reader),
  ]);
  const hooksDir = paths.hooks.slice(0, Math.max(paths.hooks.lastIndexOf('/'), 0));
  const suites = await Promise.all([
    ...skills.map((skill) => readSkillTests(reader, skill)),
    readHookTests(reader, hooksDir ? `${hooksDir}/tests` : 'hooks/tests'),
  ]);

  return {
    root,
    shape,
    name: text(read.raw['name']) ?? skills.find((skill) => skill.dir === '')?.name ?? basename(root),
    version: text(read.raw['version']),
    manifest: read.manifest,
    lock,
    skills,
    commands,
    agents,
    rules,
    hooks,
    mcp,
    instructions: reader.isFile('AGENTS.md') ? 'AGENTS.md' : null,
    evals,
    tests: suites.filter((suite): suite is TestSuite => suite !== null),
    files: reader.files,
    diagnostics: reader.diagnostics.sort(compareDiagnostics),
  };
}

type Layout = Readonly<Record<'skills' | 'commands' | 'agents' | 'rules' | 'hooks' | 'mcp', string>>;

const DEFAULT_LAYOUT: Layout = {
  skills: 'skills',
  commands: 'commands',
  agents: 'agents',
  rules: 'rules',
  hooks: 'hooks/hooks.json',
  mcp: 'mcp/servers.json',
};

/** Where the artifacts are: the defaults, and what the manifest says instead. */
function layout(reader: PackageReader, { manifest, raw }: ManifestRead): Layout {
  const entries = Object.entries(DEFAULT_LAYOUT).map(([key, standard]) => {
    const written = text(raw[key]);
    if (written === null || !manifest) return [key, written?.replace(/^\.\//, '') ?? standard];
    const path = reader.pathIn(manifest, [key], written);
    if (path === null) return [key, standard];
    if (!reader.files.has(path) && path !== '') {
      reader.errorAt(manifest, [key], { rule: 'missing-file', message: `${key}: ${path} does not exist` });
    }
    return [key, path];
  });
  return Object.fromEntries(entries) as Layout;
}

function skillDirs(
  reader: PackageReader,
  { manifest, file }: ManifestRead,
  { skills }: Layout,
): { dir: string; name?: string }[] {
  if (file === null) return [{ dir: '' }];
  const listed = manifest?.value.artifacts?.skills;
  if (manifest && listed) {
    return registered(reader, manifest, 'skills').flatMap(({ path, at, name }) => {
      const dir = path.replace(/\/?SKILL\.md$/, '');
      if (reader.isFile(dir ? `${dir}/SKILL.md` : 'SKILL.md')) return [{ dir, name }];
      reader.errorAt(manifest, at, { rule: 'missing-file', message: `${path || '.'} has no SKILL.md` });
      return [];
    });
  }
  const dirs = reader.children(skills).filter((path) => reader.isDir(path));
  const found: { dir: string }[] = [];
  for (const dir of dirs) {
    if (reader.files.has(`${dir}/SKILL.md`)) found.push({ dir });
    else if (reader.files.get(dir)?.link?.inside !== false) {
      reader.error(dir, {
        rule: 'missing-file',
        message: 'is a skill’s folder without a SKILL.md',
        hint: 'add one, or move the folder out of skills',
      });
    }
  }
  // A SKILL.md at the root of a package that has no skills folder is its one skill.
  if (dirs.length === 0 && reader.isFile('SKILL.md')) found.push({ dir: '' });
  return found;
}

function commandFiles(reader: PackageReader, { manifest }: ManifestRead, { commands }: Layout): string[] {
  if (manifest?.value.artifacts?.commands) return registeredFiles(reader, manifest);
  return reader.children(commands).filter((path) => path.endsWith('.md') && !/\/readme\.md$/i.test(path));
}

function agentFiles(reader: PackageReader, { manifest }: ManifestRead, { agents }: Layout): string[] {
  if (manifest?.value.artifacts?.agents) {
    return registered(reader, manifest, 'agents').flatMap(({ path, at }) => {
      const file = reader.isDir(path) ? `${path}/agent.yaml` : path;
      if (reader.isFile(file)) return [file];
      reader.errorAt(manifest, at, { rule: 'missing-file', message: `${file} does not exist` });
      return [];
    });
  }
  return reader.children(agents).flatMap((path) => {
    if (!reader.isDir(path)) return path.endsWith('.md') && !/\/readme\.md$/i.test(path) ? [path] : [];
    const file = ['agent.yaml', 'agent.yml']
      .map((name) => `${path}/${name}`)
      .find((it) => reader.files.has(it));
    if (file) return [file];
    reader.error(path, { rule: 'missing-file', message: 'is a sub-agent’s folder without an agent.yaml' });
    return [];
  });
}

/** `RULE.md` at any depth, and the `<name>.rule.md` spelling, also in `.aam/rules`. */
function ruleFiles(reader: PackageReader, { rules }: Layout): string[] {
  const spelled = (path: string) => path.endsWith('/RULE.md') || path.endsWith('.rule.md');
  return [...reader.below(rules), ...reader.below('.aam/rules')].filter(spelled);
}

function registeredFiles(reader: PackageReader, manifest: Located<Manifest>): string[] {
  return registered(reader, manifest, 'commands').flatMap(({ path, at }) => {
    if (reader.isFile(path)) return [path];
    reader.errorAt(manifest, at, { rule: 'missing-file', message: `${path} does not exist` });
    return [];
  });
}

function registered(
  reader: PackageReader,
  manifest: Located<Manifest>,
  kind: 'skills' | 'commands' | 'agents',
) {
  return (manifest.value.artifacts?.[kind] ?? []).flatMap((entry, index) => {
    const at: Path = ['artifacts', kind, index, 'path'];
    const path = reader.pathIn(manifest, at, entry.path);
    return path === null ? [] : [{ path, at, name: entry.name }];
  });
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
