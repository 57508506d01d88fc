/** A sub-agent's skills and commands exist; so do the variables a command uses. */
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import { parseRef } from '../../model/names.ts';
import type { AgentPackage } from '../../model/package.ts';
import { error, suggest, warning } from './report.ts';

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
  yield* commandVariables(pkg);
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
  } else if (
    manifest &&
    !(
      ref.package in
      {
        ...manifest.value.dependencies,
        ...manifest.value.optionalDependencies,
        ...manifest.value.peerDependencies,
      }
    )
  ) {
    yield error(
      where,
      at,
      'unknown-dependency',
      `${ref.package} is not among the package’s dependencies`,
      'add it to dependencies',
    );
  }
}

function* commandVariables({ commands }: AgentPackage): Iterable<Diagnostic> {
  for (const { frontmatter, body } of commands) {
    if (!frontmatter) continue;
    const declared = (frontmatter.value.variables ?? []).map(({ name }) => name);
    const used = new Set(
      [...body.matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_-]*)\s*\}\}/g)].map((match) => match[1] ?? ''),
    );
    for (const name of used) {
      if (!declared.includes(name)) {
        yield warning(
          frontmatter,
          ['variables'],
          'unknown-variable',
          `{{${name}}} is used but not declared in variables`,
          suggest(name, declared, 'variables'),
        );
      }
    }
    for (const [index, variable] of (frontmatter.value.variables ?? []).entries()) {
      const { default: standard, enum: allowed } = variable;
      if (allowed && standard !== undefined && !allowed.includes(String(standard))) {
        yield error(
          frontmatter,
          ['variables', index, 'default'],
          'wrong-value',
          `the default ${standard} is not one of ${allowed.join(', ')}`,
        );
      }
    }
  }
}
