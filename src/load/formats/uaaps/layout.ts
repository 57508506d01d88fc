/** Where the artifacts of a package stand: the usual folders, or what the manifest says instead. */
import { basename } from 'node:path';
import type { Path } from '../../../model/diagnostic.ts';
import { TOOL_FOLDERS } from '../../inventory.ts';
import { isObject, type ManifestRead } from './manifest.ts';
import type { PackageReader } from './reader.ts';

export type Layout = Readonly<Record<'skills' | 'commands' | 'agents' | 'rules' | 'hooks' | 'mcp', string>>;

const DEFAULT_LAYOUT: Layout = {
  skills: 'skills',
  commands: 'commands',
  agents: 'agents',
  rules: 'rules',
  hooks: 'hooks/hooks.json',
  mcp: 'mcp/servers.json',
};

export function layoutOf(reader: PackageReader, { raw, source }: ManifestRead): Layout {
  const entries = Object.entries(DEFAULT_LAYOUT).map(([key, standard]) => {
    const written = raw[key];
    if (typeof written !== 'string' || !source) return [key, standard];
    const path = reader.pathIn(source, [key], written);
    if (path === null) return [key, standard];
    const problem = misplaced(reader, path, standard);
    if (!problem) return [key, path];
    reader.errorAt(source, [key], problem);
    return [key, standard];
  });
  return Object.fromEntries(entries) as Layout;
}

function misplaced(reader: PackageReader, path: string, standard: string) {
  const noun = standard.endsWith('.json') ? 'file' : 'folder';
  const kind = path === '' ? 'dir' : reader.files.get(path)?.kind;
  if (kind === undefined) {
    return {
      rule: 'missing-file',
      message: `the ${noun} ${path} does not exist`,
      hint: `usual is ${standard}`,
    };
  }
  if (noun === 'file' && kind === 'dir') {
    return {
      rule: 'not-a-file',
      message: `${path || '.'} is a folder, not a file`,
      hint: `usual is ${standard}`,
    };
  }
  if (noun === 'folder' && kind === 'file') {
    return { rule: 'not-a-folder', message: `${path} is a file, not a folder`, hint: `usual is ${standard}` };
  }
  return null;
}

interface SkillPlace {
  readonly dir: string;
  readonly name?: string | undefined;
}

export function skillPlaces(reader: PackageReader, read: ManifestRead, { skills }: Layout): SkillPlace[] {
  if (read.file === null) return [{ dir: '' }];
  const listed = registered(reader, read, 'skills');
  if (listed) {
    return listed.flatMap(({ path, name, missing }) => {
      const dir = path.replace(/(?:^|\/)SKILL\.md$/, '');
      if (reader.files.has(dir ? `${dir}/SKILL.md` : 'SKILL.md')) return [{ dir, name }];
      missing(`${path || '.'} has no SKILL.md`);
      return [];
    });
  }
  const dirs = reader.children(skills).filter((path) => reader.isDir(path) && !isToolFolder(path));
  const found: SkillPlace[] = dirs
    .filter((dir) => reader.files.has(`${dir}/SKILL.md`))
    .map((dir) => ({ dir }));
  // When the skills stand at the package's root, so do other folders.
  if (skills !== '') {
    for (const dir of dirs.filter((it) => !reader.files.has(`${it}/SKILL.md`))) withoutSkill(reader, dir);
  }
  // A SKILL.md at the root of a package that has no skills folder is its one skill.
  if (dirs.length === 0 && reader.files.has('SKILL.md')) found.push({ dir: '' });
  return found;
}

function withoutSkill(reader: PackageReader, dir: string): void {
  if (reader.files.get(dir)?.link?.inside === false) return;
  const misspelt = reader.children(dir).find((path) => /\/skill\.md$/i.test(path));
  reader.error(dir, {
    rule: 'missing-file',
    message: 'is a skill’s folder without a SKILL.md',
    hint: misspelt ? `rename ${misspelt} to SKILL.md` : 'add one, or move the folder elsewhere',
  });
}

export function commandFiles(reader: PackageReader, read: ManifestRead, { commands }: Layout): string[] {
  const listed = registered(reader, read, 'commands');
  if (!listed) return reader.children(commands).filter(isArticle);
  return listed.flatMap(({ path, missing }) => {
    if (reader.files.has(path)) return [path];
    missing(`${path} does not exist`);
    return [];
  });
}

export function agentFiles(reader: PackageReader, read: ManifestRead, { agents }: Layout): string[] {
  const definition = (dir: string) =>
    ['agent.yaml', 'agent.yml'].map((name) => `${dir}/${name}`).find((path) => reader.files.has(path));
  const listed = registered(reader, read, 'agents');
  if (listed) {
    return listed.flatMap(({ path, missing }) => {
      const file = reader.isDir(path) ? definition(path) : path;
      if (file && reader.files.has(file)) return [file];
      missing(file ? `${file} does not exist` : `${path} has no agent.yaml`);
      return [];
    });
  }
  return reader.children(agents).flatMap((path) => {
    if (!reader.isDir(path)) {
      if (/\.ya?ml$/.test(path)) reader.notRead(path, `sub-agents are ${agents}/<name>/agent.yaml`);
      return isArticle(path) ? [path] : [];
    }
    const file = definition(path);
    if (file || isToolFolder(path)) return file ? [file] : [];
    reader.error(path, {
      rule: 'missing-file',
      message: 'is a sub-agent’s folder without an agent.yaml',
      hint: 'add one, or move the folder elsewhere',
    });
    return [];
  });
}

/** `RULE.md` at any depth, and the `<name>.rule.md` spelling, also in `.aam/rules`. */
export function ruleFiles(reader: PackageReader, { rules }: Layout): string[] {
  const spelled = (path: string) => path.endsWith('/RULE.md') || path.endsWith('.rule.md');
  for (const path of reader.children(rules)) {
    const isRule = /\.mdc?$/.test(path) && !/readme\.md$/i.test(path) && rules !== '';
    if (isRule && !spelled(path)) reader.notRead(path, `rules are ${rules}/<name>/RULE.md or <name>.rule.md`);
  }
  return [...reader.below(rules), ...reader.below('.aam/rules')].filter(spelled);
}

/** What the manifest lists under `artifacts`, or null when it lists nothing of the kind. */
function registered(
  reader: PackageReader,
  { raw, source }: ManifestRead,
  kind: 'skills' | 'commands' | 'agents',
) {
  const list = isObject(raw['artifacts']) ? raw['artifacts'][kind] : undefined;
  if (!source || !Array.isArray(list)) return null;
  return list.flatMap((entry: unknown, index) => {
    if (!isObject(entry) || typeof entry['path'] !== 'string') return [];
    const at: Path = ['artifacts', kind, index, 'path'];
    const path = reader.pathIn(source, at, entry['path']);
    if (path === null) return [];
    const hint = 'correct the path, or remove the entry';
    const missing = (message: string) => reader.errorAt(source, at, { rule: 'missing-file', message, hint });
    return [{ path, name: typeof entry['name'] === 'string' ? entry['name'] : undefined, missing }];
  });
}

/** A Markdown file that is not the folder's own description. */
function isArticle(path: string): boolean {
  return path.endsWith('.md') && !/(?:^|\/)readme\.md$/i.test(path);
}

function isToolFolder(path: string): boolean {
  const name = basename(path);
  return name.startsWith('.') || TOOL_FOLDERS.has(name);
}
