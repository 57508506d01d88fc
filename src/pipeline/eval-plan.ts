/** Everything an eval run needs to know before it starts: read, validated, selected, found on this machine. */
import type { Engine } from '../engine/engine.ts';
import { ENGINES, type EngineName, engineNamed } from '../engine/engines.ts';
import { ENGINE_PROGRAMS, findEngine } from '../engine/find.ts';
import { isProgram } from '../host/programs.ts';
import type { LoadedSuite } from '../load/format.ts';
import type { Case, SuiteSettings } from '../model/case.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { PrerequisiteError, UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';
import type { Trial } from '../model/trial.ts';
import { type EvalSelection, planTrials, selectCases } from '../plan/evals.ts';
import { fileStem } from '../plan/tests.ts';
import { type EvalSource, loadSource } from './eval-source.ts';
import { requireLayouts } from './workspace-files.ts';

export interface PlanRequest {
  readonly host: Host;
  /** An eval file, or a folder; null: the package around the working folder. */
  readonly path: string | null;
  readonly selection: EvalSelection;
  readonly engine: string | null;
  readonly judge: string | null;
  readonly timeoutSeconds: number | null;
  /** Trials of each case and arm; null: what the config says. */
  readonly runs: number | null;
  /** Whether each case also runs without the package. */
  readonly baseline: boolean;
}

export interface EvalPlan {
  /** Absolute. Reports and `.aam` go below it. */
  readonly home: string;
  readonly source: Pick<EvalSource, 'format' | 'file'>;
  readonly pkg: AgentPackage;
  readonly settings: SuiteSettings;
  readonly engine: Engine;
  readonly engineName: EngineName;
  readonly runs: number;
  readonly baseline: boolean;
  readonly trials: readonly Trial[];
  /** Findings that do not stop the run. */
  readonly warnings: readonly string[];
}

export async function planEval({ host, path, selection, ...given }: PlanRequest): Promise<EvalPlan> {
  const source = await loadSource(path, host.cwd);
  const { pkg, suite, home } = source;
  const settings: SuiteSettings = {
    ...suite.settings,
    engine: given.engine ?? suite.settings.engine,
    judge: given.judge ?? suite.settings.judge,
    timeoutSeconds: given.timeoutSeconds ?? suite.settings.timeoutSeconds,
    runs: given.runs ?? suite.settings.runs,
  };
  const engineName = engineNamed(settings.engine);
  if (engineName === 'command' && !settings.command) {
    throw new UserError(
      'the engine "command" needs to know what to run',
      'add to evals/eval-config.json, for example:  "command": ["my-agent", "{prompt}"]',
    );
  }

  const findings = source.findings.filter((it) => given.engine === null || it.rule !== 'unsupported-engine');
  const { cases, warnings } =
    source.loaded === null
      ? chooseFromPackage(source, findings, selection)
      : chooseFromFile(source.loaded, findings, selection);
  const trials = planTrials(cases, { engine: engineName, runs: settings.runs, baseline: given.baseline });
  requireLayouts({ pkg, engineName, settings }, trials);
  return {
    home,
    source,
    pkg,
    settings,
    engine: ENGINES[engineName],
    engineName,
    runs: settings.runs,
    baseline: given.baseline,
    trials,
    warnings: warnings.map(told),
  };
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
  { suite, broken, diagnostics }: LoadedSuite,
  findings: readonly Diagnostic[],
  selection: EvalSelection,
): Chosen {
  const ofCases = new Set(broken.flatMap((it) => it.diagnostics));
  const chosen = broken.filter(({ words }) => wanted(words, selection)).flatMap((it) => it.diagnostics);
  const about = diagnostics.filter((it) => !ofCases.has(it));
  const isMissingFile = ({ rule }: Diagnostic) => rule === 'file_copy_error';
  refuse('the eval file or its skill', [...findings, ...about.filter((it) => !isMissingFile(it)), ...chosen]);
  const cases = selectCases(suite.cases, selection);
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
  throw new UserError(`${subject} has ${count} that would spoil the run`, ...errors.map(told));
}

function told({ file, line, column, message, hint }: Diagnostic): string {
  const place = line === null ? file : `${file}:${line}:${column}`;
  return `${place}: ${message}${hint ? ` (${hint})` : ''}`;
}
