/** Skills: a body worth loading, references that exist. */
import { posix } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { own } from '../../model/own.ts';
import type { AgentPackage, Skill } from '../../model/package.ts';
import { allDependencies } from './manifest.ts';
import { error, fileWarning, openWord, suggest, warning } from './report.ts';

const RECOMMENDED_LINES = 500;
const RECOMMENDED_TOKENS = 5000;
const CHARACTERS_PER_TOKEN = 4;

export function* skillRules(pkg: AgentPackage): Iterable<Diagnostic> {
  for (const skill of pkg.skills) {
    yield* frontmatterRules(skill, pkg);
    if (skill.frontmatter) {
      yield* size(skill);
      yield* links(skill, pkg);
    }
  }
}

function* frontmatterRules({ frontmatter }: Skill, { agents, manifest }: AgentPackage): Iterable<Diagnostic> {
  if (!frontmatter) return;
  const { agent, compatibility, context } = frontmatter.value;
  if (context !== undefined) yield* openWord(frontmatter, ['context'], context, ['fork']);
  const names = agents.map(({ name }) => name);
  if (agent && names.length > 0 && !names.includes(agent)) {
    const hint = suggest(agent, names, 'sub-agents');
    yield warning(
      frontmatter,
      ['agent'],
      'unknown-agent',
      `there is no sub-agent ${agent} in this package`,
      hint,
    );
  }
  const required = typeof compatibility === 'object' ? (compatibility.packages ?? []) : [];
  for (const [index, name] of required.entries()) {
    if (!manifest || own(allDependencies(manifest.value), name) !== undefined) continue;
    yield error(
      frontmatter,
      ['compatibility', 'packages', index],
      'unknown-dependency',
      `${name} is not among the package’s dependencies`,
      `add it to dependencies in ${manifest.file}`,
    );
  }
}

function* size({ file, body }: Skill): Iterable<Diagnostic> {
  const text = body.trim();
  if (text === '') {
    const hint = 'write there what the agent should do';
    yield fileWarning(file, 'empty-body', 'has no text after the frontmatter', hint);
  }
  const lines = text.split('\n').length;
  const tokens = Math.round(text.length / CHARACTERS_PER_TOKEN);
  const much =
    lines > RECOMMENDED_LINES
      ? `${lines} lines; ${RECOMMENDED_LINES}`
      : tokens > RECOMMENDED_TOKENS && `about ${tokens} tokens; ${RECOMMENDED_TOKENS}`;
  if (much) {
    const hint = 'move details into references/';
    yield fileWarning(file, 'long-skill', `has ${much} at most are recommended`, hint);
  }
}

/** Markdown links to files: relative, with forward slashes, to something that is there. */
function* links({ dir, file, body, bodyLine }: Skill, { files }: AgentPackage): Iterable<Diagnostic> {
  let fenced = false;
  for (const [index, line] of body.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || !line.includes('](')) continue;
    const prose = line.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
    for (const match of prose.matchAll(/\]\(<?([^()\s<>]+)>?(?:\s+"[^"]*")?\)/g)) {
      const problem = linkProblem(match[1] ?? '', dir, files);
      if (!problem) continue;
      const column = match.index + match[0].indexOf(match[1] ?? '') + 1;
      const hint = 'links are relative to the skill’s folder';
      yield {
        severity: 'warning',
        rule: 'broken-reference',
        file,
        line: bodyLine + index,
        column,
        message: problem,
        hint,
      };
    }
  }
}

function linkProblem(target: string, dir: string, files: AgentPackage['files']): string | null {
  const path = decoded(target.replace(/[#?].*$/, ''));
  // Nothing, an address, or a placeholder.
  if (path === '' || /^[a-z][a-z0-9+.-]+:|^\/\/|[{}$*|]/i.test(path)) return null;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return `the link ${target} is absolute`;
  if (path.includes('\\')) return `the link ${target} has a backslash: use forward slashes`;
  const full = posix.join(dir, path).replace(/\/$/, '');
  if (full === '..' || full.startsWith('../')) return `the link ${target} leads out of the package`;
  return full === '.' || files.has(full) ? null : `the link ${target} leads to a file that does not exist`;
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
