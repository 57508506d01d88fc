/** Failed and undecided cases as GitHub Actions shows them, at the line of the case. */
import { join, relative } from 'node:path';
import type { EvalReport } from '../../model/report.ts';

/** GitHub shows ten of each kind per step. */
const SHOWN = 10;

/** `root`: of the package. `workspace`: what paths are relative to. */
export function renderAnnotations(report: EvalReport, root: string, workspace: string): string[] {
  const of = (verdict: 'FAIL' | 'SKIP', command: 'error' | 'warning') =>
    report.cases
      .filter((it) => it.verdict === verdict)
      .slice(0, SHOWN)
      .map((it) => {
        const properties = {
          ...(it.file !== null && { file: relative(workspace, join(root, it.file)) }),
          ...(it.line !== null && { line: String(it.line) }),
          title: `${it.name} ${verdict === 'FAIL' ? 'failed' : 'is undecided'}`,
        };
        const written = Object.entries(properties).map(([key, value]) => `${key}=${property(value)}`);
        return `::${command} ${written.join(',')}::${data(it.error ?? 'no reason was given')}`;
      });
  return [...of('FAIL', 'error'), ...of('SKIP', 'warning')];
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
