/** `aam eval`. */
import { relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { EvalReport } from '../../model/report.ts';
import { dollars } from '../../model/words.ts';
import type { EvalOptions } from '../../pipeline/eval.ts';
import { caseSeconds, collect, odd, positive, runs, share, whole, workingFolder } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';

import { renderAnnotations } from '../render/annotations.ts';

import { renderDryRun } from '../render/dry-run.ts';
import { renderEvalSummary, renderRunStart, renderTrialLine, tokens } from '../render/eval.ts';
import { LiveView } from '../render/live-view.ts';
import { nextSteps } from '../render/next-steps.ts';
import { evalDiffCommand } from './eval-diff.ts';

interface Options {
  readonly engine?: string;
  /** false: --no-judge. */
  readonly judge?: string | false;
  readonly judgeVotes?: number;
  readonly judgeAll?: boolean;
  readonly runs?: number;
  readonly passThreshold?: number;
  readonly baseline?: boolean;
  readonly model?: string;
  readonly case?: string[];
  readonly target?: string[];
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly benchmarkJson?: string;
  readonly jsonl?: string;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly json?: boolean;
  readonly sandbox: 'bubblewrap' | 'none';
  readonly keepWorkspace?: boolean;
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly maxMemory?: number;
  readonly maxOutput?: number;
  readonly maxCpu?: number;
  readonly tape: 'record' | 'replay' | 'off';
  readonly tapes?: string;
  readonly tapeStrict?: boolean;
  readonly tapeSource: 'recorded' | 'scripted';
  readonly cwd?: string;
}

export function evalCommand(cli: Cli): Command {
  return new Command('eval')
    .description('Run eval cases in a real agent, each in a sandbox of its own, and write a report.')
    .argument('[path|case...]', 'an eval file or a folder; only these cases, by name or file name')
    .option('--case <name>', 'the same, for a case whose name is also a command (repeatable)', collect)
    .option('--engine <engine>', 'claude-code, codex or command, instead of the config’s')
    .option('--judge <model>', 'model that decides the criteria, instead of the config’s')
    .option('--judge-votes <count>', 'how often the judge decides each case; the majority counts', odd)
    .option('--no-judge', 'run the checks alone; cases with criteria stay undecided')
    .option('--judge-all', 'ask the judge also where a check has failed')
    .option('--runs <count>', 'fresh trials of each case, instead of the config’s (default: 1)', runs)
    .option('--pass-threshold <share>', 'of its trials that must pass for a case to pass (default: 1)', share)
    .option('--baseline', 'run each case also without the package, and tell what it changes')
    .option('--model <model>', 'model the agent uses, instead of its default')
    .option(
      '--target <target>',
      'claude or codex: the agent to run; skill:<name>, hook:<event> or agent:<name>: only their cases (repeatable)',
      collect,
    )
    .option('--dry-run', 'show what would run; calls no model, writes no report')
    .option('--report', 'write a report (always done)')
    .option('-o, --output <file>', 'write the report to this file')
    .option('--benchmark-json <file>', 'write pass rate, time and tokens as Agent Skills benchmark.json')
    .option('--jsonl <file>', 'write one line of JSON for each result')
    .option('-j, --jobs <count>', 'how many cases run at once', whole)
    .option('--timeout <seconds>', 'time for one case, instead of the config’s', caseSeconds)
    .option('--max-cost-usd <amount>', 'stop when this much is spent', positive)
    .option('--max-tokens <count>', 'stop when this many tokens are used', whole)
    .option('--max-memory <mib>', 'memory of each process of an agent', whole)
    .option('--max-output <mib>', 'what is kept of each output stream of an agent (default: 16)', whole)
    .option('--max-cpu <seconds>', 'processor time of each process of an agent', whole)
    .addOption(
      new Option('--sandbox <kind>', 'how agents are isolated')
        .choices(['bubblewrap', 'none'])
        .default('bubblewrap'),
    )
    .addOption(
      new Option('--tape <mode>', 'record the model’s answers, or replay them without a model')
        .choices(['record', 'replay', 'off'])
        .default('off'),
    )
    .option('--tapes <dir>', 'where tapes are (default: evals/tapes of the package)')
    .option('--tape-strict', 'replay: another version of the agent than the tape’s is a miss')
    .addOption(
      new Option('--tape-source <source>', 'record: scripted, if a person wrote what the server answers')
        .choices(['recorded', 'scripted'])
        .default('recorded'),
    )
    .option('--keep-workspace', 'leave the workspaces on disk and say where')
    .option('--junit <file>', 'also write JUnit XML')
    .option('--markdown <file>', 'also write Markdown')
    .option('--html <file>', 'also write a page that shows what the agents did')
    .option('--json', 'print the report for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Examples:
  aam eval                                   all cases of this package
  aam eval pdf-extraction-e2e                one case
  aam eval --engine codex                    another agent
  aam eval evals/evals.json --target claude  the evals of a skill, with the skill beside them
  aam eval --target skill:pdf-tools -j 4     the cases of one skill, four at a time
  aam eval --judge claude-opus --judge-votes 3
                                             three votes of this judge for each case
  aam eval --runs 5 --pass-threshold 0.8     five trials of each case, four must pass
  aam eval --baseline                        what the package changes, against none
  aam eval --dry-run                         what would run, for free
  aam eval --max-cost-usd 2 -o report.json   with a limit, for CI
  aam eval --html report.html                a page that shows what the agents did
  aam eval --tape record                     with a model, and keep its answers in evals/tapes
  aam eval --tape replay                     the same again without a model: no key, no cost
  aam eval diff latest~1 latest              did it get better or worse?

Exit codes: 0 all passed · 1 something failed · 2 could not run · 3 undecided · 130 interrupted`,
    )
    .enablePositionalOptions()
    .helpCommand(false)
    .addCommand(evalDiffCommand(cli))
    .action((words: string[], options: Options) => run(cli, words, options));
}

const MIB = 1024 * 1024;

async function run(cli: Cli, words: string[], options: Options): Promise<void> {
  const cwd = workingFolder(cli, options);
  const { readArguments, readTargets } = await import('../eval-arguments.ts');
  const { path, cases } = readArguments(words);
  const { engine, targets } = readTargets(options.target ?? [], options.engine ?? null);
  const request: EvalOptions = {
    host: { ...cli.host, cwd },
    version: cli.version,
    path,
    selection: { cases: [...cases, ...(options.case ?? [])], targets },
    engine,
    judge: typeof options.judge === 'string' ? options.judge : null,
    judgeVotes: options.judgeVotes ?? 1,
    noJudge: options.judge === false,
    judgeAll: options.judgeAll ?? false,
    runs: options.runs ?? null,
    passThreshold: options.passThreshold ?? 1,
    baseline: options.baseline ?? false,
    model: options.model ?? null,
    timeoutSeconds: options.timeout ?? null,
    jobs: options.jobs ?? null,
    sandbox: options.sandbox,
    tape: {
      mode: options.tape,
      folder: options.tapes === undefined ? null : resolve(cwd, options.tapes),
      strict: options.tapeStrict ?? false,
      source: options.tapeSource,
    },
    keepWorkspace: options.keepWorkspace ?? false,
    maxCostUsd: options.maxCostUsd ?? null,
    maxTokens: options.maxTokens ?? null,
    outputBytes: options.maxOutput === undefined ? null : options.maxOutput * MIB,
    memoryBytes: options.maxMemory === undefined ? null : options.maxMemory * MIB,
    cpuSeconds: options.maxCpu ?? null,
    output: fileAt(cwd, options.output),
    benchmarkJson: fileAt(cwd, options.benchmarkJson),
    jsonl: fileAt(cwd, options.jsonl),
    signal: cli.signal,
  };
  if (options.dryRun) {
    const { dryRun } = await import('../../pipeline/eval-dry-run.ts');
    const plan = await dryRun(request);
    cli.out(options.json ? JSON.stringify(plan, null, 2) : renderDryRun(plan, cli));
    cli.exitWith(EXIT.ok);
    return;
  }
  const [{ runEval }, { checkOutputs, writeOutputs }] = await Promise.all([
    import('../../pipeline/eval.ts'),
    import('../../pipeline/eval-outputs.ts'),
  ]);
  const outputs = {
    ...(options.junit !== undefined && { junit: resolve(cwd, options.junit) }),
    ...(options.markdown !== undefined && { markdown: resolve(cwd, options.markdown) }),
    ...(options.html !== undefined && { html: resolve(cwd, options.html) }),
  };
  await checkOutputs(outputs);
  const {
    report,
    path: written,
    root,
  } = await withView(cli, options, (onEvent) => runEval({ ...request, onEvent }));
  if (options.json) cli.out(JSON.stringify(report, null, 2));
  else {
    const places = { report: relative(cli.host.cwd, written), root: relative(cli.host.cwd, root) };
    cli.out(renderEvalSummary(report, places, cli, await nextSteps(cli, report, request, root)));
  }
  cli.exitWith(report.exit_code);
  await writeOutputs(report, outputs, root);
  await tellGitHub(cli, report, root);
}

/** In GitHub Actions: the job's summary page, and a note at the line of each case that did not pass. */
async function tellGitHub(cli: Cli, report: EvalReport, root: string): Promise<void> {
  const { env, cwd } = cli.host;
  if (env['GITHUB_ACTIONS'] !== 'true') return;
  for (const line of renderAnnotations(report, root, env['GITHUB_WORKSPACE'] ?? cwd)) cli.annotate(line);
  const summary = env['GITHUB_STEP_SUMMARY'];
  if (summary) await (await import('../../pipeline/eval-outputs.ts')).appendSummary(summary, report);
}

function fileAt(cwd: string, written: string | undefined): string | null {
  return written === undefined ? null : resolve(cwd, written);
}

/** Shows what is going on: live on a terminal, a line per finished case elsewhere, nothing with --json. */
async function withView<Result>(
  cli: Cli,
  options: Options,
  work: (onEvent: NonNullable<EvalOptions['onEvent']>) => Promise<Result>,
): Promise<Result> {
  let spent: number | null = null;
  const view =
    cli.isLive && !options.json ? new LiveView(() => (spent === null ? '' : dollars(spent))) : null;
  const isReplay = options.tape === 'replay';
  const quiet = options.json ?? false;
  try {
    return await work((event) => {
      switch (event.type) {
        case 'run-start':
          if (!quiet) cli.out(renderRunStart(event));
          view?.start(event.total);
          break;
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
