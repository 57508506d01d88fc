/** Runs evals, one after the other where there are several targets, and shows what happens. */
import { relative } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import { dollars } from '../model/words.ts';
import type { EvalOptions } from '../pipeline/eval.ts';
import type { Outputs, ReportFormat } from '../pipeline/eval-outputs.ts';
import type { RunRequest, TargetRun } from '../pipeline/eval-targets.ts';
import type { FinishedRun } from '../pipeline/resume.ts';
import { type Cli, EXIT } from './cli.ts';
import { ofTarget } from './eval-arguments.ts';
import { tellFailures } from './eval-files.ts';
import { renderAnnotations } from './render/annotations.ts';
import { renderDryRun } from './render/dry-run.ts';
import { renderEvalSummary, renderRunStart, renderTrialLine, tokens } from './render/eval.ts';
import { renderEvidenceWritten } from './render/evidence.ts';
import { LiveView } from './render/live-view.ts';
import { nextSteps } from './render/next-steps.ts';
import { safeLine } from './render/safe-text.ts';

/** As the command line has it; what it leaves open is decided by the eval file. */
type EvalRequest = Omit<EvalOptions, 'passThreshold' | 'target'> & RunRequest;

type Run = TargetRun<EvalRequest>;

interface Shown {
  readonly json: boolean;
  /** The form of the report that goes to standard output instead of all else. */
  readonly printed: ReportFormat | null;
}

export async function dryRuns(cli: Cli, runs: readonly Run[], json: boolean): Promise<void> {
  const { dryRun } = await import('../pipeline/eval-dry-run.ts');
  const plans = [];
  for (const { target, request } of runs) {
    const plan = await dryRun(request);
    plans.push(plan);
    if (!json) cli.out(`${heading(target, runs, cli)}${renderDryRun(plan, cli)}`);
  }
  if (json) cli.out(JSON.stringify(plans.length === 1 ? plans[0] : plans, null, 2));
  cli.exitWith(EXIT.ok);
}

/** The exit code is the worst of them. */
export async function evalRuns(cli: Cli, runs: readonly Run[], shown: Shown): Promise<void> {
  const { checkOutputs } = await import('../pipeline/eval-outputs.ts');
  if (shown.printed !== null && runs.length > 1)
    throw new UserError(
      `--${shown.printed} - prints one report, and there are ${runs.length} targets`,
      'name a file, or choose one:  --target <name>',
    );
  await refuseTogether(runs);
  refuseSameFile(runs);
  for (const run of runs) await checkOutputs(outputsOf(run, runs));
  const reports: EvalReport[] = [];
  let code: number = EXIT.ok;
  for (const [index, run] of runs.entries()) {
    if (cli.signal.aborted) {
      code = EXIT.interrupted;
      cli.exitWith(code);
      cli.err(unstarted(runs.slice(index)));
      break;
    }
    const text = heading(run.target, runs, cli);
    if (text !== '' && !shown.json && shown.printed === null) cli.out(text);
    const report = await evalRun(cli, run, runs, shown, (own) => {
      code = worse(code, own);
      cli.exitWith(code);
    });
    reports.push(report);
  }
  if (shown.json && runs.length > 1) cli.out(JSON.stringify(reports, null, 2));
}

/** What --resume does not know of. */
function unstarted(runs: readonly Run[]): string {
  const targets = runs.flatMap(({ target }) => target ?? []);
  const names = targets.length === 0 ? '' : `: ${targets.map(safeLine).join(', ')}`;
  return `interrupted before the run began${names}`;
}

async function evalRun(
  cli: Cli,
  run: Run,
  runs: readonly Run[],
  shown: Shown,
  exitWith: (code: number) => void,
): Promise<EvalReport> {
  const { runEval } = await import('../pipeline/eval.ts');
  const { target, request: asked } = run;
  const { cwd } = asked.host;
  const outputs = outputsOf(run, runs);
  const request: EvalOptions = {
    ...asked,
    output: pathOf(asked.output, target, runs),
    benchmarkJson: pathOf(asked.benchmarkJson, target, runs),
    jsonl: pathOf(asked.jsonl, target, runs),
    outputs,
    evidence: asked.evidence && { ...asked.evidence, file: pathOf(asked.evidence.file, target, runs) },
  };
  const quiet = shown.json || shown.printed !== null;
  const done = await withView(cli, { quiet, isReplay: asked.tape.mode === 'replay' }, (onEvent) =>
    runEval({ ...request, onEvent }),
  );
  const { report, path, root, writeEvidence } = done;
  exitWith(report.exit_code);
  const next = quiet ? [] : await nextSteps(cli, report, request, root);
  const view = { ...shown, json: shown.json && runs.length === 1, quiet, next };
  const failures = [...done.failures, ...(await tell(cli, { report, path, root }, outputs, view))];
  const evidence = await writeEvidence?.().catch((error: Error) => void failures.push(error));
  if (evidence && !quiet)
    cli.out(renderEvidenceWritten(evidence.manifest, relative(cwd, evidence.file), cli));
  if (tellFailures(cli, failures)) exitWith(report.exit_code === EXIT.ok ? EXIT.cannotRun : report.exit_code);
  return report;
}

/** Of a run that was over before: its report, as it was asked for this time. */
export async function tellFinished(
  cli: Cli,
  finished: FinishedRun,
  outputs: Outputs,
  shown: Shown,
): Promise<void> {
  const { report } = finished;
  const quiet = shown.json || shown.printed !== null;
  const id = report.id.replace(/^eval-run-/, '');
  if (!quiet) cli.out(`the run ${id} is finished: there is nothing to run\n`);
  cli.exitWith(report.exit_code);
  const failures = await tell(cli, finished, outputs, { ...shown, quiet, next: [] });
  if (tellFailures(cli, failures) && report.exit_code === EXIT.ok) cli.exitWith(EXIT.cannotRun);
}

