/** What a worker answered about a trial. A stranger may have written it. */
import { travelProblem } from '../model/travel/problem.ts';
import { travellingCapture } from '../model/travel/result.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { fetchCapture } from '../queue/captures.ts';
import { isRefusal, type Redis } from '../queue/connection.ts';
import type { DoneEvent } from '../queue/messages.ts';
import type { Redaction } from './redaction.ts';
import type { RunRecords } from './site.ts';
import { undecidedTrial } from './trial.ts';

interface Around {
  readonly redis: Redis;
  readonly records: RunRecords;
  readonly redaction: Redaction;
}

const MAX_CAPTURE = 256 * 1024 * 1024;

/** Keeps the capture. null: the server has lost it. Throws when the server does not give it for now. */
export async function answerOf(
  { result, capture, worker }: DoneEvent,
  trial: Trial,
  { redis, records, redaction }: Around,
): Promise<TrialResult | null> {
  if (result.trial !== trial.id || result.case !== trial.case.name)
    return undecidedTrial(
      trial,
      'internal',
      `the worker ${worker} answered with the result of another trial`,
    );
  if (capture === null) return redaction.value({ ...result, capture: null });
  try {
    const json = await fetchCapture(redis, records.id, capture, MAX_CAPTURE);
    if (json === null) return null;
    const { success, data: read, error } = travellingCapture.safeParse(JSON.parse(json));
    if (!success) throw new Error(travelProblem(error));
    if (read.trial !== trial.id) throw new Error('it is of another trial');
    return redaction.value({ ...result, capture: records.capture(read) });
  } catch (error) {
    if (isRefusal(error)) throw error;
    const warning = `the capture from the worker ${worker} could not be kept: ${(error as Error).message}`;
    return redaction.value({ ...result, capture: null, warnings: [...result.warnings, warning] });
  }
}
