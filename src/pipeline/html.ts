/** HTML reports: reads the captures beside a report and the page they are shown in. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discoverPackage } from '../load/discover.ts';
import type { EvalDiff } from '../model/diff.ts';
import { PrerequisiteError, UserError } from '../model/errors.ts';
import type { EvalReport } from '../model/report.ts';
import type { ViewerData } from '../model/viewer.ts';
import type { NamedReport } from '../report/diff.ts';
import { viewRun } from '../report/html/run.ts';
import { renderHtml } from '../report/html.ts';

/** A report, and the package whose captures it names; null: it was not found. */
export interface HtmlSource {
  readonly report: EvalReport;
  readonly packageRoot: string | null;
}

export async function reportHtml({ report, packageRoot }: HtmlSource): Promise<string> {
  const run = await viewRun({ report, readCapture: captureReader(packageRoot) });
  return await render({ kind: 'run', run });
}

/** Both runs get the same room; cases whose verdict changed come first in it. */
export async function diffHtml(diff: EvalDiff, a: HtmlSource, b: HtmlSource): Promise<string> {
  const first = new Set(diff.cases.filter(({ change }) => change !== 'unchanged').map(({ name }) => name));
  const view = ({ report, packageRoot }: HtmlSource) =>
    viewRun({ report, readCapture: captureReader(packageRoot), first, share: 0.5 });
  return await render({ kind: 'diff', diff, a: await view(a), b: await view(b) });
}

/** The package a saved report is of: the one it lies in or the one at `cwd`, whichever has the captures of its run. */
export async function packageOf({ path, report }: NamedReport, cwd: string): Promise<string | null> {
  const run = report.id.replace(/^eval-run-/, '');
  for (const start of [dirname(path), cwd]) {
    const found = await discoverPackage('.', start).catch(ignoreNone);
    if (found && (await stat(join(found.root, '.aam', 'runs', run)).catch(() => null))?.isDirectory())
      return found.root;
  }
  return null;
}

function ignoreNone(error: unknown): null {
  if (error instanceof UserError) return null;
  throw error;
}

async function render(data: ViewerData): Promise<string> {
  const page = fileURLToPath(new URL('../viewer/index.html', import.meta.url));
  const template = await readFile(page, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    throw new PrerequisiteError(`the page of HTML reports is missing: ${page}`, 'build it:  npm run build');
  });
  return renderHtml(data, template);
}

const MAX_CAPTURE_BYTES = 128 * 1024 * 1024;

/** Reports travel, and what they name as a capture may be anything: only files of runs of the package are read. */
function captureReader(packageRoot: string | null): (path: string) => Promise<unknown> {
  return async (path) => {
    if (packageRoot === null)
      throw new Error('the captures of this run were not found beside the report or in the package');
    const file = await realpath(join(packageRoot, path)).catch(() => {
      throw new Error(`${path} is no longer there`);
    });
    const runs = join(await realpath(packageRoot), '.aam', 'runs') + sep;
    if (!file.startsWith(runs)) throw new Error(`${path} is not in .aam/runs, so it was not read`);
    const stats = await stat(file);
    if (!stats.isFile()) throw new Error(`${path} is no capture that aam can read`);
    if (stats.size > MAX_CAPTURE_BYTES) throw new Error(`${path} is too large to be shown`);
    const text = await readFile(file, 'utf8');
    try {
      return JSON.parse(text);
    } catch {
      throw new Error(`${path} is no capture that aam can read`);
    }
  };
}
