/** Regular expressions as authors write them, also those of other languages. */

import { compileRustPattern } from './rust/pattern.ts';

export type Dialect = 'javascript' | 'rust';

/** Throws a SyntaxError. Flags in front, `(?i)`, are taken as flags: Python, Go and Rust write them so. */
export function compilePattern(pattern: string, flags = '', dialect: Dialect = 'javascript'): RegExp {
  if (dialect === 'rust') return compileRustPattern(pattern);
  const [inline, letters = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [''];
  const all = [...new Set([...flags.replaceAll(/[gy]/g, ''), ...letters])].join('');
  return new RegExp(pattern.slice(inline.length), all);
}

/** Why a pattern cannot be used; null: it can. */
export function patternProblem(pattern: string, flags = '', dialect?: Dialect): string | null {
  try {
    compilePattern(pattern, flags, dialect);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether it finds something in every text there is. Only of patterns that do not look around themselves. */
export function matchesAnything(pattern: string, flags = '', dialect?: Dialect): boolean {
  return !/[$^]|\\[bBAz<>]|\(\?[=!<]/.test(pattern) && compilePattern(pattern, flags, dialect).test('');
}
