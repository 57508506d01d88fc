/** One test of an eval file → a case. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Case, CaseFile } from '../../../model/case.ts';
import type { Grader } from '../../../model/grader.ts';
import { agreesWith, referenceIn } from '../../../model/reference.ts';
import type { Json } from '../../../model/tests.ts';
import { readAssertions } from './assertions.ts';
import { expectedOfTurns, readTurnAssertions, refuseTurnRules, type Turn, turnsIn } from './conversation.ts';
import { type Execution, readExecution } from './execution.ts';
import { type Expected, readExpected } from './expected.ts';
import { readFilePaths } from './file-paths.ts';
import { Graded, PASS_MARK, type Subject } from './graded.ts';
import { readInput } from './input.ts';
import { TEST_KEYS, TEST_NOT_HEARD } from './keys.ts';
import { type Fields, fieldOf, itemsOf, type Part } from './part.ts';
import type { Reading } from './reading.ts';
import type { Test } from './tests.ts';
import { fieldsIn, textIn } from './values.ts';
import { type Vars, withVars } from './vars.ts';
import { readWorkspace, templateFiles } from './workspace.ts';

/** What a suite says for all of its tests. */
export interface Defaults {
  readonly input: Part | null;
  readonly inputFiles: Part | null;
  readonly assertions: readonly Part[];
  readonly workspace: Part | null;
  readonly execution: Execution;
}

export interface ReadCase {
  readonly case: Case;
  /** Names; empty: the test does not say. */
  readonly targets: readonly string[];
  /** Absolute: what its graders read or run. */
  readonly files: readonly string[];
  /** Where in the workspace the files are that the test names itself. */
  readonly named: readonly string[];
  readonly part: Fields;
}

const ASSERTIONS = ['assert', 'assertions', 'evaluators', 'graders'];

/** null after reporting why it is no case. */
export function readCase(
  test: Test,
  name: { readonly name: string; readonly aliases: readonly string[] },
  defaults: Defaults,
  reading: Reading,
  skill: string | null,
): ReadCase | null {
  const { findings } = reading;
  const vars = fieldsIn(fieldOf(test.part, 'vars'), findings)?.value ?? {};
  const part = withVars(test.part, vars);
  findings.keys(part, TEST_KEYS, TEST_NOT_HEARD);
  refuseDependence(part, reading);
  const execution = readExecution(part, 'test', reading);
  const turns = turnsIn(part, reading);
  const suiteInput = execution.skipDefaults || !defaults.input ? [] : [withVars(defaults.input, vars)];
  const own = turns === null ? [fieldOf(part, 'input')].filter((it) => it !== null) : [];
  const files = fieldOf(part, 'input_files') ?? (execution.skipDefaults ? null : defaults.inputFiles);
  const asked =
    turns === null
      ? readInput([...suiteInput, ...own], files, reading, part)
      : readTurns(suiteInput, turns, files, reading, part);
  const expected = readExpected(fieldOf(part, 'expected_output', 'reference_answer'), reading);
  const criteria = textIn(fieldOf(part, 'criteria', 'expected_outcome'), findings)?.trim() || null;
  const graded = grade({ part, turns, expected, criteria, execution, defaults, vars }, reading);
  const prepared = readWorkspace(defaults.workspace, fieldOf(part, 'workspace'), reading);
  for (const file of prepared.sources) graded.files.add(file);
  const template = test.template === null ? [] : templateFiles(test.template, reading);
  if (asked === null) return null;
  const [prompt, ...followUps] = asked.turns;
  const copied = readFilePaths(fieldOf(part, 'file_paths'), reading);
  const given = lastOfEach([...prepared.files, ...template, ...asked.files, ...copied.files]);
  const problems = [...asked.problems, ...copied.problems];
  const reference =
    [expected.text, turns && expectedOfTurns(turns, reading)].filter(Boolean).join('\n\n') || null;
  const it: Omit<Case, 'hash'> = {
    ...name,
    description: textIn(fieldOf(part, 'description', 'note'), findings)?.trim() || null,
    target: skill === null ? null : `skill:${skill}`,
    prompt,
    followUps,
    ...(asked.instructions !== null && { instructions: asked.instructions }),
    ...(prepared.setup !== null && { setup: prepared.setup }),
    files: given,
    graders: followUps.length === 0 ? graded.graders : graded.graders.map(ofLastAnswer),
    criteria: graded.criteria,
    reference: graded.criteria.some((it) => referenceIn(it) !== null) ? null : reference,
    scoring: {
      mode: 'score',
      threshold: execution.threshold ?? defaults.execution.threshold ?? PASS_MARK,
      ...(graded.groups.length > 0 && { groups: graded.groups }),
    },
    fault:
      problems.length > 0
        ? { errorKind: 'file_copy_error', error: problems.join('; '), files: copied.missing }
        : null,
    written: {
      criteria,
      input: json(turns === null ? fieldOf(part, 'input')?.value : turns.map((turn) => turn.input.value)),
      expectedOutput: json(fieldOf(part, 'expected_output', 'reference_answer')?.value),
    },
    metadata: (fieldsIn(fieldOf(part, 'metadata'), findings)?.value ?? {}) as Case['metadata'],
    sources: [...graded.files].sort(),
    file: part.doc.source.file,
    line: part.doc.source.at(part.path).line,
  };
  const shared = execution.skipDefaults
    ? []
    : [defaults.input?.value, ...defaults.assertions.map((list) => list.value)];
  const workspace = [defaults.workspace?.value];
  return {
    case: { ...it, hash: hashOf([part.value, shared, workspace], it, graded.files) },
    targets: execution.targets.length > 0 ? execution.targets : defaults.execution.targets,
    files: [...graded.files],
    named: [...asked.files, ...copied.files].map(({ to }) => to),
    part,
  };
}

