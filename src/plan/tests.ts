/** Selects the test cases to run. */
import type { Diagnostic, Located } from '../model/diagnostic.ts';
import { nearMisses } from '../model/nearest.ts';
import type { AgentPackage, HookTestSuite, SkillTestSuite, TestSuite } from '../model/package.ts';
import type { HookTestCase, SkillTestCase } from '../model/tests.ts';

export interface TestSelection {
  readonly skills?: readonly string[];
  readonly hooks?: boolean;
  readonly cases?: readonly string[];
  readonly events?: readonly string[];
  /** A file or folder inside the package: only cases that are in it, or that test what is in it. */
  readonly part?: string;
}

export type PlannedTest =
  | { readonly kind: 'skill'; readonly suite: SkillTestSuite; readonly case: Located<SkillTestCase> }
  | { readonly kind: 'hook'; readonly suite: HookTestSuite; readonly case: Located<HookTestCase> };

export interface TestPlan {
  readonly tests: readonly PlannedTest[];
  /** Files of selected cases that cannot be run, because something in them or in what they need is wrong. */
  readonly invalid: readonly string[];
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** `findings` is all that is wrong with the package; a case runs when nothing is wrong in the files it needs. */
export function planTests(
  pkg: AgentPackage,
  selection: TestSelection,
  findings: readonly Diagnostic[] = pkg.diagnostics,
): TestPlan {
  const wrong = new Set(findings.filter((it) => it.severity === 'error').map((it) => it.file));
  const suites = pkg.tests.filter((suite) => suiteSelected(suite, selection));
  const tests = suites.flatMap(testsOf).filter((test) => testSelected(test, selection));
  const broken = suites.flatMap(({ broken }) => broken).filter((file) => caseSelected(file, null, selection));
  const runnable = tests.filter((test) => !needs(test, pkg).some((file) => wrong.has(file)));
  const invalid = tests.filter((test) => !runnable.includes(test)).map((test) => test.case.file);

  const involved = new Set([...tests.flatMap((test) => needs(test, pkg)), ...broken]);
  const about = findings.filter((it) => involved.has(it.file));
  return {
    tests: runnable,
    invalid: [...invalid, ...broken],
    errors: about.filter((it) => it.severity === 'error'),
    warnings: about.filter((it) => it.severity === 'warning'),
  };
}

function testsOf(suite: TestSuite): PlannedTest[] {
  return suite.kind === 'skill'
    ? suite.cases.map((it) => ({ kind: 'skill', suite, case: it }))
    : suite.cases.map((it) => ({ kind: 'hook', suite, case: it }));
}

/** The files without which a case means nothing. */
function needs(test: PlannedTest, { manifestFile, hooksFile }: AgentPackage): string[] {
  const files = [
    test.case.file,
    `${test.suite.dir}/test-config.json`,
    ...(manifestFile ? [manifestFile] : []),
  ];
  return test.kind === 'hook' ? [...files, hooksFile] : files;
}

function suiteSelected(suite: TestSuite, { skills, hooks, events, part }: TestSelection): boolean {
  if (part && !isAbout(suite, part)) return false;
  const onlyHooks = hooks || (events && events.length > 0);
  if (suite.kind === 'hooks') return onlyHooks || !skills?.length;
  return skills?.length ? skills.includes(suite.skill) : !onlyHooks;
}

/** A suite is about its own folder and about what it tests; a file in one speaks for the whole. */
function isAbout(suite: TestSuite, part: string): boolean {
  const tested = suite.kind === 'skill' ? suite.skillDir : suite.dir.replace(/\/?tests$/, '');
  const within = (path: string, folder: string) =>
    folder === '' || path === folder || path.startsWith(`${folder}/`);
  return within(tested, part) || within(part, tested);
}

function caseSelected(file: string, name: string | null, { cases }: TestSelection): boolean {
  return !cases?.length || cases.includes(fileStem(file)) || (name !== null && cases.includes(name));
}

function testSelected(test: PlannedTest, selection: TestSelection): boolean {
  const { events } = selection;
  if (!caseSelected(test.case.file, test.case.value.name, selection)) return false;
  if (selection.part?.startsWith(`${test.suite.dir}/cases/`) && selection.part !== test.case.file)
    return false;
  return !events?.length || (test.kind === 'hook' && events.includes(test.case.value.event));
}

export function fileStem(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '');
}

/** Words of the selection that name nothing, each with what it may have meant: a renamed case must not pass unseen. */
export function unmatchedWords(packages: readonly AgentPackage[], selection: TestSelection): string[] {
  const suites = packages.flatMap((pkg) => pkg.tests);
  const tests = suites.flatMap(testsOf);
  const broken = suites.flatMap((suite) => suite.broken.map(fileStem));
  return [
    ...hints(
      'skill with tests',
      selection.skills,
      suites.flatMap((suite) => (suite.kind === 'skill' ? [suite.skill] : [])),
    ),
    ...hints('case', selection.cases, [
      ...tests.flatMap((test) => [test.case.value.name, fileStem(test.case.file)]),
      ...broken,
    ]),
    ...hints(
      'event with tests',
      selection.events,
      tests.flatMap((test) => (test.kind === 'hook' ? [test.case.value.event] : [])),
    ),
  ];
}

/** Why nothing was selected although every word names something. */
export function explainEmptySelection(packages: readonly AgentPackage[], selection: TestSelection): string[] {
  const tests = packages.flatMap((pkg) => pkg.tests).flatMap(testsOf);
  if (tests.length === 0) {
    return [
      'write cases in skills/<skill>/tests/cases/*.yaml or hooks/tests/cases/*.yaml',
      'or see an example:  aam init',
    ];
  }
  if (selection.hooks && tests.every(({ kind }) => kind === 'skill'))
    return ['there are no hook tests in hooks/tests/cases/'];
  return ['each part of the selection exists, but no case fits all of it: leave one out'];
}

function hints(noun: string, words: readonly string[] | undefined, known: readonly string[]): string[] {
  return (words ?? [])
    .filter((word) => !known.includes(word))
    .map((word) => {
      const near = nearMisses(word, known);
      if (near.length > 0) return `there is no ${noun} called ${word}; did you mean ${near.join(' or ')}?`;
      const all = [...new Set(known)];
      const listed = all.length > 0 && all.length <= 12 ? `: there is ${all.join(', ')}` : '';
      return `there is no ${noun} called ${word}${listed}`;
    });
}
