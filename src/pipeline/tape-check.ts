/** `aam tape check`: do tapes still match the package? As far as that can be told without running agents. */
import { basename } from 'node:path';
import { ENGINE_PROGRAMS, type EngineId, findEngine } from '../engine/find.ts';
import { parseTape } from '../gateway/tape/read.ts';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import type { TapeHeader } from '../model/tape.ts';
import type { CheckedTape, TapeCheckReport } from '../model/tape-report.ts';
import { planTrials } from '../plan/evals.ts';
import { observeVersion } from './environment.ts';
import type { EvalSource } from './eval-source.ts';
import { withoutAnswers } from './package-copy.ts';
import { findTapes, readTapeFile, type TapeFilesRequest, type TapeShelf } from './tape-files.ts';
import { installedHashes, withoutTapes } from './tape-package.ts';
import { tapeFile } from './tapes.ts';

export async function checkTapes(request: TapeFilesRequest): Promise<TapeCheckReport> {
  const { shelves, shown } = await findTapes(request, (name) => name.endsWith('.jsonl'));
  const versions = await versionsOf(request.host);
  const tapes: CheckedTape[] = [];
  for (const shelf of shelves) {
    const sources = await Promise.all(shelf.sources.map((it) => nowOf(it, request.folder, versions)));
    for (const path of shelf.paths) tapes.push(await checkTape(path, shown(path), sources));
    tapes.push(...sources.flatMap((now) => missing(tapes, now, shelf)));
  }
  const ok = tapes.every(({ state }) => state === 'current');
  return { version: 1, ok, folder: shelves.map(({ folder }) => folder).join(', '), tapes };
}

/** What a tape is compared with. */
interface Now extends Pick<EvalSource, 'suite'> {
  readonly installed: Readonly<Record<string, string>>;
  /** By engine; null: not found, or it does not say. */
  readonly versions: Readonly<Record<string, string | null>>;
}

async function nowOf(
  { pkg, suite }: EvalSource,
  tapes: string | null,
  versions: Now['versions'],
): Promise<Now> {
  const cleaned = withoutAnswers(withoutTapes(pkg, tapes), suite.cases);
  return { suite, versions, installed: await installedHashes(cleaned.pkg, pkg.root) };
}

async function versionsOf(host: Host): Promise<Now['versions']> {
  const engines = Object.keys(ENGINE_PROGRAMS) as EngineId[];
  const versions = engines.map(async (engine) => {
    const program = findEngine(engine, host);
    return [engine, program ? await observeVersion(host, program.path) : null] as const;
  });
  return Object.fromEntries(await Promise.all(versions));
}

const DAY_MS = 86_400_000;

async function checkTape(path: string, shown: string, sources: readonly Now[]): Promise<CheckedTape> {
  try {
    const { header } = parseTape(shown, await readTapeFile(path, shown));
    const now = sourceOf(header, sources);
    const reasons = [...reasonsAgainst(header, basename(path, '.jsonl'), now)];
    return {
      file: shown,
      state: reasons.length === 0 ? 'current' : 'stale',
      reasons,
      case: header.case,
      engine: header.engine,
      engine_version: header.engine_version,
      source: header.source,
      recorded_at: header.recorded_at,
      age_days: Math.max(0, Math.floor((Date.now() - Date.parse(header.recorded_at)) / DAY_MS)),
      models: header.models,
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...NOTHING_KNOWN, file: shown, state: 'damaged', reasons: [error.message] };
  }
}

/** Several eval files may keep their tapes in one folder. */
function sourceOf({ case: name, case_hash: hash }: TapeHeader, sources: readonly Now[]): Now {
  const withCase = sources.filter(({ suite }) => suite.cases.some((it) => it.name === name));
  const same = withCase.find(({ suite }) => suite.cases.some((it) => it.name === name && it.hash === hash));
  return same ?? withCase[0] ?? (sources[0] as Now);
}

const NOTHING_KNOWN = {
  case: null,
  engine: null,
  engine_version: null,
  source: null,
  recorded_at: null,
  age_days: null,
  models: [],
};

function* reasonsAgainst(header: TapeHeader, name: string, { suite, installed, versions }: Now) {
  if (header.trial !== name) yield `this is the tape of ${header.trial}`;
  const its = suite.cases.find((it) => it.name === header.case);
  if (!its) yield `there is no case ${header.case} any more`;
  else if (its.hash !== header.case_hash) yield `${its.file} changed`;
  yield* changes(header.package, installed);
  const judge = suite.settings.judge;
  if (header.judge && header.judge.name !== judge)
    yield `the judge is ${judge ?? 'the model of the agent'}, and was ${header.judge.name ?? 'the model of the agent'}`;
  const version = versions[header.engine] ?? null;
  if (version !== null && header.engine_version !== null && version !== header.engine_version)
    yield `recorded with ${header.engine} ${header.engine_version}, this is ${version}`;
}

const MAX_NAMED = 5;

function changes(then: TapeHeader['package'], now: Now['installed']): string[] {
  const all = [...new Set([...Object.keys(then), ...Object.keys(now)])].sort().flatMap((path) => {
    if (then[path] === now[path]) return [];
    if (then[path] === undefined) return [`${path} is new`];
    return [now[path] === undefined ? `${path} is gone` : `${path} changed`];
  });
  if (all.length <= MAX_NAMED) return all;
  return [...all.slice(0, MAX_NAMED), `and ${all.length - MAX_NAMED} more files`];
}

/** Where one case has a tape with an engine, the others should have one too. */
function missing(tapes: readonly CheckedTape[], { suite }: Now, { folder }: TapeShelf): CheckedTape[] {
  const own = new Set(suite.cases.map(({ name }) => name));
  const engines = tapes.flatMap(({ case: name, engine }) =>
    name && engine && own.has(name) ? [engine] : [],
  );
  const files = new Set(tapes.map(({ file }) => file));
  return [...new Set(engines)]
    .sort()
    .flatMap((engine) => planTrials(suite.cases, { engine, runs: 1, baseline: false }))
    .map((trial) => ({ trial, file: tapeFile(folder, trial.id) }))
    .filter(({ file }) => !files.has(file))
    .map(({ trial, file }) => ({
      ...NOTHING_KNOWN,
      file,
      state: 'missing',
      reasons: ['there is no such tape'],
      case: trial.case.name,
      engine: trial.engine,
    }));
}
