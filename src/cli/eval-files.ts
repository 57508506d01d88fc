/** The files that an eval run is asked to write, and what is said when it could not. */
import { resolve } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { Outputs, ReportFormat } from '../pipeline/eval-outputs.ts';
import type { Cli } from './cli.ts';
import { renderError } from './render/error.ts';
import { safeLine } from './render/safe-text.ts';

const FORMATS = ['junit', 'markdown', 'html'] as const satisfies readonly ReportFormat[];

type Written = Partial<Record<ReportFormat, string>> & { readonly json?: boolean };

/** `printed`: the one that goes to standard output instead of all else. */
export function readOutputs(
  options: Written,
  cwd: string,
): { readonly outputs: Outputs; readonly printed: ReportFormat | null } {
  const wanted = FORMATS.flatMap((format) => {
    const file = options[format];
    return file === undefined ? [] : [{ format, file }];
  });
  const printed = wanted.filter(({ file }) => file === '-').map(({ format }) => format);
  const names = [...(options.json ? ['--json'] : []), ...printed.map((format) => `--${format} -`)];
  if (printed.length > 0 && names.length > 1)
    throw new UserError(`only one of ${names.join(' and ')} can be printed`, 'name files for the others');
  const files = wanted.filter(({ file }) => file !== '-');
  return {
    outputs: Object.fromEntries(files.map(({ format, file }) => [format, resolve(cwd, file)])),
    printed: printed[0] ?? null,
  };
}

export function fileAt(cwd: string, option: string, written: string | undefined): string | null {
  if (written === '-')
    throw new UserError(`${option} needs a file`, 'the report is printed by --json, JUnit XML by --junit -');
  return written === undefined ? null : resolve(cwd, written);
}

/** Whether there are any. The verdict stays the verdict; a run that is all well and could not write is not. */
export function tellFailures(cli: Cli, failures: readonly Error[]): boolean {
  for (const error of failures) cli.err(renderError(error, cli) ?? `error: ${safeLine(error.message)}`);
  return failures.length > 0;
}
