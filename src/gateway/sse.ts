/** Reads server-sent events from bytes that may be cut anywhere, also inside a character. */
export class SseReader {
  readonly #decoder = new TextDecoder();
  readonly #maxEventLength: number;
  #line = '';
  #lineLength = 0;
  #data: string[] = [];
  #eventLength = 0;
  #afterReturn = false;

  /** A longer event is dropped. */
  constructor(maxEventLength = 32 * 1024 * 1024) {
    this.#maxEventLength = maxEventLength;
  }

  /** The data of the events that these bytes complete. */
  push(bytes: Uint8Array): string[] {
    return this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The data of an event that the end of the stream completes: some servers leave out the last empty line. */
  end(): string[] {
    return this.#read(`${this.#decoder.decode()}\n\n`);
  }

  #read(decoded: string): string[] {
    if (decoded === '') return [];
    const text = this.#afterReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#afterReturn = text.endsWith('\r');
    const [first = '', ...more] = text.split(/\r\n|\r|\n/);
    this.#extend(first);
    return more.flatMap((next) => {
      const event = this.#endLine();
      this.#extend(next);
      return event === null ? [] : [event];
    });
  }

  #extend(text: string): void {
    this.#lineLength += text.length;
    this.#eventLength += text.length;
    if (!this.#isTooLong) this.#line += text;
  }

  get #isTooLong(): boolean {
    return this.#eventLength > this.#maxEventLength;
  }

  /** The data of the event when this line is the empty one that closes it. */
  #endLine(): string | null {
    const line = this.#line;
    const closesEvent = this.#lineLength === 0;
    this.#line = '';
    this.#lineLength = 0;
    if (!closesEvent) {
      if (!this.#isTooLong && line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
      return null;
    }
    const data = this.#isTooLong || this.#data.length === 0 ? null : this.#data.join('\n');
    this.#data = [];
    this.#eventLength = 0;
    return data;
  }
}
