/** Everything an eval run needs to know before it starts: read, validated, selected, found on this machine. */
import type { Engine } from '../engine/engine.ts';
import type { EngineName } from '../engine/engines.ts';
import { ENGINE_PROGRAMS, findEngine } from '../engine/find.ts';
import { isProgram } from '../host/programs.ts';
import type { LoadedSuite } from '../load/format.ts';
import { withTemplate } from '../load/formats/agentv/target-template.ts';
import type { Case, Certification, SuiteSettings } from '../model/case.ts';
import { type Diagnostic, diagnosticLine } from '../model/diagnostic.ts';
import { PrerequisiteError, UserError } from '../model/errors.ts';
import type { EvaluatorName } from '../model/evaluators.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';
import type { Target } from '../model/target.ts';
import type { Trial } from '../model/trial.ts';
import { takesPackage } from '../package/install.ts';
import { type EvalSelection, isChosen, planTrials, selectCases } from '../plan/evals.ts';
import { fileStem } from '../plan/tests.ts';
import { type EvalSource, loadSource } from './eval-source.ts';
import { chooseTarget } from './eval-target.ts';
import { requireLayouts } from './workspace-files.ts';

export interface PlanRequest {
  readonly host: Host;
  /** An eval file, or a folder; null: the package around the working folder. */
  readonly path: string | null;
  readonly selection: EvalSelection;
  /** Of fixtures: decides every case; left out or null: as each case says. */
  readonly evaluator?: EvaluatorName | null;
  readonly engine: string | null;
  /** null: the agent's own default. */
  readonly model: string | null;
  readonly judge: string | null;
  readonly timeoutSeconds: number | null;
  /** Trials of each case and arm; null: what the config says. */
  readonly runs: number | null;
  /** Whether each case also runs without the package. */
  readonly baseline: boolean;
  /** The part of a run that is for one target; left out: the whole, without any. */
  readonly chosen?: ChosenTarget;
  /** What is at `path`, where it was read a moment ago. */
  readonly source?: EvalSource;
}

interface ChosenTarget {
  readonly target: Target | null;
  /** Names of its cases; null: all. */
  readonly cases: readonly string[] | null;
  readonly warnings: readonly string[];
}

export interface EvalPlan {
  /** Absolute. Reports and `.aam` go below it. */
  readonly home: string;
  readonly source: Pick<EvalSource, 'format' | 'file'>;
  readonly certification?: Certification;
  readonly pkg: AgentPackage;
  readonly settings: SuiteSettings;
  readonly engine: Engine;
  readonly engineName: EngineName;
  /** null: the agent's own default. */
  readonly model: string | null;
  readonly runs: number;
  readonly baseline: boolean;
  readonly trials: readonly Trial[];
  /** Whether any trial needs a judge; left out: as the trials here say. */
  readonly judged?: boolean;
  /** Absolute: folders beside home and package that no agent may see. */
  readonly hides?: readonly string[];
  /** Absolute: each is a project by itself, and nothing beside them belongs to one; left out: see projectAround. */
  readonly projects?: readonly string[];
  /** Absolute: what gives answers away, where that was found out before; left out: as the trials here say. */
  readonly answers?: readonly string[];
  /** Findings that do not stop the run. */
  readonly warnings: readonly string[];
}

export async function planEval({ host, path, selection, ...given }: PlanRequest): Promise<EvalPlan> {
  const source = given.source ?? (await loadSource(path, host, given.evaluator));
  const { pkg, suite, home, format, file } = source;
  const {
    engine,
    engineName,
    model,
    settings: own,
  } = chooseTarget(
    { ...suite.settings, ...(given.chosen?.target && { target: given.chosen.target }) },
    given,
  );
  const settings: SuiteSettings = {
    ...own,
    judge: given.judge ?? own.target?.judge ?? own.judge,
    timeoutSeconds: given.timeoutSeconds ?? own.target?.timeoutSeconds ?? own.timeoutSeconds,
    runs: given.runs ?? own.runs,
  };

  const findings = source.findings.filter((it) => given.engine === null || it.rule !== 'unsupported-engine');
  const { cases: selected, warnings } =
    source.loaded === null
      ? chooseFromPackage(source, findings, selection)
      : chooseFromFile(source.loaded, findings, selection);
  const timed = given.timeoutSeconds === null ? selected : selected.map(withoutTimeout);
  const cases = ofTarget(timed, given.chosen);
  const trials = planTrials(cases, { engine: engineName, runs: settings.runs, baseline: given.baseline });
  requireLayouts({ pkg, engineName, settings }, trials);
  return {
    home,
    source: { format, file },
    ...(suite.certification && { certification: suite.certification }),
    pkg,
    settings,
    engine,
    engineName,
    model,
    runs: settings.runs,
    baseline: given.baseline,
    trials,
    hides: source.loaded?.hides ?? [],
    warnings: [
      ...(given.chosen?.warnings ?? []),
      ...warnings.map(diagnosticLine),
      ...(source.loaded?.deferred ?? []).map((id) => `the case ${id} is deferred and was not run`),
      ...packageless(pkg, engineName, given.baseline),
    ],
  };
}

