/** Writes a report, or a comparison of two, in other formats. */
import { appendFile } from 'node:fs/promises';
import type { EvalDiff } from '../model/diff.ts';
import { UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import type { NamedReport } from '../report/diff.ts';
import { DIFF_FORMATS, REPORT_FORMATS } from '../report/formats.ts';
import { checkWritable, writeAtomically } from '../report/write.ts';
import type { ComparedReports } from './eval-diff.ts';
import { requireOwnPlaces, type WantedOutput } from './output-places.ts';

export { reportJson } from '../report/json-text.ts';

/** A page shows what the agents did as well, which a report alone does not hold. */
export type ReportFormat = keyof typeof REPORT_FORMATS | 'html';
export type DiffFormat = keyof typeof DIFF_FORMATS;

/** Format → absolute path. */
export type Outputs = Readonly<Partial<Record<ReportFormat, string>>>;

/** Better known before a run than after it. `sources`: what is read, and must not be replaced. */
export async function checkOutputs(outputs: Outputs, sources: readonly string[] = []): Promise<void> {
  for (const [format, path] of Object.entries(outputs)) {
    await checkWritable(path).catch((error: Error) => {
      throw new UserError(`the ${format} file ${path} cannot be written: ${error.message}`);
    });
  }
  await requireOwnPlaces(wantedOutputs(outputs), { files: sources, folders: [] });
}

export function wantedOutputs(outputs: Outputs): WantedOutput[] {
  return Object.entries(outputs).map(([format, path]) => ({ option: `--${format}`, path }));
}

/**
 * Returns what could not be written: one file that fails does not keep the others back. `packageRoot`: where the captures
 * of the run are; null: not known.
 */
export async function writeOutputs(
  report: EvalReport,
  outputs: Outputs,
  packageRoot: string | null,
): Promise<Error[]> {
  const failures: Error[] = [];
  for (const [format, path] of Object.entries(outputs)) {
    try {
      await write(path, format, await formatReport(report, format as ReportFormat, packageRoot));
    } catch (error) {
      failures.push(error as Error);
    }
  }
  return failures;
}

export async function formatReport(
  report: EvalReport,
  format: ReportFormat,
  packageRoot: string | null,
): Promise<string> {
  if (format !== 'html') return await REPORT_FORMATS[format](report);
  const { reportHtml } = await import('./html.ts');
  return await reportHtml({ report, packageRoot });
}

/** `path` is absolute. */
export async function writeDiffHtml(
  path: string,
  { diff, a, b }: ComparedReports,
  cwd: string,
): Promise<void> {
  const { diffHtml, packageOf } = await import('./html.ts');
  const source = async (it: NamedReport) => ({ report: it.report, packageRoot: await packageOf(it, cwd) });
  await write(path, 'html', await diffHtml(diff, await source(a), await source(b)));
}

async function write(path: string, format: string, text: string): Promise<void> {
  await writeAtomically(path, text).catch((error: Error) => {
    throw new UserError(`the ${format} file ${path} could not be written: ${error.message}`);
  });
}

export async function formatDiff(diff: EvalDiff, format: DiffFormat): Promise<string> {
  return await DIFF_FORMATS[format](diff);
}

/** Adds to a page that other steps of a CI job write to as well. */
export async function appendSummary(path: string, report: EvalReport): Promise<void> {
  await appendFile(path, `${await REPORT_FORMATS.markdown(report)}\n`).catch((error: Error) => {
    throw new UserError(`the summary ${path} could not be written: ${error.message}`);
  });
}
