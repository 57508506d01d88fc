/** What of a package an agent may see. Evals and tests hold the answers, so they never get into a sandbox. */
import { posix } from 'node:path';
import type { AgentPackage, Skill } from '../../model/package.ts';
import { hiddenIn, type WhyHidden } from './hidden.ts';
import { type CopiedFile, isPathName, lost, type Part } from './installation.ts';

/** Of tools, and needed by the package's scripts. Their files are not in the inventory. */
const TAKEN_WHOLE = new Set(['node_modules', '.venv']);
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
    if (isHidden(path) !== null || (kind !== 'file' && !whole && link?.inside !== false)) continue;
    const from = withoutLinks(pkg, path);
    if (from === null)
      warnings.push(`${path}: links to something outside the package, so it is not installed`);
    else if (isHidden(from) !== null)
      warnings.push(`${path}: links to ${from}, which agents must not see, so it is not installed`);
    else files.push({ to: path, from });
  }
  return { files, warnings };
}

/** What agents do not get although its author may think so; one line for each reason. */
export function leftOut(pkg: AgentPackage): string[] {
  const isHidden = hiddenIn(pkg);
  const paths = [...pkg.files].filter(([, { kind }]) => kind === 'file').map(([path]) => path);
  return Object.entries(REASONS).flatMap(([why, reason]) => {
    const found = paths.filter((path) => isHidden(path) === why);
    return found.length > 0 ? [`${named(found)}: ${reason}, so agents do not get it`] : [];
  });
}

const REASONS = {
  copies: 'looks like evals',
  secrets: 'may hold secrets',
} as const satisfies Partial<Record<WhyHidden, string>>;

const NAMED = 8;

function named(paths: readonly string[]): string {
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : '';
  return `${paths.slice(0, NAMED).join(', ')}${more}`;
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

/** The path of what is really there; null when that is outside the package. */
export function withoutLinks({ files, root }: AgentPackage, path: string): string | null {
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
