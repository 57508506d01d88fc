/** Finds and reads what an eval run is about: a package with its own cases, or an eval file and its skill. */
import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { discoverPackage } from '../load/discover.ts';
import type { LoadedSuite } from '../load/format.ts';
import { readPackage } from '../load/formats/uaaps/package.ts';
import { readSuite } from '../load/formats/uaaps/suite.ts';
import { FORMATS, type FormatName, formatOf, usualFile } from '../load/formats.ts';
import type { Suite } from '../model/case.ts';
import { type Diagnostic, fileFinding } from '../model/diagnostic.ts';
import { UserError } from '../model/errors.ts';
import type { EvaluatorName } from '../model/evaluators.ts';
import type { Host } from '../model/host.ts';
import type { AgentPackage } from '../model/package.ts';
import { checkPackage } from '../package/rules.ts';
import { withEqualParts } from '../plan/equal-parts.ts';

export interface EvalSource {
  readonly format: FormatName | 'uaaps';
  /** The eval file, relative to home; null: the cases of a package. */
  readonly file: string | null;
  /** Absolute. Reports and `.aam` go below it, and paths of cases are relative to it. */
  readonly home: string;
  readonly pkg: AgentPackage;
  readonly suite: Suite;
  /** About the package alone, with its cases where it has them. */
  readonly findings: readonly Diagnostic[];
  /** About the eval file; null: the cases of a package. */
  readonly loaded: LoadedSuite | null;
}

/**
 * `path`: a file or a folder; null: the package around the working folder. `evaluator`: the one that decides every case,
 * in formats that know several.
 */
export async function loadSource(
  path: string | null,
  { cwd, env }: Pick<Host, 'cwd' | 'env'>,
  evaluator: EvaluatorName | null = null,
): Promise<EvalSource> {
  const source = await load(path, cwd, env, evaluator);
  if (evaluator !== null && source.format !== 'agentcarousel')
    throw new UserError(
      `--evaluator chooses how cases of fixtures are decided, and ${path ?? 'this package'} is no fixture`,
    );
  const suite = { ...source.suite, cases: withEqualParts(source.suite.cases) };
  return { ...source, suite, loaded: source.loaded && { ...source.loaded, suite } };
}

async function load(
  path: string | null,
  cwd: string,
  env: Host['env'],
  evaluator: EvaluatorName | null,
): Promise<EvalSource> {
  const absolute = resolve(cwd, path ?? '.');
  const stats = await stat(absolute).catch(() => null);
  if (!stats)
    throw new UserError(`${path} does not exist`, 'give an eval file, or the folder of a skill or package');
  const read = (file: string, written: string) => readFile(file, written, env, evaluator);
  if (!stats.isDirectory()) return await read(absolute, path ?? absolute);
  const around = await discoverPackage(absolute, cwd).catch((error: Error) => error);
  const pkg = around instanceof Error ? null : await readPackage(around.root);
  if (pkg && hasCases(pkg)) return ofPackage(pkg);
  const file = (await usualFile(absolute)) ?? (pkg && (await usualFile(pkg.root)));
  if (file) return await read(file, relative(cwd, file));
  if (around instanceof Error) throw around;
  return ofPackage(pkg ?? (await readPackage(around.root)));
}

async function readFile(
  file: string,
  written: string,
  env: Host['env'],
  evaluator: EvaluatorName | null,
): Promise<EvalSource> {
  const format = formatOf(file);
  if (format === null) {
    const known = Object.values(FORMATS).map(({ title }) => title);
    throw new UserError(
      `${written} is no eval file that aam knows`,
      `known are: ${known.join(', ')}`,
      'cases of a package are chosen by their names:  aam eval <name>',
    );
  }
  const loaded = await FORMATS[format].read(file, env, evaluator ?? undefined);
  const { home, pkg, suite } = loaded;
  return {
    format,
    file: relative(home, file),
    home,
    pkg,
    suite,
    findings: skillFindings(pkg, home),
    loaded,
  };
}

async function ofPackage(pkg: AgentPackage): Promise<EvalSource> {
  const suite = readSuite(pkg);
  const findings = checkPackage(pkg);
  return { format: 'uaaps', file: null, home: pkg.root, pkg, suite, findings, loaded: null };
}

/** Also cases that could not be read are cases. */
function hasCases({ evals, files }: AgentPackage): boolean {
  return evals.cases.length > 0 || files.get(`${evals.dir}/cases`)?.kind === 'dir';
}

/**
 * Skills that people wrote without aam need not please all its rules: only what keeps an agent from loading the skill
 * counts as an error.
 */
function skillFindings(pkg: AgentPackage, home: string): Diagnostic[] {
  const unloadable = pkg.skills.filter(({ frontmatter }) => frontmatter === null).map(({ file }) => file);
  const own = checkPackage(pkg).filter(({ file }) => !/(?:^|\/)(?:tests|evals\/cases)\//.test(file));
  const told = own.map((it): Diagnostic => {
    const severity = it.severity === 'error' && unloadable.includes(it.file) ? 'error' : 'warning';
    return { ...it, severity };
  });
  const nameless = pkg.skills
    .filter(({ name }) => !/^[a-z0-9][a-z0-9._-]*$/i.test(name))
    .map(({ file, name }) =>
      fileFinding('error', file, {
        rule: 'skill-name',
        message: `the skill cannot be installed: ${JSON.stringify(name)} cannot be the name of a folder`,
      }),
    );
  return [...told, ...nameless].map((it) => ({ ...it, file: relative(home, join(pkg.root, it.file)) }));
}
