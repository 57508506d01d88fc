/** Names are unique in their kind, follow the grammar of packages and agree with where they stand. */
import type { Diagnostic, Located } from '../../model/diagnostic.ts';
import { isArtifactName } from '../../model/names.ts';
import type { AgentPackage } from '../../model/package.ts';
import { error, fileError, warning } from './report.ts';

interface Named {
  readonly name: string;
  readonly file: string;
  readonly where: Located<unknown> | null;
}

export function* nameRules(pkg: AgentPackage): Iterable<Diagnostic> {
  const skills = pkg.skills.map(({ name, file, frontmatter }) => ({ name, file, where: frontmatter }));
  const rules = pkg.rules.map(({ name, file, frontmatter }) => ({ name, file, where: frontmatter }));
  yield* unique('skill', skills);
  yield* unique(
    'command',
    pkg.commands.map(({ name, file, frontmatter }) => ({ name, file, where: frontmatter })),
  );
  yield* unique(
    'sub-agent',
    pkg.agents.map(({ name, file, definition }) => ({ name, file, where: definition })),
  );
  yield* unique('rule', rules);
  yield* unique('eval case', cases(pkg.evals.cases));
  for (const suite of pkg.tests) yield* unique('test case', cases(suite.cases));
  if (pkg.shape === 'package') yield* grammar([...skills, ...rules]);

  for (const { name, dir, frontmatter } of pkg.skills) {
    const folder = dir.slice(dir.lastIndexOf('/') + 1);
    if (frontmatter && folder && folder !== name) {
      yield warning(
        frontmatter,
        ['name'],
        'name-mismatch',
        `the skill is called ${name} but its folder ${folder}`,
        'give both the same name: agents look a skill up by its folder',
      );
    }
  }
}

/** A bare skill may begin with a digit or a hyphen; in a package nothing could refer to it. */
function* grammar(items: readonly Named[]): Iterable<Diagnostic> {
  for (const { name, where } of items) {
    if (!where || isArtifactName(name)) continue;
    const hint = 'rename it: in a package, names are referred to as package:name';
    yield error(where, ['name'], 'wrong-value', `the name ${name} must start with a letter`, hint);
  }
}

function cases(located: readonly Located<{ readonly name: string }>[]): Named[] {
  return located.map((it) => ({ name: it.value.name, file: it.file, where: it }));
}

function* unique(noun: string, items: readonly Named[]): Iterable<Diagnostic> {
  const first = new Map<string, string>();
  for (const { name, file, where } of items) {
    const other = first.get(name);
    if (other === undefined) first.set(name, file);
    else {
      const [message, hint] =
        other === file
          ? [`this ${noun} is listed twice under artifacts`, 'remove one of the entries']
          : [`there is another ${noun} called ${name}, in ${other}`, 'rename one of them'];
      yield where
        ? error(where, ['name'], 'duplicate-name', message, hint)
        : fileError(file, 'duplicate-name', message, hint);
    }
  }
}
