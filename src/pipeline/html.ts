/** Writes HTML reports: reads the captures beside a report and the page they are shown in. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discoverPackage } from '../load/discover.ts';
import type { EvalDiff } from '../model/diff.ts';
import { PrerequisiteError, UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import type { ViewerData } from '../model/viewer.ts';
import { viewRun } from '../report/html/run.ts';
import { renderHtml } from '../report/html.ts';
import { checkWritable, writeAtomically } from '../report/write.ts';

/** A report, and the package whose captures it names; null: they are not to be found. */
export interface HtmlSource {
  readonly report: EvalReport;
  readonly packageRoot: string | null;
}

/** Of a run in the package at `cwd` that has just ended. `path` is absolute. */
export async function writeEvalHtml(path: string, report: EvalReport, cwd: string): Promise<void> {
  const { root } = await discoverPackage('.', cwd);
  await writeReportHtml(path, { report, packageRoot: root });
}

/** `path` is absolute. */
export async function writeReportHtml(path: string, source: HtmlSource): Promise<void> {
  const run = await viewRun({ report: source.report, readCapture: captureReader(source.packageRoot) });
  await writePage(path, { kind: 'run', run });
}

/** Both runs get the same room; cases whose verdict changed come first in it. */
export async function writeDiffHtml(
  path: string,
  diff: EvalDiff,
  a: HtmlSource,
  b: HtmlSource,
): Promise<void> {
  const first = new Set(diff.cases.filter(({ change }) => change !== 'unchanged').map(({ name }) => name));
  const view = ({ report, packageRoot }: HtmlSource) =>
    viewRun({ report, readCapture: captureReader(packageRoot), first, share: 0.5 });
  await writePage(path, { kind: 'diff', diff, a: await view(a), b: await view(b) });
}

/** Better known before a run than after it. */
export async function requireHtmlWritable(path: string): Promise<void> {
  await checkWritable(path).catch((error: Error) => {
    throw new UserError(`the HTML report cannot be written to ${path}: ${error.message}`);
  });
}

async function writePage(path: string, data: ViewerData): Promise<void> {
  const page = fileURLToPath(new URL('../viewer/index.html', import.meta.url));
  const template = await readFile(page, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new PrerequisiteError(
      `the page of the HTML report is missing: ${page}`,
      'build it:  npm run build',
    );
  });
  await writeAtomically(path, renderHtml(data, template)).catch((error: Error) => {
    throw new UserError(`the HTML report ${path} could not be written: ${error.message}`);
  });
}

const MAX_CAPTURE_BYTES = 128 * 1024 * 1024;

/** Reports travel, and what they name as a capture may be anything: only files of runs of the package are read. */
function captureReader(packageRoot: string | null): (path: string) => Promise<unknown> {
  return async (path) => {
    if (packageRoot === null)
      throw new Error('the package of this report was not found, so its capture was not read');
    const file = await realpath(join(packageRoot, path)).catch(() => {
      throw new Error(`${path} is no longer there`);
    });
    const runs = join(await realpath(packageRoot), '.aam', 'runs') + sep;
    if (!file.startsWith(runs)) throw new Error(`${path} is not in .aam/runs, so it was not read`);
    const stats = await stat(file);
    if (!stats.isFile() || stats.size > MAX_CAPTURE_BYTES)
      throw new Error(`${path} is too large to be shown`);
    try {
      return JSON.parse(await readFile(file, 'utf8'));
    } catch {
      throw new Error(`${path} is no capture that aam can read`);
    }
  };
}
