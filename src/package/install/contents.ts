/** What of a package an agent may see. Evals and tests hold the answers, so they never get into a sandbox. */
import { posix } from 'node:path';
import type { AgentPackage, Skill } from '../../model/package.ts';
import { type CopiedFile, isPathName, lost, type Part } from './installation.ts';

/** Of tools, and of no use to the package itself. */
const LEFT_OUT = new Set(['.git', '.aam', '.agent-packages', '__pycache__']);
/** Of tools, and needed by the package's scripts. Their files are not in the inventory. */
const TAKEN_WHOLE = new Set(['node_modules', '.venv']);
const ARTIFACT_FOLDERS = ['skills', 'commands', 'agents', 'rules', 'hooks', 'mcp'];
const MAX_LINKS = 40;

interface VisibleFiles {
  readonly files: readonly CopiedFile[];
  readonly warnings: readonly string[];
}

export function visibleFiles(pkg: AgentPackage): VisibleFiles {
  const isHidden = hiddenIn(pkg);
  const files: CopiedFile[] = [];
  const warnings: string[] = [];
  for (const [path, { kind, link }] of pkg.files) {
    const whole = kind === 'dir' && TAKEN_WHOLE.has(posix.basename(path));
    if (isHidden(path) || (kind !== 'file' && !whole && link?.inside !== false)) continue;
    const from = withoutLinks(pkg, path);
    if (from === null)
      warnings.push(`${path}: links to something outside the package, so it is not installed`);
    else if (isHidden(from))
      warnings.push(`${path}: links to ${from}, which agents must not see, so it is not installed`);
    else files.push({ to: path, from });
  }
  return { files, warnings };
}

/** The folders of skills, each under its name. */
export function* skillParts(pkg: AgentPackage, folder: string): Iterable<Part> {
  const { files } = visibleFiles(pkg);
  for (const skill of pkg.skills) {
    if (isPathName(skill.name)) yield* skillFiles(files, skill, `${folder}/${skill.name}`);
    else yield lost(skill.file, `${JSON.stringify(skill.name)} cannot be the name of a folder`);
  }
}

function* skillFiles(files: readonly CopiedFile[], skill: Skill, folder: string): Iterable<Part> {
  const prefix = skill.dir && `${skill.dir}/`;
  for (const { to, from } of files) {
    const own = to.slice(prefix.length);
    // A skill at the package's root has the package's manifest beside it.
    if (!to.startsWith(prefix) || /^package\.agent\.\w+$/.test(own)) continue;
    yield { file: { to: `${folder}/${own}`, from } };
  }
}

function hiddenIn(pkg: AgentPackage): (path: string) => boolean {
  const artifacts = [
    ...pkg.skills.map(({ dir }) => dir),
    ...[...pkg.commands, ...pkg.agents, ...pkg.rules].map(({ file }) => folderOf(file)),
    ...(pkg.hooks ? [folderOf(pkg.hooks.file)] : []),
  ];
  const answers = new Set([
    pkg.evals.dir,
    ...pkg.evals.cases.map(({ file }) => file),
    ...pkg.tests.map(({ dir }) => dir),
    ...['', ...ARTIFACT_FOLDERS, ...artifacts].flatMap((dir) => [
      posix.join(dir, 'tests'),
      posix.join(dir, 'evals'),
    ]),
    'package.agent.lock',
  ]);
  return (path) => {
    const parts = path.split('/');
    return parts.some(
      (part, index) => LEFT_OUT.has(part) || answers.has(parts.slice(0, index + 1).join('/')),
    );
  };
}

function folderOf(file: string): string {
  const dir = posix.dirname(file);
  return dir === '.' ? '' : dir;
}

/** The path of what is really there; null when that is outside the package. */
function withoutLinks({ files, root }: AgentPackage, path: string): string | null {
  let parts = path.split('/');
  for (let hops = 0; hops < MAX_LINKS; hops++) {
    const at = parts.findIndex((_, index) => files.get(parts.slice(0, index + 1).join('/'))?.link);
    if (at < 0) return parts.join('/');
    const link = files.get(parts.slice(0, at + 1).join('/'))?.link;
    if (!link?.inside) return null;
    const target = posix.resolve(root, ...parts.slice(0, at), link.target);
    if (!target.startsWith(`${root}/`)) return null;
    parts = [...target.slice(root.length + 1).split('/'), ...parts.slice(at + 1)];
  }
  return null;
}