interface Told {
  readonly report: EvalReport;
  readonly path: string | null;
  readonly root: string;
}

/** Returns what could not be written. */
async function tell(
  cli: Cli,
  { report, path, root }: Told,
  outputs: Outputs,
  { json, printed, quiet, next }: Shown & { readonly quiet: boolean; readonly next: readonly string[] },
): Promise<Error[]> {
  const { formatReport, reportJson, writeOutputs } = await import('../pipeline/eval-outputs.ts');
  const failures: Error[] = [];
  if (printed !== null) {
    await formatReport(report, printed, root).then(
      (text) => cli.out(text.trimEnd()),
      (error: Error) => failures.push(error),
    );
  } else if (!quiet) {
    const from = (it: string) => relative(cli.host.cwd, it);
    const places = { report: path === null ? null : from(path), root: from(root) };
    cli.out(renderEvalSummary(report, places, cli, next));
  } else if (json) await cli.outPieces(reportJson(report));
  failures.push(...(await writeOutputs(report, outputs, root)));
  await tellGitHub(cli, report, root);
  return failures;
}

/** What is wrong with a later one is better known before the first is paid for. */
async function refuseTogether(runs: readonly Run[]): Promise<void> {
  const [first, another] = runs;
  if (first === undefined || another === undefined) return;
  if (first.request.tape.mode !== 'off')
    throw new UserError(
      `--tape ${first.request.tape.mode} is for one target at a time, not ${runs.map(({ target }) => target).join(' and ')}`,
      'choose one:  --target <name>',
    );
  const { planEval } = await import('../pipeline/eval-plan.ts');
  for (const { request } of runs) await planEval(request);
}

/** One target's report must not replace another's. */
function refuseSameFile(runs: readonly Run[]): void {
  const names = new Map<string, string>();
  for (const { target } of runs) {
    const file = ofTarget('report', target ?? 'no-target');
    const other = names.get(file);
    if (other !== undefined)
      throw new UserError(
        `the targets ${JSON.stringify(other)} and ${JSON.stringify(target)} would have the same name in a file`,
        'rename one of them, or choose one:  --target <name>',
      );
    names.set(file, target ?? 'no-target');
  }
}

function heading(target: string | null, runs: readonly Run[], { colors }: Pick<Cli, 'colors'>): string {
  return runs.length === 1 ? '' : `${colors.bold(`target: ${safeLine(target ?? 'none')}`)}\n`;
}

function outputsOf({ target, request }: Run, runs: readonly Run[]): Outputs {
  return Object.fromEntries(
    Object.entries(request.outputs).map(([format, path]) => [format, pathOf(path, target, runs)]),
  ) as Outputs;
}

function pathOf<Path extends string | null>(
  path: Path,
  target: string | null,
  runs: readonly Run[],
): Path | string {
  return path === null || runs.length === 1 ? path : ofTarget(path, target ?? 'no-target');
}

/** A run that failed is worse than one that is undecided. */
const BAD_TO_WORSE: readonly number[] = [
  EXIT.ok,
  EXIT.undecided,
  EXIT.failed,
  EXIT.cannotRun,
  EXIT.interrupted,
];

function worse(a: number, b: number): number {
  return BAD_TO_WORSE.indexOf(a) > BAD_TO_WORSE.indexOf(b) ? a : b;
}

/** In GitHub Actions: the job's summary page, and a note at the line of each case that did not pass. */
async function tellGitHub(cli: Cli, report: EvalReport, root: string): Promise<void> {
  const { env, cwd } = cli.host;
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  for (const line of renderAnnotations(report, root, env['GITHUB_WORKSPACE'] ?? cwd)) cli.annotate(line);
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (!summary) return;
  const { appendSummary } = await import('../pipeline/eval-outputs.ts');
  // Nobody asked for it, so that it is missing changes nothing.
  await appendSummary(summary, report).catch((error: Error) =>
    cli.err(`warning: ${safeLine(error.message)}`),
  );
}

/** Shows what is going on: live on a terminal, a line per finished case elsewhere, nothing with --json. */
async function withView<Result>(
  cli: Cli,
  { quiet, isReplay }: { readonly quiet: boolean; readonly isReplay: boolean },
  work: (onEvent: NonNullable<EvalOptions['onEvent']>) => Promise<Result>,
): Promise<Result> {
  let spent: number | null = null;
  const view = cli.isLive && !quiet ? new LiveView(() => (spent === null ? '' : dollars(spent))) : null;
  try {
    return await work((event) => {
      switch (event.type) {
        case 'run-start':
          if (!quiet) cli.out(renderRunStart(event));
          view?.start(event.total);
          break;
        case 'waiting': {
          const lines = [event.message, ...event.details.map((it) => `  ${it}`), 'waiting…'];
          cli.err(lines.map(safeLine).join('\n'));
          break;
        }
        case 'trial-start':
          view?.begin(event.label, () => tokens(event.usage()));
          break;
        case 'judge-start':
          view?.begin(event.label, () => 'being judged');
          break;
        case 'trial-end': {
          for (const { costUsd } of [event.result, event.result.judged ?? { costUsd: null }])
            if (costUsd !== null && !isReplay) spent = (spent ?? 0) + costUsd;
          const line = renderTrialLine(event.result, event.label, isReplay, cli);
          if (view) view.end(event.label, line);
          else if (!quiet) cli.out(line);
        }
      }
    });
  } finally {
    view?.stop();
  }
}
