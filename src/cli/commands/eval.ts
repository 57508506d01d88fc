/** `aam eval`. */
import { Command, Option } from 'commander';
import { UserError } from '../../model/errors.ts';
import { EVALUATORS } from '../../model/evaluators.ts';
import { caseSeconds, collect, odd, positive, runs, share, whole, workingFolder } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import type { EvalFlags } from '../eval-flags.ts';
import { queueOf } from '../queue-flags.ts';
import { evalDiffCommand } from './eval-diff.ts';

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
    .option('--max-disk <mib>', 'what an agent may add to its workspace (default: 4096)', whole)
    .option('--max-cpu <seconds>', 'processor time of each process of an agent', whole)
    .addOption(
      new Option('--sandbox <kind>', 'how agents are isolated (default: bubblewrap)').choices([
        'bubblewrap',
        'none',
      ]),
    )
    .addOption(
      new Option(
        '--tape <mode>',
        'record the model’s answers, or replay them without a model (default: off)',
      ).choices(['record', 'replay', 'off']),
    )
    .option('--tapes <dir>', 'where tapes are (default: evals/tapes of the package)')
    .option('--tape-strict', 'replay: another version of the agent than the tape’s is a miss')
    .addOption(
      new Option(
        '--tape-source <source>',
        'record: scripted, if a person wrote what the server answers (default: recorded)',
      ).choices(['recorded', 'scripted']),
    )
    .option('--resume [run]', 'run what is missing of this run, or of the newest that is not finished')
    .option('--retry-undecided [run]', 'the same, and run again what is undecided')
    .option(
      '--queue [url]',
      'have workers run the trials, at redis://… (default: $AAM_QUEUE); see aam worker',
    )
    .option(
      '--worker-tags <tags>',
      'with --queue: only workers with all of these, with commas between',
      collect,
    )
    .option(
      '--engine-version <range>',
      'with --queue: of the agent (default: the one that most workers have)',
    )
    .option('--queue-wait <seconds>', 'with --queue: how long nobody may be there who can serve', positive)
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
  aam eval --queue redis://host:6379         on all machines where aam worker runs
  aam eval --resume                          go on with a run that was killed or interrupted
  aam eval --retry-undecided                 run again what a rate limit, say, left undecided

Exit codes: 0 all passed · 1 something failed · 2 could not run · 3 undecided · 130 interrupted`,
    )
    .enablePositionalOptions()
    .helpCommand(false)
    .addCommand(evalDiffCommand(cli))
    .action((words: string[], flags: EvalFlags) => run(cli, words, flags));
}

async function run(cli: Cli, words: string[], flags: EvalFlags): Promise<void> {
  const cwd = workingFolder(cli, flags);
  const [{ readFlags, withDefaults }, { dryRuns, evalRuns, tellFinished }, { targetRuns }] =
    await Promise.all([
      import('../eval-flags.ts'),
      import('../eval-runs.ts'),
      import('../../pipeline/eval-targets.ts'),
    ]);
  const { path, given, agents, evidence, printed } = readFlags(words, flags, cwd);
  const queue = await queueOf(flags, cli);
  const common = { host: { ...cli.host, cwd }, version: cli.version, signal: cli.signal, evidence, queue };
  const shown = { json: flags.json ?? false, printed };
  const asked = resumed(flags);
  if (asked === null) {
    // What is not asked for may be said by the eval file.
    const open = { passThreshold: given.passThreshold ?? null, resume: null };
    const runs = await targetRuns({ ...withDefaults(given), ...common, ...open, path, agents });
    return flags.dryRun ? await dryRuns(cli, runs, shown.json) : await evalRuns(cli, runs, shown);
  }
  if (agents.length > 0) throw new UserError('--target is that of the run that is taken up', 'leave it out');
  const { openRun } = await import('../../pipeline/resume.ts');
  const run = await openRun({
    ...{ ...asked, host: common.host, path, given },
    wantsEvidence: evidence !== null,
  });
  if ('finished' in run) return await tellFinished(cli, run.finished, run.outputs, shown);
  const { target, engine } = run.options;
  const again = target === null ? { engine, agents: [] } : { engine: null, agents: [target] };
  await evalRuns(cli, await targetRuns({ ...run.options, ...common, ...again }), shown);
}

/** Which run is to be taken up; null: a new one begins. */
function resumed({
  resume,
  retryUndecided,
  dryRun,
}: EvalFlags): { readonly id: string | null; readonly retryUndecided: boolean } | null {
  if (resume !== undefined && retryUndecided !== undefined)
    throw new UserError('--retry-undecided does all that --resume does', 'give one of the two');
  const run = resume ?? retryUndecided;
  if (run === undefined) return null;
  if (dryRun)
    throw new UserError('--dry-run runs nothing, so there is nothing to take up', 'see runs:  aam runs');
  return { id: run === true ? null : run, retryUndecided: retryUndecided !== undefined };
}