/** What the user says holds for every case. */
function withoutTimeout({ timeoutSeconds: _, ...it }: Case): Case {
  return it;
}

function ofTarget(cases: readonly Case[], chosen: ChosenTarget | undefined): readonly Case[] {
  const own = chosen?.cases ? cases.filter(({ name }) => chosen.cases?.includes(name)) : cases;
  return chosen?.target?.template === undefined ? own : withTemplate(own, chosen.target.template);
}

/** What is not under test must not pass for it. */
function packageless(
  { name, skills, manifestFile }: AgentPackage,
  engine: EngineName,
  baseline: boolean,
): string[] {
  if (takesPackage(engine)) return [];
  if (baseline) {
    throw new UserError(
      `--baseline compares with and without the package, and the engine ${engine} never gets it`,
      'leave out --baseline, or choose an agent:  --engine claude-code',
    );
  }
  const what =
    manifestFile === null ? skills.map((it) => `the skill ${it.name}`).join(', ') : `the package ${name}`;
  return what === '' ? [] : [`the engine ${engine} does not get ${what}: its answers say nothing about it`];
}

interface Chosen {
  readonly cases: readonly Case[];
  readonly warnings: readonly Diagnostic[];
}

function chooseFromPackage(
  { pkg, suite }: EvalSource,
  findings: readonly Diagnostic[],
  selection: EvalSelection,
): Chosen {
  const read = new Set(suite.cases.map(({ file }) => file));
  const unread = (it: Diagnostic) => !read.has(it.file) && wanted([fileStem(it.file)], selection);
  refuse(
    'the package',
    findings.filter((it) => concernsRun(it) && (!isCaseFile(it, pkg) || unread(it))),
  );
  const cases = selectCases(suite.cases, selection);
  const selected = new Set(cases.map(({ file }) => file));
  const aboutCases = findings.filter((it) => selected.has(it.file));
  refuse('the package', aboutCases);
  const warnings = [...findings.filter((it) => concernsRun(it) && !isCaseFile(it, pkg)), ...aboutCases];
  return { cases, warnings: warnings.filter((it) => it.severity === 'warning' && it.rule !== 'permissions') };
}

/** A case with a mistake does not keep the others from being chosen by name; a missing file fails its case alone. */
function chooseFromFile(
  { suite, broken, deferred = [], diagnostics }: LoadedSuite,
  findings: readonly Diagnostic[],
  selection: EvalSelection,
): Chosen {
  const ofCases = new Set(broken.flatMap((it) => it.diagnostics));
  const isWanted = ({ words: [name = '', ...aliases], tags = [] }: LoadedSuite['broken'][number]) =>
    isChosen({ name, aliases, tags, target: null }, { ...selection, targets: [] });
  const due = broken.filter((it) => !it.deferred);
  const chosen = due.filter(isWanted).flatMap((it) => it.diagnostics);
  const about = diagnostics.filter((it) => !ofCases.has(it));
  const isMissingFile = ({ rule }: Diagnostic) => rule === 'file_copy_error';
  refuse('the eval file or its skill', [...findings, ...about.filter((it) => !isMissingFile(it)), ...chosen]);
  const cases = selectCases(suite.cases, selection, { broken: [], deferred });
  const warnings = [...about, ...findings].filter(
    (it) => (it.severity === 'warning' || isMissingFile(it)) && it.rule !== 'permissions',
  );
  return { cases, warnings };
}

/** The program of an engine, or a PrerequisiteError with the command that installs it. */
export function requireProgram(engine: keyof typeof ENGINE_PROGRAMS, host: Host): string {
  const { program, variable, package: name } = ENGINE_PROGRAMS[engine];
  const found = findEngine(engine, host);
  if (!found) {
    throw new PrerequisiteError(
      `${program} was not found, so the engine ${engine} cannot run`,
      `install it:  npm install -g ${name}`,
      `or say where it is:  export ${variable}=/path/to/${program}`,
    );
  }
  if (!isProgram(found.path)) {
    throw new PrerequisiteError(`${found.path} is not a program`, `correct or unset ${variable}`);
  }
  return found.path;
}

/** Deterministic tests have no part in an eval. */
function concernsRun({ file }: Diagnostic): boolean {
  return !/(?:^|\/)tests\//.test(file);
}

function isCaseFile({ file }: Diagnostic, { evals }: AgentPackage): boolean {
  return file.startsWith(`${evals.dir}/cases/`);
}

function wanted(words: readonly string[], { cases }: EvalSelection): boolean {
  return cases.length === 0 || words.some((word) => cases.includes(word));
}

function refuse(subject: string, findings: readonly Diagnostic[]): void {
  const errors = findings.filter((it) => it.severity === 'error');
  if (errors.length === 0) return;
  const count = errors.length === 1 ? 'a mistake' : `${errors.length} mistakes`;
  throw new UserError(`${subject} has ${count} that would spoil the run`, ...errors.map(diagnosticLine));
}