/** What was said in an earlier turn is no answer to the last. */
function ofLastAnswer(it: Grader): Grader {
  return 'of' in it.options ? ({ ...it, options: { ...it.options, of: 'answer' } } as Grader) : it;
}

function readTurns(
  suite: readonly Part[],
  turns: readonly Turn[],
  files: Part | null,
  reading: Reading,
  test: Fields,
) {
  refuseTurnRules(test, reading);
  const read = turns.map(({ input }, index) =>
    readInput(
      index === 0 ? [...suite, input] : [input],
      index === turns.length - 1 ? files : null,
      reading,
      test,
    ),
  );
  if (read.length === 0 || read.some((it) => it === null)) return null;
  const all = read.filter((it) => it !== null);
  const [first, ...rest] = all.flatMap((it) => it.turns);
  return {
    instructions: all.flatMap((it) => it.instructions ?? []).join('\n\n') || null,
    turns: [first ?? '', ...rest] as const,
    files: all.flatMap((it) => it.files),
    problems: all.flatMap((it) => it.problems),
  };
}

interface Grading {
  readonly part: Fields;
  readonly turns: readonly Turn[] | null;
  readonly expected: Expected;
  readonly criteria: string | null;
  readonly execution: Execution;
  readonly defaults: Defaults;
  readonly vars: Vars;
}

/** The test's own assertions first, then those of the suite; without any, its criteria. */
function grade(
  { part, turns, expected, criteria, execution, defaults, vars }: Grading,
  reading: Reading,
): Graded {
  const { findings } = reading;
  const into = new Graded();
  const metadata = JSON.stringify(fieldOf(part, 'metadata')?.value ?? {});
  const subject: Subject = { criteria, words: { criteria, metadata }, expected: expected.data, preface: '' };
  const own = [...ASSERTIONS.flatMap((key) => fieldOf(part, key) ?? []), ...execution.assertions];
  const shared = execution.skipDefaults ? [] : defaults.assertions.map((it) => withVars(it, vars));
  const rubrics = fieldOf(part, 'rubrics');
  if (rubrics !== null)
    readAssertions(
      { ...rubrics, value: { type: 'rubrics', criteria: rubrics.value } },
      into,
      subject,
      reading,
    );
  if (turns !== null) readTurnAssertions(turns, into, subject, reading);
  const lists = [...own, ...shared].filter((it) => !Array.isArray(it.value) || itemsOf(it).length > 0);
  for (const list of lists) readAssertions(list, into, subject, reading);
  const { roots } = into;
  if (roots.length > 0 && roots.every(({ weight, required }) => weight === 0 && !required))
    findings.error(part, {
      rule: 'wrong-value',
      message: 'all weights are 0, so nothing decides the test',
      hint: 'give one of the assertions a weight, or make it required',
    });
  const hasLists = lists.length > 0 || rubrics !== null || !into.isEmpty;
  if (!hasLists) implicit(criteria, expected, into, part, reading);
  else if (
    !into.isIncomplete &&
    criteria !== null &&
    into.criteria.length === 0 &&
    into.graders.every(({ kind }) => kind !== 'program')
  )
    findings.warnOnce(fieldOf(part, 'criteria', 'expected_outcome') ?? part, {
      rule: 'unused-criteria',
      message: 'criteria is not graded, because the assertions have no judge among them',
      hint: 'add an assertion of the type llm-judge, or take criteria out',
    });
  return into;
}

function implicit(
  criteria: string | null,
  expected: Expected,
  into: Graded,
  part: Fields,
  { findings }: Reading,
): void {
  const counted = { weight: 1, required: false, minScore: PASS_MARK, scale: [] };
  if (criteria !== null && criteria === expected.text) into.criteria.push(agreesWith(criteria));
  else if (criteria !== null) into.criteria.push({ id: into.unique('criteria'), text: criteria, ...counted });
  else if (expected.text !== null)
    into.criteria.push({
      id: into.unique('expected-output'),
      text: 'What the agent did and answered agrees with the reference.',
      ...counted,
    });
  else
    findings.warn(part, {
      rule: 'ungraded',
      message: 'the test says nothing that could be graded, so it will be undecided',
      hint: 'add criteria, assert or expected_output',
    });
}

function refuseDependence(part: Fields, { findings }: Reading): void {
  const on = fieldOf(part, 'depends_on');
  if (on === null || (Array.isArray(on.value) && on.value.length === 0)) return;
  findings.error(on, {
    rule: 'unsupported',
    message: 'depends_on cannot be honoured: every test runs by itself, in a workspace of its own',
    hint: 'make one test with several turns of it',
  });
}

/** A file that is there twice: the one that stands nearer to the test. */
function lastOfEach(files: readonly CaseFile[]): CaseFile[] {
  return [...new Map(files.map((it) => [it.to, it])).values()];
}

function json(value: unknown): Json {
  return (value ?? null) as Json;
}

/** Of what is written, what it was read as, and the files of both. No absolute path is in it. */
function hashOf(written: unknown, it: Omit<Case, 'hash'>, files: ReadonlySet<string>): string {
  const { prompt, followUps, instructions, criteria, reference, scoring } = it;
  const texts = [
    prompt,
    followUps,
    instructions,
    criteria,
    reference,
    scoring.mode === 'score' && scoring.threshold,
  ];
  const hash = createHash('sha256').update(JSON.stringify([written, texts]));
  for (const { from, to } of it.files) {
    hash.update(`\0${to}\0`);
    if (from !== null) hash.update(readFileSync(from));
  }
  for (const file of [...files].sort()) hash.update('\0').update(readFileSync(file));
  return `sha256:${hash.digest('hex')}`;
}
