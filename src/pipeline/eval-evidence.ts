/** `aam eval --evidence`: what was run, on what, with which outcome, in one archive. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { ArchiveError } from '../host/archive/archive.ts';
import { UserError } from '../model/errors.ts';
import type { EvidenceManifest } from '../model/evidence.ts';
import type { EvalReport } from '../model/report.ts';
import type { TrialResult } from '../model/trial.ts';
import type { SigningKey } from '../report/evidence/keys.ts';
import { REPORT } from '../report/evidence/kind.ts';
import { type EvidenceFile, packEvidence } from '../report/evidence/pack.ts';
import { checkWritable, writeAtomically } from '../report/write.ts';
import type { EvalOptions } from './eval.ts';
import type { EvalPlan } from './eval-plan.ts';
import { loadSigningKey } from './evidence-keys.ts';
import { findSuiteFiles, type SuiteFiles } from './evidence-suite.ts';

export interface EvidenceOptions {
  /** Absolute path of the archive. */
  readonly file: string;
  /** Absolute path of the private key; null: it is not signed. */
  readonly key: string | null;
}

/** Ready before the first case runs. */
export interface EvidencePlan {
  readonly file: string;
  readonly key: SigningKey | null;
  readonly suite: SuiteFiles;
}

export interface EvidenceWritten {
  readonly file: string;
  readonly manifest: EvidenceManifest;
}

/** Better known before a run than after it: that the archive can be written, signed, and hold what it must. */
export async function prepareEvidence(
  options: EvidenceOptions | null,
  plan: EvalPlan,
): Promise<EvidencePlan | null> {
  if (options === null) return null;
  const { file } = options;
  const key = options.key === null ? null : await loadSigningKey(options.key, options.file, plan);
  await checkWritable(file).catch((error: Error) => {
    throw new UserError(`the evidence archive ${file} cannot be written: ${error.message}`);
  });
  return { file, key, suite: await findSuiteFiles(plan) };
}

export interface FinishedRun {
  readonly report: EvalReport;
  readonly results: ReadonlyMap<string, TrialResult>;
  readonly plan: EvalPlan;
  readonly options: EvalOptions;
  /** Absolute path of the run's folder. */
  readonly folder: string;
  /** Takes keys out of a text. */
  redact(text: string): string;
}

export async function writeEvidence(evidence: EvidencePlan, run: FinishedRun): Promise<EvidenceWritten> {
  const { file, key, suite } = evidence;
  const { report } = run;
  const hidden = hider(run.redact, key);
  const files = [
    generated(REPORT, report),
    generated('config.json', configOf(run)),
    generated('environment.json', environmentOf(report)),
    generated('cases.json', suite.cases),
    ...suite.files.map(({ entry, path, sha256 }) => ({
      path: entry,
      bytes: async () => requireUnchanged(await readFile(path), sha256, entry),
    })),
    ...captures(run),
  ].map(({ path, bytes }): EvidenceFile => ({ path, read: async () => hidden(await bytes()) }));
  const facts = {
    run: report.id,
    timestamp: report.timestamp,
    aam_version: report.environment.aam_version,
  };
  try {
    const { manifest, chunks } = await packEvidence(files, facts, key);
    await writeAtomically(file, chunks);
    return { file, manifest };
  } catch (error) {
    if (!(error instanceof UserError || error instanceof ArchiveError || isSystemError(error))) throw error;
    throw new UserError(
      `the evidence archive ${file} could not be written: ${error.message}`,
      `the report was written, and what finished is in ${run.folder}`,
    );
  }
}

interface Source {
  readonly path: string;
  bytes(): Promise<Buffer>;
}

function generated(path: string, value: unknown): Source {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  return { path, bytes: async () => bytes };
}

function captures({ results, folder }: FinishedRun): Source[] {
  const paths = [...results.values()].flatMap(({ capture }) => (capture === null ? [] : [capture]));
  return paths.map((path) => ({ path, bytes: () => readFile(join(folder, path)) }));
}

function requireUnchanged(bytes: Buffer, sha256: string, entry: string): Buffer {
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new UserError(`${entry} is not what it was when the run began`);
  return bytes;
}

/** As bytes, not as text: a key may also stand in a file that is no text. */
function hider(redact: (text: string) => string, key: SigningKey | null) {
  return (bytes: Buffer) => {
    const text = bytes.toString('latin1');
    const redacted = redact(text);
    const clean = key === null ? redacted : redacted.replaceAll(key.secret, '[key]');
    return clean === text
      ? { bytes, redacted: false }
      : { bytes: Buffer.from(clean, 'latin1'), redacted: true };
  };
}

/** Every setting, wherever it came from. Of variables only the names: their values may be secret. */
function configOf({ report, plan, options }: FinishedRun): object {
  const { command, prices } = plan.settings;
  return {
    ...report.config,
    suite: report.suite,
    sandbox: report.sandbox,
    tape: report.tape,
    command,
    prices,
    selection: options.selection,
    judge_votes: options.judgeVotes,
    judge_all: options.judgeAll,
    no_judge: options.noJudge,
    max_cost_usd: options.maxCostUsd,
    max_tokens: options.maxTokens,
  };
}

function environmentOf({ environment, agent, package: of }: EvalReport): object {
  const { runtime, runtime_version } = agent;
  return {
    ...environment,
    os_release: release(),
    engine: runtime,
    engine_version: runtime_version,
    package: of,
  };
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
