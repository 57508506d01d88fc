/** Results and settings for tests of the journal. */
import type { RunRecord } from '../../src/model/run.ts';
import type { TrialResult } from '../../src/model/trial.ts';
import { NO_USAGE } from '../../src/model/usage.ts';
import { Journal, type JournalSetting } from '../../src/pipeline/journal.ts';

export function result(trial: string, more: Partial<TrialResult> = {}): TrialResult {
  return {
    trial,
    case: trial,
    verdict: 'PASS',
    score: null,
    checks: [],
    error: null,
    errorKind: null,
    durationMs: 1,
    usage: NO_USAGE,
    costUsd: null,
    judged: null,
    sessionId: null,
    model: null,
    engineVersion: null,
    output: 'ümlaut, "quotes", \u2028 and more',
    skillsActivated: [],
    warnings: [],
    tape: null,
    capture: null,
    ...more,
  };
}

export const RECORD = { version: 1 } as unknown as RunRecord;

export function setting(more: Partial<JournalSetting> = {}): JournalSetting {
  return {
    toJson: (value, indent) => JSON.stringify(value, null, indent),
    started: performance.now(),
    onFailure: () => {},
    ...more,
  };
}

/** As another process would find it. */
export async function reopened(dir: string, more: Partial<JournalSetting> = {}): Promise<Journal> {
  const lock = { session: 2, [Symbol.dispose]: () => {} };
  return await Journal.reopen('x', dir, lock, setting(more));
}
