/** `aam report`. */
import { relative } from 'node:path';
import { Command } from 'commander';
import type { ReportFormat } from '../../pipeline/eval-outputs.ts';
import { workingFolder } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';
import { readOutputs, tellFailures } from '../eval-files.ts';
import { renderEvalSummary } from '../render/eval.ts';

interface Options extends Partial<Record<ReportFormat, string>> {
  readonly json?: boolean;
  readonly cwd?: string;
}

export function reportCommand(cli: Cli): Command {
  return new Command('report')
    .description('Show a saved report again, or write it in another format.')
    .argument('<report>', 'a path, a run id, latest or latest~1')
    .option('--junit <file>', 'write JUnit XML; - prints it')
    .option('--markdown <file>', 'write Markdown; - prints it')
    .option('--html <file>', 'write a page that shows what the agents did; - prints it')
    .option('--json', 'print the report for machines, with all that later versions added')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Examples:
  aam report latest                        the last run of this package
  aam report old.json --junit junit.xml    for a CI system
  aam report latest~1 --markdown -
  aam report latest --html report.html     for a browser

Ends with the exit code of the run that the report is of.`,
    )
    .action((name: string, options: Options) => run(cli, name, options));
}

async function run(cli: Cli, name: string, options: Options): Promise<void> {
  const [{ loadReport }, { checkOutputs, formatReport, writeOutputs }, { packageOf }] = await Promise.all([
    import('../../pipeline/eval-diff.ts'),
    import('../../pipeline/eval-outputs.ts'),
    import('../../pipeline/html.ts'),
  ]);
  const cwd = workingFolder(cli, options);
  const named = await loadReport(name, cwd);
  const { path, report } = named;
  const { outputs, printed } = readOutputs(options, cwd);
  await checkOutputs(outputs, [path]);
  const packageRoot = options.html === undefined ? null : await packageOf(named, cwd);
  const failures = await writeOutputs(report, outputs, packageRoot);
  if (printed !== null) cli.out((await formatReport(report, printed, packageRoot)).trimEnd());
  else if (options.json) cli.out(JSON.stringify(report, null, 2));
  else if (Object.keys(outputs).length === 0)
    cli.out(renderEvalSummary(report, { report: relative(cli.host.cwd, path), root: null }, cli).trimStart());
  cli.exitWith(report.exit_code);
  if (tellFailures(cli, failures) && report.exit_code === EXIT.ok) cli.exitWith(EXIT.cannotRun);
}
