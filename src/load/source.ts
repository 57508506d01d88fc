/** Text that was parsed, and where in it everything stands. */
import { type Diagnostic, fileFinding, type Path, type Position } from '../model/diagnostic.ts';

export interface Source {
  readonly file: string;
  /** undefined when the text could not be parsed; `diagnostics` then has an error. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
  at(path: Path, part?: 'key' | 'value'): Position;
}

/** Deeper documents are refused: nothing people write comes near, and every later walk stays safe. */
export const MAX_DEPTH = 100;
/** So are longer ones, which keeps the worst document of the largest size within a second or two. */
export const MAX_TOKENS = 200_000;

export const TOO_DEEP = {
  rule: 'too-deep',
  message: `is nested deeper than ${MAX_DEPTH} levels from here on`,
  hint: 'flatten the document',
};

export const TOO_LONG = {
  rule: 'too-large',
  message: `has more than ${MAX_TOKENS} words and signs up to here`,
  hint: 'split the document',
};

/** Something wrong at one place of a text. */
export interface Mistake {
  readonly offset: number;
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
}

const MAX_FINDINGS = 100;

/** The first findings of a kind; what is left out is counted, for nobody reads a thousand. */
export function firstFindings<T>(
  file: string,
  severity: Diagnostic['severity'],
  items: readonly T[],
  describe: (item: T) => Diagnostic,
): Diagnostic[] {
  const shown = items.slice(0, MAX_FINDINGS).map(describe);
  const left = items.length - shown.length;
  if (left === 0) return shown;
  const message = `has ${left} more ${left === 1 ? severity : `${severity}s`} like these`;
  return [...shown, fileFinding(severity, file, { rule: 'too-many', message })];
}

/** A document that could not be parsed. */
export function unreadable(file: string, diagnostics: readonly Diagnostic[]): Source {
  return { file, value: undefined, diagnostics, at: () => ({ line: 1, column: 1 }) };
}

/** Where a value stands in its text, and where its parts do. */
export interface Spot {
  readonly offset: number;
  readonly keyOffset?: number;
  readonly parts?: ReadonlyMap<string, Spot> | readonly Spot[];
}

/** The offset of the deepest part of `path` that exists. */
export function offsetOf(root: Spot, path: Path, part: 'key' | 'value' = 'value'): number {
  let spot = root;
  for (const step of path) {
    const { parts } = spot;
    const next = parts instanceof Map ? parts.get(String(step)) : (parts as readonly Spot[])?.[Number(step)];
    if (!next) return spot.offset;
    spot = next;
  }
  return part === 'key' ? (spot.keyOffset ?? spot.offset) : spot.offset;
}

/** Turns offsets of a file's text into lines and columns. */
export class LineMap {
  readonly #file: string;
  readonly #firstLine: number;
  readonly #starts: number[] = [0];

  constructor(text: string, file: string, firstLine = 1) {
    this.#file = file;
    this.#firstLine = firstLine;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  position(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + this.#firstLine, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** The first mistake of each line: the later ones mostly follow from it. */
  firstOfLines(mistakes: readonly Mistake[]): Mistake[] {
    const first = new Map<number, Mistake>();
    for (const mistake of mistakes) {
      const { line } = this.position(mistake.offset);
      if (!first.has(line)) first.set(line, mistake);
    }
    return [...first.values()];
  }

  findings(severity: Diagnostic['severity'], mistakes: readonly Mistake[]): Diagnostic[] {
    return firstFindings(this.#file, severity, mistakes, ({ offset, ...finding }) => ({
      severity,
      file: this.#file,
      ...this.position(offset),
      ...finding,
    }));
  }
}
