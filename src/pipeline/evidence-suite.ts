/** The files that the cases of a run come from, as evidence keeps them. */
import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { nameProblem } from '../model/archive-name.ts';
import type { Case } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import { EVIDENCE } from '../report/evidence/kind.ts';
import type { EvalPlan } from './eval-plan.ts';

export interface SuiteFiles {
  readonly files: readonly SuiteFile[];
  readonly cases: readonly CaseIndex[];
}

interface SuiteFile {
  /** In the archive. */
  readonly entry: string;
  /** Absolute. */
  readonly path: string;
  /** At the beginning of the run. */
  readonly sha256: string;
}

/** Which entries of the archive belong to a case. */
interface CaseIndex {
  readonly name: string;
  readonly hash: string;
  readonly line: number;
  /** null: the file was not there. */
  readonly definition: string | null;
  readonly sources: readonly (string | null)[];
  readonly files: readonly { readonly to: string; readonly entry: string | null }[];
}

/** Of the cases that are run, no others. */
export async function findSuiteFiles({ home, trials }: EvalPlan): Promise<SuiteFiles> {
  const cases = [...new Set(trials.map((trial) => trial.case))];
  const homes = [home, await realpath(home)];
  const found = new Map<string, SuiteFile | null>();
  for (const path of new Set(cases.flatMap((it) => pathsOf(it, home))))
    found.set(path, await suiteFile(path, homes));
  const entryOf = (path: string | null) => (path === null ? null : (found.get(path)?.entry ?? null));
  const files = new Map([...found.values()].flatMap((it) => (it ? [[it.entry, it]] : [])));
  return {
    files: [...files.values()],
    cases: cases.map((it) => ({
      name: it.name,
      hash: it.hash,
      line: it.line,
      definition: entryOf(join(home, it.file)),
      sources: (it.sources ?? []).map(entryOf),
      files: it.files.map(({ from, to }) => ({ to, entry: entryOf(from) })),
    })),
  };
}

function pathsOf({ file, sources, files }: Case, home: string): string[] {
  const given = files.flatMap(({ from }) => (from === null ? [] : [from]));
  return [join(home, file), ...(sources ?? []), ...given];
}

/** null: there is no such file, which the case itself says. */
async function suiteFile(path: string, homes: readonly string[]): Promise<SuiteFile | null> {
  const stats = await stat(path).catch(() => null);
  if (!stats?.isFile()) return null;
  const { entryBytes } = EVIDENCE.limits;
  if (stats.size > entryBytes)
    throw new UserError(`${path} is too large for an evidence archive: ${entryBytes / 2 ** 20} MiB at most`);
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  const inside = homes.map((home) => relative(home, path)).find((it) => !it.startsWith('..'));
  // Where a file of the machine lies is nobody's business.
  const entry = inside
    ? `suite/${inside.split(sep).join('/')}`
    : `suite-elsewhere/${sha256.slice(0, 12)}/${basename(path)}`;
  const problem = nameProblem(entry);
  if (problem !== null) throw new UserError(`${path} cannot be in an evidence archive: its name ${problem}`);
  return { entry, path, sha256 };
}
