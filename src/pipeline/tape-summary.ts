/** What the report says about tapes. */
import type { EngineName } from '../engine/engines.ts';
import type { EvalReport } from '../model/report.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { type EvalTapes, shownPath } from './tapes.ts';

export function tapeSummary(
  { mode, folder }: Pick<EvalTapes, 'mode' | 'folder'>,
  results: readonly TrialResult[],
  packageRoot: string,
  engine: EngineName,
): EvalReport['tape'] {
  const tapes = results.flatMap(({ tape }) => tape ?? []);
  const sources = [...new Set(tapes.map(({ source }) => source))];
  const source = sources.length > 1 ? 'mixed' : (sources[0] ?? null);
  const [oldest = null] = tapes.map(({ recordedAt }) => recordedAt).sort();
  return {
    mode,
    folder: folder === null ? null : shownPath(packageRoot, folder),
    source,
    recorded_at: oldest,
    note: engine === 'mock' ? MOCKED : noteOf(mode, source, tapes.length),
  };
}

/** Tapes may have been recorded with different ones. */
export function askedModel(trials: readonly Trial[], tapes: EvalTapes): string | null {
  const models = new Set(trials.map((trial) => tapes.model(trial)));
  return models.size === 1 ? ([...models][0] ?? null) : null;
}

const MOCKED =
  'answered by a mock: no agent and no model ran, so this is no evidence about any of them, nor about a skill';

function noteOf(mode: EvalTapes['mode'], source: EvalReport['tape']['source'], count: number): string | null {
  if (mode === 'record') return `recorded ${count === 1 ? '1 tape' : `${count} tapes`}`;
  if (mode === 'off' || source === null) return null;
  return NOTES[source];
}

const NOTES: Readonly<Record<NonNullable<EvalReport['tape']['source']>, string>> = {
  recorded: 'replayed from recorded tapes: the agent ran, the model did not',
  scripted: 'replayed from scripted tapes: shows that the pipeline works, no evidence about the skill',
  mixed:
    'replayed from tapes, some of them scripted: those show that the pipeline works, no evidence about the skill',
};
