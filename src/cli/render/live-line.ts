/** One line at the bottom of the terminal that says what is going on, above which finished lines appear. */
import { duration } from './safe-text.ts';

export class LiveLine {
  readonly #started = performance.now();
  readonly #running = new Set<string>();
  #done = 0;
  #total = 0;
  #timer: NodeJS.Timeout | undefined;

  start(total: number): void {
    this.#total = total;
    this.#timer = setInterval(() => this.#draw(), 100);
  }

  begin(id: string): void {
    this.#running.add(id);
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
    const names = [...this.#running].join(', ');
    const line = `  ${this.#done}/${this.#total}  ${duration(performance.now() - this.#started)}  ${names}`;
    this.#clear();
    process.stderr.write(line.slice(0, (process.stderr.columns ?? 80) - 1));
  }

  #clear(): void {
    process.stderr.write('\r\x1b[2K');
  }
}
