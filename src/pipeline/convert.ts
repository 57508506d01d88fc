/** `aam convert`: from one format of eval files to another. */
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { writeEvalsJson } from '../load/formats/agent-skills/write.ts';
import { writeEvalYaml } from '../load/formats/agentv/write.ts';
import { writeUaapsCases } from '../load/formats/uaaps/write.ts';
import { FORMATS, type FormatName } from '../load/formats.ts';
import type { Loss } from '../load/written.ts';
import type { Case } from '../model/case.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import { writeAtomically } from '../report/write.ts';
import { type EvalSource, loadSource } from './eval-source.ts';

export type ConvertTarget = 'eval-yaml' | 'evals-json' | 'uaaps';

export interface ConvertOptions {
  readonly path: string;
  readonly host: Pick<Host, 'cwd' | 'env'>;
  /** As written; null: standard output. */
  readonly output: string | null;
  /** null: as the ending of the output says, else the other one of the two. */
  readonly to: ConvertTarget | null;
  /** Replace what is there. */
  readonly force: boolean;
}

export interface Conversion {
  readonly to: ConvertTarget;
  readonly cases: number;
  /** What was written, relative to the working folder. */
  readonly files: readonly string[];
  /** What is to be printed; null: it is in files. */
  readonly text: string | null;
  readonly losses: readonly Loss[];
  readonly warnings: readonly Diagnostic[];
}

export async function convert({ path, host, output, to, force }: ConvertOptions): Promise<Conversion> {
  const { cwd } = host;
  const source = await loadSource(path, host);
  if (source.loaded === null)
    throw new UserError(
      `${path} is a package with cases of its own: only eval files are converted`,
      'give an evals.json or an EVAL.yaml',
    );
  refuseMistakes(source, path);
  const target = to ?? targetOf(output, source.format);
  const { cases } = source.suite;
  const done = { to: target, cases: cases.length, warnings: source.loaded.diagnostics };
  if (target === 'uaaps') {
    const written = await writeCases(cases, output, cwd, force);
    return { ...done, ...written, losses: [...written.losses, ...unwritten(source)] };
  }
  const about = { skill: skillOf(source), origin: TITLES[source.format] };
  const made = (target === 'eval-yaml' ? writeEvalYaml : writeEvalsJson)(cases, about);
  const { text } = made;
  const losses = [...made.losses, ...unwritten(source)];
  refuseEmpty(cases, losses);
  if (output === null) return { ...done, files: [], text, losses };
  const file = resolve(cwd, output);
  await refuseExisting([file], cwd, force);
  await mkdir(dirname(file), { recursive: true });
  await writeAtomically(file, text);
  const read = await FORMATS[target === 'eval-yaml' ? 'agentv' : 'agent-skills'].read(file);
  return {
    ...done,
    files: [relative(cwd, file)],
    text: null,
    losses: [...losses, ...elsewhere(cases, read.suite.cases)],
  };
}

/** What the file says about its runs, which is in no case. */
function unwritten({ loaded, suite: { settings } }: EvalSource): Loss[] {
  const targets = new Set([...(loaded?.targetsOf?.values() ?? [])].flat());
  const lost = [
    ...(targets.size > 0
      ? [`who is asked (${[...targets].join(', ')}) is not written: choose with --target`]
      : []),
    ...(loaded?.targetsOf && settings.runs > 1
      ? [`the ${settings.runs} trials of each case are not written: ask for them with --runs`]
      : []),
    ...(settings.maxCostUsd === undefined
      ? []
      : ['the limit of the cost is not written: use --max-cost-usd']),
  ];
  return lost.map((what) => ({ case: null, kind: 'changed', what }));
}

const TITLES: Readonly<Record<EvalSource['format'], string>> = {
  ...(Object.fromEntries(Object.entries(FORMATS).map(([name, { title }]) => [name, title])) as Record<
    FormatName,
    string
  >),
  uaaps: 'a package',
};

function targetOf(output: string | null, from: EvalSource['format']): ConvertTarget {
  const other = from === 'agentv' ? 'evals-json' : 'eval-yaml';
  if (output === null) return other;
  const ending = extname(output).toLowerCase();
  if (ending === '.json') return 'evals-json';
  if (ending === '.yaml' || ending === '.yml') return 'eval-yaml';
  throw new UserError(
    `the ending of ${output} does not say what to write`,
    'end it with .yaml or .json, or name the format:  --to eval-yaml, evals-json or uaaps',
  );
}

function refuseMistakes({ loaded }: EvalSource, path: string): void {
  const mistakes = (loaded?.diagnostics ?? []).filter(
    ({ severity, rule }) => severity === 'error' && rule !== 'file_copy_error',
  );
  const [first] = mistakes;
  if (!first) return;
  throw new UserError(
    `${path} has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}, so it would not arrive whole`,
    ...mistakes
      .slice(0, 10)
      .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`),
    `see all:  aam validate ${path}`,
  );
}

function refuseEmpty(cases: readonly Case[], losses: readonly Loss[]): void {
  const left = losses.filter(({ kind }) => kind === 'left-out');
  if (left.length < cases.length) return;
  throw new UserError(
    'no case can be said in that format',
    ...left.slice(0, 10).map((it) => `${it.case}: ${it.what}`),
  );
}

async function writeCases(cases: readonly Case[], output: string | null, cwd: string, force: boolean) {
  if (output === null)
    throw new UserError(
      'cases of a package are files of their own, so a folder is needed',
      'name the evals folder of the package:  -o my-package/evals',
    );
  const folder = resolve(cwd, output);
  const evals = basename(folder) === 'cases' ? dirname(folder) : folder;
  const { files, fixtures, losses } = writeUaapsCases(cases);
  refuseEmpty(cases, losses);
  const all = [...files, ...fixtures].map(({ path }) => join(evals, path));
  await refuseExisting(all, cwd, force);
  for (const path of new Set(all.map(dirname))) await mkdir(path, { recursive: true });
  for (const { path, text } of files) await writeAtomically(join(evals, path), text);
  for (const { from, path } of fixtures) await copyFile(from, join(evals, path));
  return { files: all.map((path) => relative(cwd, path)), text: null, losses };
}

async function refuseExisting(files: readonly string[], cwd: string, force: boolean): Promise<void> {
  if (force) return;
  for (const file of files)
    if (await stat(file).catch(() => null))
      throw new UserError(`${relative(cwd, file)} exists already`, 'replace it:  --force');
}

function skillOf({ pkg, suite }: EvalSource): string | null {
  const targets = new Set(suite.cases.map(({ target }) => target));
  const [only] = targets;
  if (targets.size === 1 && only?.startsWith('skill:')) return only.slice('skill:'.length);
  return pkg.skills.length === 1 ? (pkg.skills[0]?.name ?? null) : null;
}

/** Files are found from where the eval file stands. */
function elsewhere(before: readonly Case[], after: readonly Case[]): Loss[] {
  return after.flatMap((it): Loss[] => {
    const same = before.find(({ name }) => name === it.name);
    if (it.fault === null || same?.fault) return [];
    return [{ case: it.name, kind: 'changed', what: `from its new place ${it.fault.error}` }];
  });
}
