/** Errors that people can mend, in the words they came with. */
import type { Cli } from '../cli.ts';
import { safeLine } from './safe-text.ts';

/** null: the error is a bug, to be shown whole. */
export function renderError(
  error: unknown,
  { colors, asTyped }: Pick<Cli, 'colors' | 'asTyped'>,
): string | null {
  if (!(error instanceof Error) || !('hints' in error)) return null;
  const hints = (error.hints as readonly string[]).map((hint) => `  ${asTyped(safeLine(hint))}`);
  return [`${colors.red('error:')} ${safeLine(error.message)}`, ...hints].join('\n');
}
