/** Reads an eval file of AgentV's kind, and the skill it may belong to. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, relative, sep } from 'node:path';
import type { SuiteSettings } from '../../../model/case.ts';
import type { Host } from '../../../model/host.ts';
import type { AgentPackage } from '../../../model/package.ts';
import { emptyPackage } from '../../empty-package.ts';
import type { LoadedSuite } from '../../format.ts';
import { readPackage } from '../uaaps/package.ts';
import { settingsOf } from '../uaaps/suite.ts';
import { answerTest } from './answers.ts';
import { type Defaults, type ReadCase, readCase } from './case.ts';
import { CaseNames } from './case-names.ts';
import { openDoc, slashed } from './docs.ts';
import { lookupIn } from './environment.ts';
import { type Execution, readExecution } from './execution.ts';
import { isEvalName } from './file-names.ts';
import { HOLDS_ANSWERS } from './files.ts';
import { Findings } from './findings.ts';
import { SUITE_KEYS, SUITE_NOT_HEARD } from './keys.ts';
import { type Fields, fieldOf, isFields, type Part, wholeOf } from './part.ts';
import { placeEval } from './place.ts';
import type { Reading } from './reading.ts';
import { readTests } from './tests.ts';
import { textIn } from './values.ts';
import { withheld } from './workspace.ts';

/** Whole tasks take longer than a single question. */
const TIMEOUT_SECONDS = 300;

export async function readAgentv(path: string, env: Host['env'] = {}): Promise<LoadedSuite> {
  const place = placeEval(path);
  const { home } = place;
  const findings = new Findings();
  const answers = new Set<string>();
  const reading: Reading = {
    place,
    isAnswer: answerTest(place, answers),
    home,
    findings,
    lookup: lookupIn(env, place.upward),
    opened: new Map(),
    answers,
  };
  const { owner, tests: written } = openSuite(path, reading);
  const defaults = readDefaults(owner, reading);
  const { tests, found } = written === null ? { tests: [], found: 0 } : readTests(written, reading);
  const pkg = place.skill === null ? emptyPackage(home, nameOf(owner, home)) : await readPackage(place.skill);
  const [skill = null, another] = pkg.skills.map(({ name }) => name);
  const names = new CaseNames(findings);
  const read = tests.map((test, index) => {
    const { result, mistakes } = findings.mistakesIn(() => {
      const name = names.next(test, index);
      return { name, made: readCase(test, name, defaults, reading, another === undefined ? skill : null) };
    });
    return { ...result, mistakes };
  });
  const made = read.flatMap(({ made: it, mistakes }) => (it && mistakes.length === 0 ? [it] : []));
  const usable = withoutGraders(made, reading);
  return {
    home,
    pkg: withoutAnswers(pkg, path, reading),
    suite: {
      cases: usable.map((it) => it.case),
      settings: withExecution(settingsOf(pkg, TIMEOUT_SECONDS), defaults.execution),
    },
    hides: foldersOutside(
      reading,
      usable.flatMap(({ files }) => files),
    ),
    targetsOf: new Map(usable.map((it) => [it.case.name, it.targets])),
    broken: read
      .filter(({ mistakes }) => mistakes.length > 0)
      .map(({ name, mistakes }) => ({ words: [name.name, ...name.aliases], diagnostics: mistakes })),
    found,
    diagnostics: findings.all,
  };
}

/** `owner`: what is said for all tests. A file with one test per line has it in a file beside it. */
function openSuite(path: string, reading: Reading): { owner: Fields; tests: Part | null } {
  const { findings, place } = reading;
  const whole = wholeOf(openDoc(path, [place.evalsDir], reading));
  if (path.endsWith('.jsonl')) {
    const sidecar = ['.eval.yaml', '.eval.yml', '.yaml', '.yml']
      .map((ending) => path.replace(/\.jsonl$/, ending))
      .find((it) => existsSync(it));
    const beside = sidecar === undefined ? null : wholeOf(openDoc(sidecar, [place.evalsDir], reading));
    const owner = beside !== null && isFields(beside) ? beside : { ...whole, value: {} };
    return { owner, tests: whole.value === undefined ? null : whole };
  }
  if (isFields(whole)) {
    const tests = fieldOf(whole, 'tests', 'eval_cases');
    if (tests === null)
      findings.error(whole, {
        rule: 'missing-key',
        message: 'there are no tests',
        hint: 'write  tests:  and below it  - id: …  input: …  criteria: …',
      });
    return { owner: whole, tests };
  }
  if (whole.value !== undefined && !Array.isArray(whole.value))
    findings.error(whole, { rule: 'wrong-type', message: 'the document must be a map of keys with tests' });
  return { owner: { ...whole, value: {} }, tests: Array.isArray(whole.value) ? whole : null };
}

