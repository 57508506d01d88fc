/** Finds saved reports by what people call them: a path, a run id, `latest`, `latest~2`. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../model/errors.ts';
import { readReport } from './read.ts';

const LATEST = /^latest(?:~(\d+))?$/;
/** What `aam eval` calls its reports; a second one of the same second has a number. */
const OWN_NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)Z(?:-(\d+))?\.json$/;

/** Absolute path. `packageRoot` is asked for only when the name is no path. */
export async function findReport(
  name: string,
  cwd: string,
  packageRoot: () => Promise<string>,
): Promise<string> {
  const latest = LATEST.exec(name);
  const path = resolve(cwd, name);
  if (!latest && (/[/\\]|\.json$/.test(name) || (await stat(path).catch(() => null))?.isFile())) return path;
  const root = await packageRoot();
  return latest ? await nthLatest(root, Number(latest[1] ?? 0), name) : await byId(root, name);
}

async function nthLatest(root: string, back: number, name: string): Promise<string> {
  const reports = await listReports(root);
  const found = reports[back];
  if (found) return found.path;
  const there = reports.length === 1 ? 'there is only one report' : `there are ${reports.length} reports`;
  throw new UserError(`there is no report ${name}: ${there} in ${reportsIn(root)}`, 'make one:  aam eval');
}

async function byId(root: string, id: string): Promise<string> {
  const reports = await listReports(root);
  for (const { path } of reports) {
    const report = await readReport(path).catch(ignoreOthers);
    if (report && (report.id === id || report.id === `eval-run-${id}`)) return path;
  }
  throw new UserError(
    `there is no report ${id}: it is neither a file nor the id of a run in ${reportsIn(root)}`,
    'name a path, the id of a run, latest or latest~1',
  );
}

interface Listed {
  readonly path: string;
  readonly time: string;
  readonly number: number;
}

function reportsIn(packageRoot: string): string {
  return join(packageRoot, 'evals', 'reports');
}

/** The newest first. */
export async function listReports(packageRoot: string): Promise<Listed[]> {
  const folder = reportsIn(packageRoot);
  const names = await readdir(folder).catch((): string[] => []);
  const listed = await Promise.all(
    names.filter((name) => name.endsWith('.json')).map((name) => listedReport(folder, name)),
  );
  return newestFirst(listed);
}

function newestFirst(listed: readonly (Listed | null)[]): Listed[] {
  return listed
    .filter((it) => it !== null)
    .sort((a, b) => compare(b.time, a.time) || b.number - a.number || compare(b.path, a.path));
}

/** Paths of so many that `aam eval` wrote under names of its own, the newest first. Opens none of them. */
export async function newestReports(packageRoot: string, count: number): Promise<string[]> {
  const folder = reportsIn(packageRoot);
  const names = (await readdir(folder).catch((): string[] => [])).filter((name) => OWN_NAME.test(name));
  const listed = await Promise.all(names.map((name) => listedReport(folder, name)));
  return newestFirst(listed)
    .slice(0, count)
    .map(({ path }) => path);
}

/** The name tells when it is one of ours; else the report itself. */
async function listedReport(folder: string, name: string): Promise<Listed | null> {
  const path = join(folder, name);
  const own = OWN_NAME.exec(name);
  if (own) return { path, time: own[1] ?? '', number: Number(own[2] ?? 1) };
  const report = await readReport(path).catch(ignoreOthers);
  return report && { path, time: report.timestamp.replaceAll(':', '-').replace(/Z$/, ''), number: 1 };
}

/** Other files may lie beside reports. */
function ignoreOthers(error: unknown): null {
  if (error instanceof UserError) return null;
  throw error;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
