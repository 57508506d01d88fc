/** Files of the package that a command line names. */
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import { normalizePath, pathProblem } from '../../model/names.ts';
import type { Inventory } from '../../model/package.ts';
import { filesBelow } from '../files-below.ts';
import { error, suggestFile } from './report.ts';

interface Expected {
  /** What such files are called, in the plural, and the folder they usually stand in. */
  readonly noun: string;
  readonly folder: string;
  readonly mustRun: boolean;
}

export function* packageFile(
  where: Pick<Located<unknown>, 'file' | 'at'>,
  at: Path,
  word: string,
  files: Inventory,
  { noun, folder, mustRun }: Expected,
): Iterable<Diagnostic> {
  const written = word.replace(/^\$(?:\{PACKAGE_ROOT\}|PACKAGE_ROOT)\//, './');
  // An absolute path is one of the system; a path with variables or wildcards is only known at run time.
  if (written.startsWith('/') || written.startsWith('~') || /[$`*?{}[\]]|\\[^\w]/.test(written)) return;
  const problem = pathProblem(written);
  if (problem) {
    const hint = 'only files of the package are there when it is installed';
    yield error(where, at, 'path-outside', `the path ${JSON.stringify(word)} ${problem}`, hint);
    return;
  }
  const path = normalizePath(written);
  const entry = files.get(path);
  if (!entry || entry.kind === 'missing') {
    const others = filesBelow(files, folder)
      .filter((name) => !name.endsWith('.json') && !name.includes('/tests/'))
      .slice(0, 200);
    yield error(where, at, 'missing-file', `${path} does not exist`, suggestFile(path, others, noun));
  } else if (entry.kind === 'dir') {
    yield error(where, at, 'not-a-file', `${path} is a folder, not a file`);
  } else if (mustRun && !entry.executable) {
    yield error(where, at, 'not-executable', `${path} is not executable`, `chmod +x ${path}`);
  }
}
