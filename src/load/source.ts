/** Text that was parsed, and where in it everything stands. */
import type { Diagnostic, Path, Position } from '../model/diagnostic.ts';

export interface Source {
  readonly file: string;
  /** undefined when the text could not be parsed; `diagnostics` then has an error. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
  at(path: Path, part?: 'key' | 'value'): Position;
}

/** Deeper documents are refused: nothing people write comes near, and every later walk stays safe. */
export const MAX_DEPTH = 100;

export const TOO_DEEP = {
  rule: 'too-deep',
  message: `is nested deeper than ${MAX_DEPTH} levels`,
  hint: 'flatten the document',
};

/** A document that could not be parsed. */
export function unreadable(file: string, diagnostics: readonly Diagnostic[]): Source {
  return { file, value: undefined, diagnostics, at: () => ({ line: 1, column: 1 }) };
}

/** Turns offsets into lines and columns. */
export class LineMap {
  readonly #starts: number[] = [0];

  constructor(text: string) {
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
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}
