/** `aam convert`. */
import { Command, Option } from 'commander';
import type { Conversion, ConvertTarget } from '../../pipeline/convert.ts';
import { workingFolder } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { plural, safeLine } from '../render/safe-text.ts';

interface Options {
  readonly output?: string;
  readonly to?: ConvertTarget;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly cwd?: string;
}

export function convertCommand(cli: Cli): Command {
  return new Command('convert')
    .description('Write an eval file in another format, and tell what that format cannot say.')
    .argument('<file>', 'an evals.json or an EVAL.yaml')
    .option('-o, --output <path>', 'where to; the ending picks the format; without it the text is printed')
    .addOption(
      new Option('--to <format>', 'the format to write').choices(['eval-yaml', 'evals-json', 'uaaps']),
    )
    .option('--force', 'replace files that exist')
    .option('--json', 'print what was written and what was lost for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Examples:
  aam convert evals.json                         print it as EVAL.yaml
  aam convert evals/evals.json -o evals/EVAL.yaml
  aam convert EVAL.yaml -o evals.json
  aam convert evals.json --to uaaps -o my-package/evals    cases and fixtures of a package

Exit codes: 0 written · 2 could not be converted`,
    )
    .action((file: string, options: Options) => run(cli, file, options));
}

async function run(cli: Cli, path: string, options: Options): Promise<void> {
  const { convert } = await import('../../pipeline/convert.ts');
  const done = await convert({
    path,
    host: { ...cli.host, cwd: workingFolder(cli, options) },
    output: options.output ?? null,
    to: options.to ?? null,
    force: options.force ?? false,
  });
  if (options.json) {
    cli.out(JSON.stringify(done, null, 2));
    return;
  }
  if (done.text !== null) cli.out(done.text.trimEnd());
  // Not among the text, which may go into a file.
  for (const line of tell(done, cli)) cli.err(line);
}

function tell({ cases, files, losses, to }: Conversion, { colors }: Cli): string[] {
  const lost = losses.map(({ case: name, kind, what }) => {
    const where = name === null ? '' : `${safeLine(name)}: `;
    return `${colors.yellow('!')} ${where}${kind === 'left-out' ? 'left out: ' : ''}${safeLine(what)}`;
  });
  if (files.length === 0) return lost;
  const left = losses.filter(({ kind }) => kind === 'left-out').length;
  const where = files.length > 3 ? plural(files.length, 'file') : files.map(safeLine).join(', ');
  const check = to === 'uaaps' ? 'aam validate' : `aam validate ${safeLine(files[0] ?? '')}`;
  return [
    ...lost,
    `${colors.green('✓')} ${plural(cases - left, 'case')} written to ${where}`,
    colors.dim(`  look it over:  ${check}`),
  ];
}
