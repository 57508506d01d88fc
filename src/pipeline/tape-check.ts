/** `aam tape check`: do tapes still match the package? As far as that can be told without running agents. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ENGINE_PROGRAMS, type EngineId, findEngine } from '../engine/find.ts';
import { parseTape } from '../gateway/tape/read.ts';
import { readSuite } from '../load/formats/uaaps/suite.ts';
import type { Suite } from '../model/case.ts';
import { UserError } from '../model/errors.ts';
import type { Host } from '../model/host.ts';
import type { TapeHeader } from '../model/tape.ts';
import type { CheckedTape, TapeCheckReport } from '../model/tape-report.ts';
import { planTrials } from '../plan/evals.ts';
import { observeVersion } from './environment.ts';
import { withoutAnswers } from './package-copy.ts';
import { findTapes } from './tape-files.ts';
import { installedHashes } from './tape-package.ts';
import { tapeFile } from './tapes.ts';

export interface TapeCheckRequest {
  readonly host: Host;
  /** Absolute; null: evals/tapes of the package. */
  readonly folder: string | null;
}

export async function checkTapes({ host, folder }: TapeCheckRequest): Promise<TapeCheckReport> {
  const found = await findTapes(host, folder);
  const suite = readSuite(found.pkg);
  const now: Now = {
    suite,
    installed: await installedHashes(withoutAnswers(found.pkg, suite.cases).pkg, found.pkg.root),
    versions: await versionsOf(host),
  };
  const tapes: CheckedTape[] = [];
  for (const path of found.paths) tapes.push(await checkTape(path, found.shown(path), now));
  const all = [...tapes, ...missing(tapes, suite, found.folder)];
  return { version: 1, ok: all.every(({ state }) => state === 'current'), folder: found.folder, tapes: all };
}

/** What a tape is compared with. */
interface Now {
  readonly suite: Suite;
  readonly installed: Readonly<Record<string, string>>;
  /** By engine; null: not found, or it does not say. */
  readonly versions: Readonly<Record<string, string | null>>;
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

async function checkTape(path: string, shown: string, now: Now): Promise<CheckedTape> {
  try {
    const { header } = parseTape(shown, await readFile(path, 'utf8'));
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
function missing(tapes: readonly CheckedTape[], { cases }: Suite, folder: string): CheckedTape[] {
  const engines = [...new Set(tapes.flatMap(({ engine }) => engine ?? []))].sort();
  const files = new Set(tapes.map(({ file }) => file));
  return engines
    .flatMap((engine) => planTrials(cases, { engine, runs: 1, baseline: false }))
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
