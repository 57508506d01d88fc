/** Rules and AGENTS.md as text that agents load. */
import { posix } from 'node:path';
import type { AgentPackage, Rule } from '../../model/package.ts';
import { isPathName, lost, type Part, written } from './installation.ts';

/** Agents load nothing from here by themselves. */
const SHELF = '.agents/rules';

type ReadRule = Rule & { readonly frontmatter: NonNullable<Rule['frontmatter']> };

/** The rules that are meant for an agent; the author may have switched some off. */
export function* rulesFor(pkg: AgentPackage, agent: 'claude' | 'codex' | null): Iterable<ReadRule | Part> {
  for (const rule of pkg.rules) {
    const { frontmatter } = rule;
    if (!frontmatter) yield lost(rule.file, 'its frontmatter cannot be read, so it is not installed');
    else if (!isPathName(rule.name))
      yield lost(rule.file, `${JSON.stringify(rule.name)} cannot be the name of a file`);
    else if (agent === null || frontmatter.value.agents?.[agent]?.enabled !== false)
      yield { ...rule, frontmatter };
  }
}

/** Which files a rule is for. */
export function globsOf({ frontmatter }: ReadRule): string[] {
  const { globs = [] } = frontmatter.value.apply;
  return (typeof globs === 'string' ? globs.split(',') : globs).map((glob) => glob.trim()).filter(Boolean);
}

/**
 * A rule that its agent cannot load by itself at the right time stands on a shelf: when it is for the model to
 * choose, the instructions name it; when it is for people to choose, a prompt has to.
 */
export function* shelved(rule: ReadRule, sections: string[]): Iterable<Part> {
  const { description, apply } = rule.frontmatter.value;
  const path = posix.join(SHELF, `${rule.name}.md`);
  yield written(path, rule.body.trim());
  if (apply.mode === 'manual') {
    yield lost(rule.file, `mode manual: it is at ${path}, and is read only when a prompt names that file`);
    return;
  }
  sections.push(`Read ${path} before you do anything that this is about: ${description.trim()}`);
  yield lost(rule.file, `mode intelligent: the agent is told to read ${path} when its description applies`);
}

/** One AGENTS.md with the package's own text and its rules, for agents that know nothing more particular. */
export function* instructionParts(
  pkg: AgentPackage,
  agent: 'codex' | null,
  instructions: string | null,
): Iterable<Part> {
  const sections = instructions?.trim() ? [instructions.trim()] : [];
  const conditional: string[] = [];
  for (const rule of rulesFor(pkg, agent)) {
    if (!('body' in rule)) {
      yield rule;
      continue;
    }
    const { mode } = rule.frontmatter.value.apply;
    if (mode === 'always') sections.push(rule.body.trim());
    else if (mode !== 'files') yield* shelved(rule, sections);
    else {
      const globs = globsOf(rule).join(', ');
      conditional.push(`## Only for files that match ${globs}\n\n${rule.body.trim()}`);
      yield lost(rule.file, `mode files: it is always loaded, under a heading that it is only for ${globs}`);
    }
  }
  const all = [...sections, ...conditional];
  if (all.length > 0) yield written('AGENTS.md', all.join('\n\n'));
}
