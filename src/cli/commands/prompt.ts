/** `aam prompt eval`. */
import { Command } from 'commander';
import { workingFolder } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { renderPromptOverview } from '../render/prompt-overview.ts';

interface Options {
  readonly cwd?: string;
  readonly json?: boolean;
}

interface InputOptions extends Options {
  readonly testId: string;
  readonly workspace?: string;
}

interface JudgeOptions extends InputOptions {
  readonly answerFile: string;
}

export function promptCommand(cli: Cli): Command {
  return new Command('prompt')
    .description('Prompts for an agent that evaluates by itself, without a key.')
    .addCommand(evalCommand(cli));
}

function evalCommand(cli: Cli): Command {
  const steps = () => import('../../pipeline/prompt-eval.ts');
  return (
    new Command('eval')
      .description('Tell the agent you are talking to how to run and judge the cases of a file.')
      .argument('<file>', 'an eval file, or a folder with one')
      // The commands below it have options of their own.
      .enablePositionalOptions()
      .option('--json', 'print the list of cases for machines')
      .option('-C, --cwd <dir>', 'run as if started in this folder')
      .addHelpText(
        'after',
        `
Examples:
  aam prompt eval evals.json                                     instructions for your agent
  aam prompt eval input evals.json --test-id 1 --workspace w1    what the candidate gets
  aam prompt eval judge evals.json --test-id 1 --answer-file answer.txt --workspace w1

Checks are done here; for what a model has to decide, the prompt is printed.`,
      )
      .action(async (file: string, options: Options) => {
        const { promptOverview } = await steps();
        const overview = await promptOverview({
          path: file,
          host: { ...cli.host, cwd: workingFolder(cli, options) },
        });
        cli.out(options.json ? JSON.stringify(overview, null, 2) : renderPromptOverview(overview));
      })
      .addCommand(
        common(new Command('input'))
          .description('What the candidate of one case gets, as JSON.')
          .option('--workspace <dir>', 'make this folder, with the files of the case in it')
          .action(async (file: string, options: InputOptions) => {
            const { promptInput } = await steps();
            const request = { path: file, host: { ...cli.host, cwd: workingFolder(cli, options) } };
            print(await promptInput(request, options.testId, options.workspace ?? null));
          }),
      )
      .addCommand(
        common(new Command('judge'))
          .description('Results of the checks of one case, and prompts for its criteria, as JSON.')
          .requiredOption('--answer-file <file>', 'the final answer of the candidate')
          .option('--workspace <dir>', 'the folder that the candidate worked in')
          .action(async (file: string, { testId, answerFile, workspace, ...options }: JudgeOptions) => {
            const { promptJudge } = await steps();
            const request = { path: file, host: { ...cli.host, cwd: workingFolder(cli, options) } };
            print(await promptJudge(request, { testId, answerFile, workspace: workspace ?? null }));
          }),
      )
  );

  function print(value: unknown): void {
    cli.out(JSON.stringify(value, null, 2));
  }
}

function common(command: Command): Command {
  return command
    .argument('<file>', 'an eval file, or a folder with one')
    .requiredOption('--test-id <id>', 'the case')
    .option('-C, --cwd <dir>', 'run as if started in this folder');
}
