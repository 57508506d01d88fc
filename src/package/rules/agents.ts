/** A sub-agent's skills and commands exist; so do the variables a command uses. */
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import { parseRef } from '../../model/names.ts';
import { own } from '../../model/own.ts';
import type { AgentPackage, Command } from '../../model/package.ts';
import { allDependencies } from './manifest.ts';
import { error, suggest } from './report.ts';

export function* agentRules(pkg: AgentPackage): Iterable<Diagnostic> {
  const skills = pkg.skills.map(({ name }) => name);
  const commands = pkg.commands.map(({ name }) => name);
  for (const { definition } of pkg.agents) {
    if (!definition) continue;
    const { value } = definition;
    for (const [index, ref] of (value.skills ?? []).entries()) {
      yield* reference(pkg, definition, ['skills', index], ref, skills, 'skill');
    }
    for (const [index, ref] of (value.commands ?? []).entries()) {
      yield* reference(pkg, definition, ['commands', index], ref, commands, 'command');
    }
  }
  for (const command of pkg.commands) {
    yield* declaredVariables(command);
    yield* usedVariables(command);
  }
}

function* reference(
  { name: packageName, manifest }: AgentPackage,
  where: Located<unknown>,
  at: Path,
  text: string,
  known: readonly string[],
  noun: string,
): Iterable<Diagnostic> {
  const ref = parseRef(text);
  if (!ref) {
    yield error(
      where,
      at,
      'bad-reference',
      `${JSON.stringify(text)} is not the name of a ${noun}`,
      `write name, or package:name for a ${noun} of a dependency`,
    );
  } else if (ref.package === null || ref.package === packageName) {
    if (!known.includes(ref.name)) {
      yield error(
        where,
        at,
        `unknown-${noun}`,
        `there is no ${noun} ${ref.name} in this package`,
        suggest(ref.name, known, `${noun}s`),
      );
    }
  } else if (manifest && own(allDependencies(manifest.value), ref.package) === undefined) {
    yield error(
      where,
      at,
      'unknown-dependency',
      `${ref.package} is not among the package’s dependencies`,
      `add it to dependencies in ${manifest.file}`,
    );
  }
}

function* declaredVariables({ frontmatter }: Command): Iterable<Diagnostic> {
  const seen = new Set<string>();
  for (const [index, variable] of (frontmatter?.value.variables ?? []).entries()) {
    if (!frontmatter) return;
    const { name, default: standard, enum: allowed } = variable;
    if (seen.has(name)) {
      const message = `there is another variable called ${name}`;
      yield error(frontmatter, ['variables', index, 'name'], 'duplicate-name', message, 'remove one of them');
    }
    seen.add(name);
    if (allowed && standard !== undefined && !allowed.map(String).includes(String(standard))) {
      const message = `the default ${standard} is not one of ${allowed.join(', ')}`;
      yield error(frontmatter, ['variables', index, 'default'], 'wrong-value', message);
    }
  }
}

function* usedVariables({ file, frontmatter, body, bodyLine }: Command): Iterable<Diagnostic> {
  if (!frontmatter) return;
  const declared = (frontmatter.value.variables ?? []).map(({ name }) => name);
  const known = new Set(declared);
  for (const [index, line] of body.split('\n').entries()) {
    if (!line.includes('{{')) continue;
    for (const match of line.matchAll(/\{\{ *([A-Za-z_][A-Za-z0-9_-]*) *\}\}/g)) {
      const name = match[1] ?? '';
      if (known.has(name)) continue;
      known.add(name);
      const hint = suggest(name, declared, 'variables');
      yield {
        severity: 'warning',
        rule: 'unknown-variable',
        file,
        line: bodyLine + index,
        column: match.index + 1,
        message: `{{${name}}} is not declared in variables`,
        ...(hint && { hint: declared.length > 0 ? hint : `add  variables: [{ name: ${name} }]` }),
      };
    }
  }
}
