/** A trial as it waits in the queue for a worker. */
import type { Case } from '../model/case.ts';
import { travelProblem } from '../model/travel/problem.ts';
import type { Trial } from '../model/trial.ts';
import { type TrialJob, trialJob } from '../queue/messages.ts';
import type { RunRecords } from './site.ts';

export interface JobSetting {
  readonly records: Pick<RunRecords, 'id' | 'session'>;
  readonly bundle: { readonly sha256: string; travelling(it: Case): Case };
}

/** `problem`: why it cannot travel. */
export function jobOf(
  { case: asked, ...trial }: Trial,
  { records, bundle }: JobSetting,
): TrialJob | { readonly problem: string } {
  const { success, data, error } = trialJob.safeParse({
    version: 1,
    run: records.id,
    session: records.session,
    bundle: bundle.sha256,
    trial: { ...trial, case: bundle.travelling(asked) },
  });
  return success ? data : { problem: travelProblem(error) };
}
