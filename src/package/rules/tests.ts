/** Test cases name hooks that exist and files that are there, and they check something. */
import type { Diagnostic, Located } from '../../model/diagnostic.ts';
import { HOOK_EVENTS } from '../../model/names.ts';
import type { AgentPackage, HookTestSuite, SkillTestSuite } from '../../model/package.ts';
import type { HookTestCase } from '../../model/tests.ts';
import { error, insidePath, suggest, warning } from './report.ts';

export function* testRules(pkg: AgentPackage): Iterable<Diagnostic> {
  for (const suite of pkg.tests) {
    if (suite.kind === 'skill') yield* skillCases(suite, pkg);
    else yield* hookCases(suite, pkg);
  }
}

function* skillCases(suite: SkillTestSuite, { files }: AgentPackage): Iterable<Diagnostic> {
  for (const it of suite.cases) {
    for (const [index, written] of (it.value.input.files ?? []).entries()) {
      const at = ['input', 'files', index];
      const checked = insidePath(it, at, written, suite.skillDir);
      if ('problem' in checked) yield checked.problem;
      else if (!files.has(checked.path)) {
        const prefix = suite.skillDir ? `${suite.skillDir}/` : '';
        const near = [...files.keys()]
          .filter((path) => path.startsWith(prefix))
          .map((path) => path.slice(prefix.length));
        yield error(
          it,
          at,
          'missing-file',
          `${checked.path} does not exist`,
          suggest(written, near, 'files'),
        );
      }
    }
  }
}

function* hookCases(suite: HookTestSuite, pkg: AgentPackage): Iterable<Diagnostic> {
  for (const it of suite.cases) {
    yield* event(it, pkg);
    const { input, expected } = it.value;
    if (Object.values(expected).every((value) => value === undefined)) {
      yield error(
        it,
        ['expected'],
        'nothing-expected',
        'the case checks nothing',
        'add an exit-code, stderr-contains, stdout-json or not-contains',
      );
    }
    if (input.fixture !== undefined) {
      const checked = insidePath(it, ['input', 'fixture'], input.fixture, suite.dir);
      if ('problem' in checked) yield checked.problem;
      else if (!pkg.files.has(checked.path)) {
        const near = [...pkg.files.keys()]
          .filter((path) => path.startsWith(`${suite.dir}/`))
          .map((path) => path.slice(suite.dir.length + 1));
        yield error(
          it,
          ['input', 'fixture'],
          'missing-file',
          `${checked.path} does not exist`,
          suggest(input.fixture, near, 'fixtures'),
        );
      }
    }
  }
}

function* event(it: Located<HookTestCase>, { hooks }: AgentPackage): Iterable<Diagnostic> {
  if (!hooks) {
    yield error(
      it,
      ['event'],
      'unknown-event',
      'the package has no hooks that can be read',
      'hooks stand in hooks/hooks.json',
    );
    return;
  }
  const { event: name, hookIndex } = it.value;
  const declared = Object.keys(hooks.value.hooks);
  const groups = hooks.value.hooks[name];
  if (!groups) {
    const known = name in HOOK_EVENTS ? declared : [...declared, ...Object.keys(HOOK_EVENTS)];
    yield error(
      it,
      ['event'],
      'unknown-event',
      `${hooks.file} has no hook for ${name}`,
      suggest(name, known, 'hooks'),
    );
  } else if (hookIndex >= groups.length) {
    yield error(
      it,
      ['hook-index'],
      'unknown-hook',
      `${name} has ${groups.length} group${groups.length === 1 ? '' : 's'}, so hook-index ${hookIndex} does not exist`,
      'count from 0',
    );
  } else if (groups[hookIndex]?.hooks.every((entry) => entry.type === 'prompt')) {
    yield warning(
      it,
      ['hook-index'],
      'needs-model',
      'this hook is a prompt, which aam test cannot run without a model',
      'write an eval case for it',
    );
  }
}
