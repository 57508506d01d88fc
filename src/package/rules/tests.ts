/** Test cases name hooks that exist and files that are there, and they check something. */
import type { Diagnostic, Located } from '../../model/diagnostic.ts';
import { HOOK_EVENTS } from '../../model/names.ts';
import { own } from '../../model/own.ts';
import type { AgentPackage, HookTestSuite, SkillTestSuite } from '../../model/package.ts';
import type { HookTestCase } from '../../model/tests.ts';
import { error, hasErrors, namedFile, suggest, warning } from './report.ts';

export function* testRules(pkg: AgentPackage): Iterable<Diagnostic> {
  for (const suite of pkg.tests) {
    if (suite.kind === 'skill') yield* skillCases(suite, pkg);
    else yield* hookCases(suite, pkg);
  }
}

function* skillCases(suite: SkillTestSuite, { files }: AgentPackage): Iterable<Diagnostic> {
  const options = { base: suite.skillDir, noun: 'files', folderAllowed: true };
  for (const it of suite.cases) {
    for (const [index, written] of (it.value.input.files ?? []).entries()) {
      yield* namedFile(it, ['input', 'files', index], written, files, options);
    }
  }
}

function* hookCases(suite: HookTestSuite, pkg: AgentPackage): Iterable<Diagnostic> {
  for (const it of suite.cases) {
    yield* event(it, pkg);
    const { input, expected } = it.value;
    const checks = Object.values(expected).filter((it) => it !== undefined);
    if (checks.every((it) => Array.isArray(it) && it.length === 0)) {
      yield error(
        it,
        ['expected'],
        'nothing-expected',
        'the case checks nothing',
        'add an exit-code, stderr-contains, stdout-json or not-contains',
      );
    }
    if (input.fixture !== undefined) {
      const options = { base: suite.dir, noun: 'fixtures' };
      yield* namedFile(it, ['input', 'fixture'], input.fixture, pkg.files, options);
    }
  }
}

function* event(it: Located<HookTestCase>, pkg: AgentPackage): Iterable<Diagnostic> {
  const { hooks } = pkg;
  // The mistakes of hooks.json are told there.
  if (hasErrors(pkg, pkg.hooksFile)) return;
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
  const groups = own(hooks.value.hooks, name);
  if (!groups) {
    const known = Object.hasOwn(HOOK_EVENTS, name) ? declared : [...declared, ...Object.keys(HOOK_EVENTS)];
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
