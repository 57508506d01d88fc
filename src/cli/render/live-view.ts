/** The lines at the bottom of the terminal that say what is going on; finished lines appear above them. */
import { duration, safeLine } from './safe-text.ts';

const SHOWN = 8;

export class LiveView {
  readonly #started = performance.now();
  readonly #running = new Map<string, { readonly since: number; readonly detail: () => string }>();
  readonly #footer: () => string;
  #done = 0;
  #total = 0;
  #drawn = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `footer` is asked for what to add to the totals. */
  constructor(footer: () => string = () => '') {
    this.#footer = footer;
  }

  start(total: number): void {
    this.#total = total;
    this.#timer = setInterval(() => this.#draw(), 100);
  }

  begin(id: string, detail: () => string = () => ''): void {
    this.#running.set(id, { since: performance.now(), detail });
  }

  end(id: string, line: string): void {
    this.#running.delete(id);
    this.#done++;
    this.#clear();
    process.stdout.write(`${line}\n`);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #draw(): void {
    const now = performance.now();
    const running = [...this.#running].map(
      ([id, { since, detail }]) => `  ⋯ ${safeLine(id)}  ${duration(now - since)}  ${detail()}`,
    );
    const more = running.length > SHOWN ? [`  ⋯ and ${running.length - SHOWN} more`] : [];
    const totals = `  ${this.#done}/${this.#total}  ${duration(now - this.#started)}  ${this.#footer()}`;
    const width = (process.stderr.columns ?? 80) - 1;
    const lines = [...running.slice(0, SHOWN), ...more, totals].map((line) => line.trimEnd().slice(0, width));
    this.#clear();
    process.stderr.write(`${lines.join('\n')}\n`);
    this.#drawn = lines.length;
  }

  #clear(): void {
    if (this.#drawn > 0) process.stderr.write(`\x1b[${this.#drawn}A\x1b[0J`);
    this.#drawn = 0;
  }
}
