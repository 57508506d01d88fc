/** Short ways for rules to say what they found. */
import { type Diagnostic, fileFinding, finding, type Located, type Path } from '../../model/diagnostic.ts';
import { normalizePath, pathProblem } from '../../model/names.ts';
import { nearest } from '../../model/nearest.ts';

type Where = Pick<Located<unknown>, 'file' | 'at'>;

export function error(where: Where, path: Path, rule: string, message: string, hint?: string): Diagnostic {
  return finding('error', where, path, { rule, message, hint });
}

export function warning(where: Where, path: Path, rule: string, message: string, hint?: string): Diagnostic {
  return finding('warning', where, path, { rule, message, hint });
}

export function fileError(file: string, rule: string, message: string, hint?: string): Diagnostic {
  return fileFinding('error', file, { rule, message, hint });
}

export function fileWarning(file: string, rule: string, message: string, hint?: string): Diagnostic {
  return fileFinding('warning', file, { rule, message, hint });
}

/** A written path made relative to the root; or the finding that it may not be used. */
export function insidePath(
  where: Where,
  at: Path,
  written: string,
  base = '',
): { path: string } | { problem: Diagnostic } {
  const problem = pathProblem(written);
  if (problem === null) return { path: normalizePath(base ? `${base}/${written}` : written) };
  return {
    problem: error(
      where,
      at,
      'path-outside',
      `the path ${JSON.stringify(written)} ${problem}`,
      'paths are relative and stay inside the package',
    ),
  };
}

/** "did you mean …?", else what there is to choose from. */
export function suggest(word: string, candidates: readonly string[], noun: string): string | undefined {
  const meant = nearest(word, candidates);
  if (meant) return `did you mean ${meant}?`;
  if (candidates.length === 0) return `the package has no ${noun}`;
  return candidates.length <= 8 ? `there is: ${candidates.join(', ')}` : undefined;
}
