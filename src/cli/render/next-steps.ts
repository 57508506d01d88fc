/** What to do now, for whoever meets aam by its examples. Only what can be done now. */
import type { EvalReport } from '../../model/report.ts';
import type { EvalOptions } from '../../pipeline/eval.ts';
import type { Cli } from '../cli.ts';
import { columns } from './layout.ts';

/** `root`: where the reports of the run are. */
export async function nextSteps(
  { asTyped }: Pick<Cli, 'asTyped'>,
  { tape }: EvalReport,
  request: EvalOptions,
  root: string,
): Promise<string[]> {
  if (tape.source !== 'scripted' || tape.mode !== 'replay') return [];
  const [{ evalCommand }, { hasTwoReports }] = await Promise.all([
    import('../../pipeline/eval-command.ts'),
    import('../../pipeline/eval-diff.ts'),
  ]);
  const canCompare = request.output === null && (await hasTwoReports(root, request.host.cwd));
  const steps = [
    [evalCommand(request, { tape: 'off' }), 'with a model: a key, or the login of claude or codex'],
    ...(canCompare ? [['aam eval diff latest~1 latest', 'compare two runs']] : []),
    ['aam init my-package', 'a package of your own'],
  ];
  const rows = steps.map(([command = '', what = ''], index) => [
    index === 0 ? 'next:' : '',
    asTyped(`  ${command}`).trim(),
    what,
  ]);
  return columns(rows);
}
