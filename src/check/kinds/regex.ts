/** A regular expression finds something. */
import { runInNewContext } from 'node:vm';
import { compilePattern, type Dialect } from '../../model/pattern.ts';
import type { GraderResult } from '../check.ts';

interface Pattern {
  readonly pattern: string;
  readonly flags?: string | undefined;
  readonly dialect?: Dialect | undefined;
}

/** Most patterns take microseconds; one that backtracks without end must not keep a run from ending. */
const MAX_MS = 1_000;

export function regex({ pattern, flags = '', dialect }: Pattern, text: string, where: string): GraderResult {
  const shown = `/${pattern}/${flags}`;
  try {
    const expression = compilePattern(pattern, flags, dialect);
    // Another context only for its time limit, which ends a search that V8 would never give up.
    const found = runInNewContext('expression.exec(text)', { expression, text }, { timeout: MAX_MS });
    if (found === null) return { verdict: 'FAIL', message: `${where} does not match ${shown}` };
    return { verdict: 'PASS', message: `${where} matches ${shown}: ${excerpt(String(found[0]))}` };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      return {
        verdict: 'SKIP',
        message: `${shown} was still searching ${where} after ${MAX_MS / 1000} s: it backtracks too much`,
      };
    }
    return { verdict: 'SKIP', message: `${shown} cannot be used: ${(error as Error).message}` };
  }
}

function excerpt(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
