/** Walks through a pattern, code point by code point. */
export class Cursor {
  readonly #signs: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#signs = [...pattern];
  }

  get isDone(): boolean {
    return this.#at >= this.#signs.length;
  }

  /** '' at the end. */
  get sign(): string {
    return this.#signs[this.#at] ?? '';
  }

  sees(text: string): boolean {
    return this.peek(text.length) === text;
  }

  next(): string {
    const { sign } = this;
    this.#at += 1;
    return sign;
  }

  /** Whether the text stood here; then it has been passed. */
  take(text: string): boolean {
    const found = this.sees(text);
    if (found) this.#at += text.length;
    return found;
  }

  /** Everything up to a sign, which is passed too. */
  until(end: string, what: string): string {
    const found = this.#signs.indexOf(end, this.#at);
    if (found < 0) throw new SyntaxError(`${what} is not closed`);
    const inner = this.#signs.slice(this.#at, found).join('');
    this.#at = found + 1;
    return inner;
  }

  /** So many signs, without passing them. */
  peek(count: number): string {
    return this.#signs.slice(this.#at, this.#at + count).join('');
  }

  /** Exactly so many signs. */
  some(count: number): string {
    const text = this.peek(count);
    this.#at += count;
    return text;
  }

  /** What `x` lets people write for themselves. */
  skipSpace(): void {
    for (;;) {
      if (/^\s$/.test(this.sign)) this.#at += 1;
      else if (this.sign === '#') while (!this.isDone && this.next() !== '\n');
      else return;
    }
  }
}
