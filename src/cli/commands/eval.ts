/** `aam eval`. */
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { UserError } from '../../model/errors.ts';
import { EVALUATORS, type EvaluatorName } from '../../model/evaluators.ts';
import type { EvalOptions } from '../../pipeline/eval.ts';
import {
  caseSeconds,
  collect,
  odd,
  positive,
  runs,
  share,
  tagsIn,
  whole,
  workingFolder,
} from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { fileAt, readOutputs } from '../eval-files.ts';
import type { EvalRequest } from '../eval-runs.ts';
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
  readonly targets?: string;
  readonly filter?: string[];
  readonly filterTags?: string[];
  readonly evaluator: EvaluatorName | 'all';
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly benchmarkJson?: string;
  readonly jsonl?: string;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly evidence?: string;
  readonly sign?: string;
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
    .option(
      '--engine <engine>',
      'claude-code, codex, command, completion (a bare model) or mock, instead of the config’s',
    )
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
      'claude, codex or a name of targets.yaml: who is asked; skill:<name>, hook:<event> or agent:<name>: only their cases (repeatable)',
      collect,
    )
    .option(
      '--targets <file>',
      'what --target and eval files name (default: the nearest .agentv/targets.yaml)',
    )
    .option('--filter <glob>', 'only cases whose name or id fits, such as "*/edge-*" (repeatable)', collect)
    .option('--filter-tags <tags>', 'only cases with one of these tags, with commas between', collect)
    .addOption(
      new Option('--evaluator <name>', 'of fixtures: what decides every case; all: as each case says')
        .choices([...EVALUATORS, 'all'])
        .default('all'),
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
    .option('--junit <file>', 'also write JUnit XML; - prints it, and nothing else')
    .option('--markdown <file>', 'also write Markdown; - prints it, and nothing else')
    .option(
      '--html <file>',
      'also write a page that shows what the agents did; - prints it, and nothing else',
    )
    .option('--evidence <file>', 'also write a .tar.gz with report, cases, captures and their hashes')
    .option('--sign <key>', 'sign the evidence with this private key (ed25519, PEM)')
    .option('--json', 'print the report for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Examples:
  aam eval                                   all cases of this package
  aam eval pdf-extraction-e2e                one case
  aam eval --engine codex                    another agent
  aam eval --engine completion --model claude-opus-5-5
                                             a bare model, without tools and without the package
  aam eval evals/evals.json --target claude  the evals of a skill, with the skill beside them
  aam eval EVAL.yaml --target claude --target codex
                                             one run with each of them
  aam eval fixture.yaml --filter-tags smoke  cases of an agentcarousel fixture, by their tags
  aam eval --target skill:pdf-tools -j 4     the cases of one skill, four at a time
  aam eval --judge claude-opus --judge-votes 3
                                             three votes of this judge for each case
  aam eval --runs 5 --pass-threshold 0.8     five trials of each case, four must pass
  aam eval --baseline                        what the package changes, against none
  aam eval --dry-run                         what would run, for free
  aam eval --max-cost-usd 2 -o report.json   with a limit, for CI
  aam eval --html report.html                a page that shows what the agents did
  aam eval --evidence run.tar.gz --sign key.pem
                                             all that an auditor needs, signed
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
  const { agents, targets } = readTargets(options.target ?? []);
  const request: EvalRequest = {
    host: { ...cli.host, cwd },
    version: cli.version,
    path,
    selection: {
      cases: [...cases, ...(options.case ?? [])],
      targets,
      filters: options.filter ?? [],
      tags: tagsIn(options.filterTags),
    },
    evaluator: options.evaluator === 'all' ? null : options.evaluator,
    agents,
    targetsFile: fileAt(cwd, '--targets', options.targets),
    engine: options.engine ?? null,
    judge: typeof options.judge === 'string' ? options.judge : null,
    judgeVotes: options.judgeVotes ?? 1,
    noJudge: options.judge === false,
    judgeAll: options.judgeAll ?? false,
    runs: options.runs ?? null,
    passThreshold: options.passThreshold ?? null,
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
    output: fileAt(cwd, '-o', options.output),
    benchmarkJson: fileAt(cwd, '--benchmark-json', options.benchmarkJson),
    jsonl: fileAt(cwd, '--jsonl', options.jsonl),
    evidence: evidenceOf(cwd, options),
    signal: cli.signal,
  };
  const [{ targetRuns }, { dryRuns, evalRuns }] = await Promise.all([
    import('../../pipeline/eval-targets.ts'),
    import('../eval-runs.ts'),
  ]);
  const runs = await targetRuns(request);
  if (options.dryRun) return await dryRuns(cli, runs, options.json ?? false);
  await evalRuns(cli, runs, { json: options.json ?? false, ...readOutputs(options, cwd) });
}

function evidenceOf(cwd: string, { evidence, sign }: Options): EvalOptions['evidence'] {
  if (evidence !== undefined)
    return { file: fileAt(cwd, '--evidence', evidence) ?? '', key: fileAt(cwd, '--sign', sign) };
  if (sign !== undefined)
    throw new UserError('--sign has nothing to sign', 'name the archive:  --evidence FILE.tar.gz');
  return null;
}
