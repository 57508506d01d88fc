/** `aam eval diff`: finds two reports, reads and compares them. */
import { discoverPackage } from '../load/discover.ts';
import type { EvalDiff } from '../model/diff.ts';
import type { Host } from '../model/host.ts';
import { diffReports, type NamedReport } from '../report/diff.ts';
import { findReport, listReports } from '../report/find.ts';
import { readReport } from '../report/read.ts';

export interface DiffRequest {
  readonly host: Pick<Host, 'cwd'>;
  /** A path, a run id, `latest` or `latest~1`. */
  readonly a: string;
  readonly b: string;
  readonly significant: boolean;
}

export interface ComparedReports {
  readonly diff: EvalDiff;
  readonly a: NamedReport;
  readonly b: NamedReport;
}

export async function diffEvals({ host, a, b, significant }: DiffRequest): Promise<ComparedReports> {
  // One after the other: what is wrong with the first is told first.
  const first = await loadReport(a, host.cwd);
  const second = await loadReport(b, host.cwd);
  return { diff: diffReports(first, second, significant), a: first, b: second };
}

/** Whether `latest~1` and `latest`, said in this folder, mean reports of this home. */
export async function hasTwoReports(home: string, cwd: string): Promise<boolean> {
  const found = await discoverPackage('.', cwd).catch(() => null);
  return found?.root === home && (await listReports(home)).length > 1;
}

export async function loadReport(name: string, cwd: string): Promise<NamedReport> {
  const packageRoot = async () => (await discoverPackage('.', cwd)).root;
  const path = await findReport(name, cwd, packageRoot);
  return { path, report: await readReport(path) };
}