function readDefaults(owner: Fields, reading: Reading): Defaults {
  const { findings } = reading;
  findings.keys(owner, SUITE_KEYS, SUITE_NOT_HEARD);
  const evaluator = fieldOf(owner, 'evaluator');
  if (evaluator !== null && !isUsualJudge(evaluator.value))
    findings.error(evaluator, {
      rule: 'unsupported',
      message: `evaluator: ${typeof evaluator.value === 'string' ? evaluator.value : 'a map or a list'} is not known; only llm-judge`,
      hint: 'write assertions for all tests in assert',
    });
  const execution = readExecution(owner, 'suite', reading);
  const lists = ['assert', 'assertions', 'evaluators', 'graders'].flatMap((key) => fieldOf(owner, key) ?? []);
  return {
    input: fieldOf(owner, 'input'),
    inputFiles: fieldOf(owner, 'input_files'),
    assertions: [...lists, ...execution.assertions],
    workspace: fieldOf(owner, 'workspace'),
    execution,
  };
}

function isUsualJudge(evaluator: unknown): boolean {
  return typeof evaluator === 'string' && /^llm[-_](?:judge|grader)$/.test(evaluator);
}

function nameOf(owner: Fields, home: string): string {
  const written = fieldOf(owner, 'name', 'suite', 'dataset');
  return (typeof written?.value === 'string' && textIn(written, new Findings())?.trim()) || basename(home);
}

function withExecution(settings: SuiteSettings, execution: Execution): SuiteSettings {
  const { runs, passThreshold, maxCostUsd, jobs } = execution;
  return {
    ...settings,
    ...(runs !== null && { runs }),
    ...(passThreshold !== null && { passThreshold }),
    ...(maxCostUsd !== null && { maxCostUsd }),
    ...(jobs !== null && { jobs }),
  };
}

/** What one test is graded by may be among the files of another, and may have been opened after it. */
function withoutGraders(cases: readonly ReadCase[], { answers, findings }: Reading): ReadCase[] {
  const graders = new Set([...answers, ...cases.flatMap(({ files }) => files).map((it) => realpathSync(it))]);
  return cases.map((it) => {
    const { files, fault } = it.case;
    const secret = files.filter(({ from }) => from !== null && graders.has(from)).map(({ to }) => to);
    if (secret.length === 0) return it;
    const named = secret.filter((to) => it.named.includes(to));
    const error = named.map((to) => `the file ${JSON.stringify(to)} ${HOLDS_ANSWERS}`).join('; ');
    if (named.length > 0) findings.error(it.part, { rule: 'file_copy_error', message: error });
    else findings.warn(it.part, withheld(secret));
    return {
      ...it,
      case: {
        ...it.case,
        files: files.filter(({ to }) => !secret.includes(to)),
        fault: fault ?? (named.length > 0 ? { errorKind: 'file_copy_error', error, files: named } : null),
      },
    };
  });
}

/** Of what the file brings in; within its own project, so that nothing of the machine goes missing. */
function foldersOutside({ opened, place }: Reading, files: readonly string[]): string[] {
  const folders = [...opened.keys(), ...files].map((it) => dirname(it));
  const isBelow = (dir: string, root: string) => dir === root || dir.startsWith(`${root}${sep}`);
  return [...new Set(folders)].filter(
    (dir) => !isBelow(dir, place.home) && dir !== place.top && isBelow(dir, place.top),
  );
}

/** Nothing that tells how a case is graded is installed. */
function withoutAnswers(pkg: AgentPackage, path: string, { opened }: Reading): AgentPackage {
  const own = new Set([...opened.keys()].map((it) => slashed(relative(pkg.root, it))));
  const folder = /^evals?$/.test(basename(dirname(path))) ? slashed(relative(pkg.root, dirname(path))) : null;
  const isAnswer = (it: string) =>
    own.has(it) ||
    it === folder ||
    (folder !== null && it.startsWith(`${folder}/`)) ||
    /(?:^|\/)\.agentv(?:\/|$)/.test(it) ||
    isEvalName(basename(it));
  return { ...pkg, files: new Map([...pkg.files].filter(([it]) => !isAnswer(it))) };
}
