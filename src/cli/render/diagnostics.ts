/** Findings, as people read them: `error: file:line:column: what is wrong`, then what to do. */
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Cli } from '../cli.ts';
import { safeLine } from './safe-text.ts';

export function renderDiagnostic(diagnostic: Diagnostic, { colors }: Pick<Cli, 'colors'>): string {
  const { severity, file, line, column, message, hint } = diagnostic;
  const label = severity === 'error' ? colors.red('error:') : colors.yellow('warning:');
  const place = line === null ? file : `${file}:${line}:${column}`;
  const first = `${label} ${colors.bold(safeLine(place))}: ${safeLine(message)}`;
  return hint ? `${first}\n  ${safeLine(hint)}` : first;
}
