/** `aam validate`. */
import { Command } from 'commander';
import type { ValidationReport } from '../../model/validation-report.ts';
import { workingFolder } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';
import { renderDiagnostic } from '../render/diagnostics.ts';
import { plural, safeLine } from '../render/safe-text.ts';

interface Options {
  readonly strict?: boolean;
  readonly permissions?: boolean;
  readonly json?: boolean;
  readonly cwd?: string;
}

export function validateCommand(cli: Cli): Command {
  return new Command('validate')
    .description('Find every mistake in a package, with file, line and column.')
    .argument('[path...]', 'packages, files and folders inside one, eval files', ['.'])
    .option('--strict', 'let warnings fail too')
    .option('--permissions', 'run only the permission audit')
    .option('--json', 'print {errors, warnings} for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Examples:
  aam validate                       the package of this folder
  aam validate packages/*            several packages
  aam validate skills/pdf-tools      only what is wrong in this skill
  aam validate evals/evals.json      the evals of a skill
  aam validate --strict --json       for CI

Exit codes: 0 clean · 1 findings · 2 could not run`,
    )
    .action(async (paths: string[], options: Options) => {
      const { validate } = await import('../../pipeline/validate.ts');
      const report = await validate({
        cwd: workingFolder(cli, options),
        env: cli.host.env,
        paths,
        permissionsOnly: options.permissions ?? false,
        strict: options.strict ?? false,
      });
      cli.out(options.json ? JSON.stringify(report, null, 2) : render(report, cli, options.strict ?? false));
      cli.exitWith(report.ok ? EXIT.ok : EXIT.failed);
    });
}

function render({ errors, warnings, packages, suites }: ValidationReport, cli: Cli, strict: boolean): string {
  const { colors } = cli;
  const names = packages.map(({ name, version }) => safeLine(version ? `${name} ${version}` : name));
  const evals = suites.map(({ file, cases }) => `${safeLine(file)} (${plural(cases, 'case')})`);
  const subject = [
    ...(names.length > 3 ? [plural(names.length, 'package')] : names),
    ...(evals.length > 3 ? [plural(evals.length, 'eval file')] : evals),
  ].join(', ');
  const files = packages.length === 0 ? suites.length : packages.reduce((sum, pkg) => sum + pkg.files, 0);
  if (errors.length + warnings.length === 0)
    return `${colors.green('✓')} ${subject}: no problems in ${plural(files, 'file')}`;

  const findings = [...errors, ...warnings].map((it) => renderDiagnostic(it, cli));
  const counts = [
    errors.length > 0 && colors.red(plural(errors.length, 'error')),
    warnings.length > 0 && colors.yellow(plural(warnings.length, 'warning')),
  ].filter((it) => it !== false);
  const failed = errors.length > 0 || strict;
  const mark = failed ? colors.red('✗') : colors.green('✓');
  return [...findings, '', `${mark} ${subject}: ${counts.join(' and ')} in ${plural(files, 'file')}`].join(
    '\n',
  );
}
