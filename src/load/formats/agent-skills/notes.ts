/** Findings about one file. What is said of many cases alike is said once, with their number. */
import { compareDiagnostics, type Diagnostic, finding, type Path } from '../../../model/diagnostic.ts';
import type { Source } from '../../source.ts';

export interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly hint?: string;
}

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

  /** What is wrong with the case that `read` reads, beyond files that are missing. */
  mistakesIn<Result>(read: () => Result): {
    readonly result: Result;
    readonly mistakes: readonly Diagnostic[];
  } {
    const before = this.#single.length;
    const result = read();
    const found = this.#single.slice(before);
    return {
      result,
      mistakes: found.filter((it) => it.severity === 'error' && it.rule !== 'file_copy_error'),
    };
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
