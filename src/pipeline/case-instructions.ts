/** What an agent is told beside its prompts. */
import type { Case, SuiteSettings } from '../model/case.ts';

/** Those of the target stand before those of the case; undefined: none. */
export function instructionsFor(
  { instructions }: Pick<Case, 'instructions'>,
  { target }: Pick<SuiteSettings, 'target'>,
): string | undefined {
  const told = [target?.instructions, instructions].filter((it) => it?.trim());
  return told.length === 0 ? undefined : told.join('\n\n');
}
