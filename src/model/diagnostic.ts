/** What a reader or a rule found wrong, and where. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Stable name of the rule, for machines: `unknown-key`, `missing-file`… */
  readonly rule: string;
  /** Relative to the package root, with forward slashes. */
  readonly file: string;
  /** Both 1-based; `null` when the finding is about the whole file. */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

export type Path = readonly (string | number)[];

/** A value together with the file it was read from, able to say where each part of it stands. */
export interface Located<T> {
  readonly file: string;
  readonly value: T;
  at(path: Path, part?: 'key' | 'value'): Position;
}

export interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A finding at one part of a document. */
export function finding(
  severity: Diagnostic['severity'],
  where: Pick<Located<unknown>, 'file' | 'at'>,
  path: Path,
  { rule, message, hint }: Finding,
  part: 'key' | 'value' = 'value',
): Diagnostic {
  const { line, column } = where.at(path, part);
  return { severity, rule, file: where.file, line, column, message, ...(hint && { hint }) };
}

/** A finding about a file as a whole. */
export function fileFinding(
  severity: Diagnostic['severity'],
  file: string,
  { rule, message, hint }: Finding,
): Diagnostic {
  return { severity, rule, file, line: null, column: null, message, ...(hint && { hint }) };
}

export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return compare(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** On one line, for people. */
export function diagnosticLine({ file, line, column, message, hint }: Diagnostic): string {
  const place = line === null ? file : `${file}:${line}:${column}`;
  return `${place}: ${message}${hint ? ` (${hint})` : ''}`;
}

/** `pages[0].name`, for people. Keys that could be taken for something else are quoted. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    if (!/^[\p{L}\p{N}@/._$<+-]+$/u.test(part)) return `${text}[${JSON.stringify(part)}]`;
    return text ? `${text}.${part}` : part;
  }, '');
}
