/** What the report says about tapes. */
import type { EngineName } from '../engine/engines.ts';
import type { EvalReport } from '../model/report.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { type EvalTapes, shownPath } from './tapes.ts';

export function tapeSummary(
  { mode, folder, source: given }: Pick<EvalTapes, 'mode' | 'folder' | 'source'>,
  results: readonly TrialResult[],
  packageRoot: string,
  engine: EngineName,
): EvalReport['tape'] {
  const tapes = results.flatMap(({ tape }) => tape ?? []);
  const sources = [...new Set(tapes.map(({ source }) => source))];
  const source = sources.length > 1 ? 'mixed' : (sources[0] ?? given);
  const [oldest = null] = tapes.map(({ recordedAt }) => recordedAt).sort();
  const notKept = results.filter((it) => it.notTaped !== undefined).length;
  return {
    mode,
    folder: folder === null ? null : shownPath(packageRoot, folder),
    source,
    recorded_at: oldest,
    note:
      engine === 'mock'
        ? MOCKED
        : mode === 'record'
          ? recordNote(tapes.length, notKept, source)
          : replayNote(mode, source),
    ...(mode === 'record' && { not_kept: notKept }),
  };
}

/** Why tapes that were asked for are not there, whatever became of their cases. */
export function notTapedWarnings(results: readonly TrialResult[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { trial, notTaped } of results) {
    if (notTaped !== undefined) byReason.set(notTaped, [...(byReason.get(notTaped) ?? []), trial]);
  }
  return [...byReason].map(([why, trials]) => {
    const more = trials.length > MAX_NAMED ? ` and ${trials.length - MAX_NAMED} more` : '';
    return `no tape was written of ${trials.slice(0, MAX_NAMED).join(', ')}${more}: ${why}`;
  });
}

const MAX_NAMED = 3;

/** Tapes may have been recorded with different ones. */
export function askedModel(trials: readonly Trial[], tapes: EvalTapes): string | null {
  const models = new Set(trials.map((trial) => tapes.model(trial)));
  return models.size === 1 ? ([...models][0] ?? null) : null;
}

const MOCKED =
  'answered by a mock: no agent and no model ran, so this is no evidence about any of them, nor about a skill';

function recordNote(kept: number, notKept: number, source: EvalReport['tape']['source']): string {
  const all = kept + notKept;
  const tapes = `${notKept === 0 ? '' : `${kept} of `}${all === 1 ? '1 tape' : `${all} tapes`}`;
  return source === 'scripted'
    ? `recorded ${tapes} as scripted: a person wrote the answers, so the run is no evidence about the skill`
    : `recorded ${tapes}`;
}

function replayNote(mode: EvalTapes['mode'], source: EvalReport['tape']['source']): string | null {
  return mode === 'off' || source === null ? null : NOTES[source];
}

const NOTES: Readonly<Record<NonNullable<EvalReport['tape']['source']>, string>> = {
  recorded: 'replayed from recorded tapes: the agent ran, the model did not',
  scripted: 'replayed from scripted tapes: shows that the pipeline works, no evidence about the skill',
  mixed:
    'replayed from tapes, some of them scripted: those show that the pipeline works, no evidence about the skill',
};
