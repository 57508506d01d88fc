/** A report with the captures of its trials, cut to what a page can hold: what did not pass comes first. */
import type { EvalCaseRecord, EvalReport, EvalTrialRecord } from '../../model/report.ts';
import type {
  CaptureEntry,
  TrialDetails,
  ViewerCase,
  ViewerJudge,
  ViewerRun,
  ViewerTrial,
} from '../../model/viewer.ts';
import { byteLength } from './bytes.ts';
import { viewCapture } from './capture.ts';
import { cutLine } from './cut.ts';

export interface RunRequest {
  readonly report: EvalReport;
  /** What the file of a capture holds, by the path the report has for it. Throws with a reason for people. */
  readonly readCapture: (path: string) => Promise<unknown>;
  /** Cases that matter most; the others come after them. */
  readonly first?: ReadonlySet<string>;
  /** Share of the page that this run may take. */
  readonly share?: number;
}

/** What a browser opens without a pause worth mentioning. */
const DETAILS_BYTES = 16 * 1024 * 1024;
const CAPTURES_BYTES = 24 * 1024 * 1024;

const NO_ROOM = 'left out to keep this page small';

export async function viewRun({ report, readCapture, first, share = 1 }: RunRequest): Promise<ViewerRun> {
  const { cases, ...rest } = report;
  const viewed = cases.map(bareCase);
  const room = { details: DETAILS_BYTES * share, captures: CAPTURES_BYTES * share };
  for (const { caseIndex, trialIndex, trial } of byImportance(cases, first)) {
    const trials = viewed[caseIndex]?.trials;
    const bare = trials?.[trialIndex];
    if (!trials || !bare) continue;
    const { entry, bytes } = await captureEntry(trial, readCapture, room.captures);
    room.captures -= bytes;
    const details = detailsOf(trial, entry.state !== 'here');
    const detailBytes = byteLength(details);
    const fits = detailBytes <= room.details;
    if (fits) room.details -= detailBytes;
    trials[trialIndex] = { ...bare, details: fits ? details : null, capture: entry };
  }
  return { report: rest, cases: viewed };
}

type Growing = Omit<ViewerCase, 'trials'> & { readonly trials: ViewerTrial[] };

function bareCase(it: EvalCaseRecord): Growing {
  const trials = trialsOf(it);
  const decisive = trials.findIndex(({ trial }) => trial === it.trial);
  return {
    name: it.name,
    target: it.target,
    verdict: it.verdict,
    duration_seconds: it.duration_seconds,
    ...(it.error !== undefined && { error: cutLine(it.error, 4_000) }),
    ...(it.error_kind !== undefined && { error_kind: it.error_kind }),
    description: it.description,
    file: it.file,
    line: it.line,
    warnings: it.warnings,
    statistics: it.statistics,
    baseline: it.baseline,
    decisive: Math.max(0, decisive),
    trials: trials.map(({ trial, arm, repetition, verdict, duration_seconds }) => ({
      trial,
      arm,
      repetition,
      verdict,
      duration_seconds,
      details: null,
      capture: { state: 'left-out', why: NO_ROOM },
    })),
  };
}

/** A case whose trials are not recorded is itself the record of its one trial. */
function trialsOf(it: EvalCaseRecord): readonly EvalTrialRecord[] {
  return it.trials.length > 0 ? it.trials : [{ ...it, arm: 'with', repetition: 1 }];
}

interface Ranked {
  readonly caseIndex: number;
  readonly trialIndex: number;
  readonly trial: EvalTrialRecord;
  readonly rank: number;
}

/** Cases that did not pass before those that did; in a case the trial that stands for it first. */
function byImportance(cases: readonly EvalCaseRecord[], first?: ReadonlySet<string>): Ranked[] {
  const ranked = cases.flatMap((it, caseIndex) => {
    const caseRank = (first && !first.has(it.name) ? 10 : 0) + (it.verdict === 'PASS' ? 5 : 0);
    return trialsOf(it).map((trial, trialIndex): Ranked => {
      const differs = trial.verdict === it.verdict ? 1 : 0;
      return {
        caseIndex,
        trialIndex,
        trial,
        rank: caseRank + (trial.trial === it.trial ? 0 : trial.arm === 'with' ? 1 + differs : 3),
      };
    });
  });
  return ranked.sort((a, b) => a.rank - b.rank || a.caseIndex - b.caseIndex || a.trialIndex - b.trialIndex);
}

async function captureEntry(
  { capture: path }: EvalTrialRecord,
  readCapture: RunRequest['readCapture'],
  room: number,
): Promise<{ entry: CaptureEntry; bytes: number }> {
  if (path === null) return { entry: { state: 'none' }, bytes: 0 };
  const leftOut = (why: string, bytes = 0) => ({ entry: { state: 'left-out', why } as const, bytes });
  if (room <= 0) return leftOut(NO_ROOM);
  let value: unknown;
  try {
    value = await readCapture(path);
  } catch (error) {
    return leftOut((error as Error).message);
  }
  const viewed = viewCapture(value);
  if (!viewed) return leftOut(`${path} is no capture that aam can read`);
  // The first that does not fit ends it: a page with captures here and there would look like chance.
  if (viewed.bytes > room) return leftOut(NO_ROOM, room);
  return { entry: { state: 'here', capture: viewed.capture }, bytes: viewed.bytes };
}

function detailsOf(trial: EvalTrialRecord, withSnippet: boolean): TrialDetails {
  return {
    ...(trial.error !== undefined && { error: trial.error }),
    ...(trial.error_kind !== undefined && { error_kind: trial.error_kind }),
    agent: trial.agent,
    usage: trial.usage,
    cost_usd: trial.cost_usd,
    ...(trial.score !== undefined && { score: trial.score }),
    warnings: trial.warnings,
    tape: trial.tape,
    checks: checksOf(trial),
    ...(trial.groups && { groups: trial.groups }),
    judge: judgeOf(trial.judge_verdict),
    skills: trial.skills_activated,
    snippet: withSnippet ? trial.agent_output_snippet : null,
  };
}

function checksOf({ check_details, deterministic_checks }: EvalTrialRecord): TrialDetails['checks'] {
  if (check_details.length > 0) return check_details;
  return Object.entries(deterministic_checks).map(([check, verdict]) => ({ check, verdict, message: '' }));
}

function judgeOf(judge: EvalTrialRecord['judge_verdict']): ViewerJudge | null {
  if (judge === null) return null;
  const { result, reason, model, transport, criteria, votes, cost_usd } = judge;
  return {
    result,
    reason,
    model,
    transport,
    criteria,
    votes: votes.map(({ state, model: answered, error }) => ({ state, model: answered, error })),
    cost_usd,
  };
}
