/** Writes a report, or a comparison of two, in other formats. */
import { appendFile } from 'node:fs/promises';
import type { EvalDiff } from '../model/diff.ts';
import { UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import { DIFF_FORMATS, REPORT_FORMATS } from '../report/formats.ts';
import { checkWritable, writeAtomically } from '../report/write.ts';

export type ReportFormat = keyof typeof REPORT_FORMATS;
export type DiffFormat = keyof typeof DIFF_FORMATS;

/** Format → absolute path. */
export type Outputs = Readonly<Partial<Record<ReportFormat, string>>>;

/** Better known before a run than after it. */
export async function checkOutputs(outputs: Outputs): Promise<void> {
  for (const [format, path] of Object.entries(outputs)) {
    await checkWritable(path).catch((error: Error) => {
      throw new UserError(`the ${format} file ${path} cannot be written: ${error.message}`);
    });
  }
}

export async function writeOutputs(report: EvalReport, outputs: Outputs): Promise<void> {
  for (const [format, path] of Object.entries(outputs)) {
    const text = await REPORT_FORMATS[format as ReportFormat](report);
    await writeAtomically(path, text).catch((error: Error) => {
      throw new UserError(`the ${format} file ${path} could not be written: ${error.message}`);
    });
  }
}

export async function formatReport(report: EvalReport, format: ReportFormat): Promise<string> {
  return await REPORT_FORMATS[format](report);
}

export async function formatDiff(diff: EvalDiff, format: DiffFormat): Promise<string> {
  return await DIFF_FORMATS[format](diff);
}

/** Adds to a page that other steps of a CI job write to as well. */
export async function appendSummary(path: string, report: EvalReport): Promise<void> {
  await appendFile(path, `${await formatReport(report, 'markdown')}\n`).catch((error: Error) => {
    throw new UserError(`the summary ${path} could not be written: ${error.message}`);
  });
}
