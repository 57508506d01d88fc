/** `aam runs`. */
import { Command } from 'commander';
import type { ListedRun, RunList } from '../../model/run-list.ts';
import { dollars, seconds } from '../../model/words.ts';
import { workingFolder } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';
import { columns } from '../render/layout.ts';
import { safeLine } from '../render/safe-text.ts';

interface Options {
  readonly json?: boolean;
  readonly cwd?: string;
}

export function runsCommand(cli: Cli): Command {
  return new Command('runs')
    .description('List the runs of this package: how each stands, what it cost, how to go on with it.')
    .option('--json', 'print the list for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
States: running · finished · interrupted (by Ctrl-C) · died (its process is gone without a word)

Examples:
  aam runs
  aam eval --resume            go on with the newest that is not finished
  aam clean --runs 30          remove the records of finished runs older than 30 days`,
    )
    .action(async (options: Options) => {
      const { listRuns } = await import('../../pipeline/list-runs.ts');
      const list = await listRuns({ ...cli.host, cwd: workingFolder(cli, options) }, null);
      cli.out(options.json ? JSON.stringify(list, null, 2) : render(list, cli));
      cli.exitWith(EXIT.ok);
    });
}

function render({ runs }: RunList, { colors }: Pick<Cli, 'colors'>): string {
  if (runs.length === 0) return 'there are no runs of this package; start one:  aam eval';
  const lines = columns(runs.map(cells));
  return runs
    .flatMap(({ resume }, index) => [
      lines[index] ?? '',
      ...(resume === null ? [] : [`  ${colors.cyan(resume)}`]),
    ])
    .join('\n');
}

function cells(run: ListedRun): string[] {
  const { passed, failed, undecided, missing, planned } = run.trials;
  const counts = [
    `${planned - missing}/${planned} trials`,
    passed > 0 && `${passed} passed`,
    failed > 0 && `${failed} failed`,
    undecided > 0 && `${undecided} undecided`,
  ].filter((it) => it !== false);
  const more = run.cost_is_complete ? '' : ' or more';
  const cost = run.cost_usd === null ? '' : `${dollars(run.cost_usd)}${more}`;
  return [run.id, run.state, safeLine(run.engine), counts.join(', '), seconds(run.duration_seconds), cost];
}
