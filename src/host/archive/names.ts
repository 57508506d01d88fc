/** Which names may stand together in an archive. */
import { nameProblem } from '../../model/archive-name.ts';

/** The names of one archive, in the order of their bytes. */
export class NameList {
  readonly #names = new Set<string>();
  readonly #folders = new Set<string>();
  #last = '';

  /** Why the name cannot come next; null: it is taken down. */
  add(name: string): string | null {
    const problem = nameProblem(name);
    if (problem !== null) return problem;
    if (this.#names.has(name)) return 'is there twice';
    if (this.#folders.has(name)) return 'is a file and a folder';
    if (this.#names.size > 0 && compareNames(name, this.#last) < 0) return `comes after ${this.#last}`;
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
      const folder = name.slice(0, end);
      if (this.#names.has(folder)) return `is below ${folder}, which is a file`;
      this.#folders.add(folder);
    }
    this.#names.add(name);
    this.#last = name;
    return null;
  }
}

export function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
