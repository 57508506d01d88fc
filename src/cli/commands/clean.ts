/** `aam clean`. */
import { Command } from 'commander';
import type { CleanReport } from '../../model/run-list.ts';
import { positive, workingFolder } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';
import { plural, safeLine } from '../render/safe-text.ts';

interface Options {
  readonly dryRun?: boolean;
  /** Days. */
  readonly runs?: number;
  readonly json?: boolean;
  readonly cwd?: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function cleanCommand(cli: Cli): Command {
  return new Command('clean')
    .description('Remove what killed runs left behind: temporary folders, sandboxes, half-written files.')
    .option('--dry-run', 'only tell what would be removed')
    .option('--runs <days>', 'also the records of finished runs of this package that are older', positive)
    .option('--json', 'print what was removed for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Nothing of a living run and nothing of another user is touched, nor a run that can be continued.
Every aam eval does the same at its start, without --runs.

Examples:
  aam clean --dry-run
  aam clean --runs 30`,
    )
    .action(async (options: Options) => {
      const { clean } = await import('../../pipeline/clean.ts');
      const report = await clean({
        host: { ...cli.host, cwd: workingFolder(cli, options) },
        dryRun: options.dryRun ?? false,
        runsOlderThanMs: options.runs === undefined ? null : options.runs * DAY_MS,
      });
      cli.out(options.json ? JSON.stringify(report, null, 2) : render(report));
      cli.exitWith(EXIT.ok);
    });
}

function render({ dry_run: dryRun, folders, processes, files, runs }: CleanReport): string {
  const things = [
    ...processes.map((pid) => `process ${pid}`),
    ...[...folders, ...files, ...runs].map(safeLine),
  ];
  if (things.length === 0) return 'there is nothing to remove';
  const verb = dryRun ? 'would be removed' : 'removed';
  return [...things, '', `${plural(things.length, 'thing')} ${verb}`].join('\n');
}
