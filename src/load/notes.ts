/** Findings about one file. What is said of many cases alike is said once, with their number. */
import {
  compareDiagnostics,
  type Diagnostic,
  type Finding,
  finding,
  type Path,
} from '../model/diagnostic.ts';
import { mistakesIn, type ReadWithMistakes } from './mistakes.ts';
import type { Source } from './source.ts';

interface Repeated {
  readonly path: Path;
  readonly it: Finding;
  count: number;
}

export class Notes {
  readonly #source: Source;
  readonly #single: Diagnostic[] = [];
  readonly #repeated = new Map<string, Repeated>();

  constructor(source: Source) {
    this.#source = source;
    this.#single.push(...source.diagnostics);
  }

  add(diagnostics: readonly Diagnostic[]): void {
    this.#single.push(...diagnostics);
  }

  error(path: Path, it: Finding): void {
    this.#single.push(finding('error', this.#source, path, it));
  }

  warn(path: Path, it: Finding): void {
    this.#single.push(finding('warning', this.#source, path, it));
  }

  /** What is wrong with what `read` reads. */
  mistakesIn<Result>(read: () => Result): ReadWithMistakes<Result> {
    return mistakesIn(this.#single, read);
  }

  /** One warning for all that have the same rule and message, at the first of them. */
  warnOnce(path: Path, it: Finding): void {
    const key = `${it.rule} ${it.message}`;
    const known = this.#repeated.get(key);
    if (known) known.count += 1;
    else this.#repeated.set(key, { path, it, count: 1 });
  }

  get all(): Diagnostic[] {
    const repeated = [...this.#repeated.values()].map(({ path, it, count }) => {
      const message = count > 1 ? `${it.message} (${count} times)` : it.message;
      return finding('warning', this.#source, path, { ...it, message }, 'key');
    });
    return [...this.#single, ...repeated].sort(compareDiagnostics);
  }
}
