/** Recording: the traffic of each trial that was decided becomes a tape. */
import type { TapeRecorder } from '../gateway/tape/recorder.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { writeAtomically } from '../report/write.ts';
import { observeVersion } from './environment.ts';
import { installedHashes } from './tape-package.ts';
import {
  type EvalTapes,
  promptsOf,
  shownPath,
  type TapeJudge,
  type TapesRequest,
  type TapesSetting,
  tapeFile,
} from './tapes.ts';

export function recordTapes(request: TapesRequest, folder: string): (setting: TapesSetting) => EvalTapes {
  const { plan, host, program, model } = request;
  const version = program === null ? Promise.resolve(null) : observeVersion(host, program);
  return ({ gateway, packageCopy, places }) => {
    const installed = installedHashes(plan.pkg, packageCopy);
    // Looked at when the first trial is over; until then its failure must not end the program.
    installed.catch(() => {});
    const recorders = new Map<string, Recording>();
    const of = ({ id, case: it }: Trial) => {
      const known = recorders.get(id);
      if (known) return known;
      if (!gateway) throw new Error('there is no gateway to record');
      const own = [...places];
      const recorder = gateway.recorder({ places: own, prompts: promptsOf(it) });
      const fresh: Recording = { recorder, places: own, judge: null };
      recorders.set(id, fresh);
      return fresh;
    };
    return {
      mode: 'record',
      folder,
      source: request.tape.source,
      door: (trial) => ({ record: of(trial).recorder }),
      model: () => model,
      judgedBy(trial, judge) {
        of(trial).judge = { name: plan.settings.judge, ...judge };
      },
      judge: () => null,
      miss: () => {},
      place: (trial, folders) => void of(trial).places.unshift(...folders),
      async run(trial, work) {
        const result = await work();
        if (trial.case.fault !== null) return result;
        const { recorder, judge } = of(trial);
        recorders.delete(trial.id);
        const why = whyNone(result);
        if (why !== null) return withoutTape(result, why);
        const recordedAt = new Date().toISOString();
        const tape = recorder.finish({
          source: request.tape.source,
          recorded_at: recordedAt,
          trial: trial.id,
          case: trial.case.name,
          case_hash: trial.case.hash,
          engine: trial.engine,
          engine_version: result.engineVersion ?? (await version),
          model,
          judge,
          aam_version: request.version,
          package: await installed,
        });
        if ('problem' in tape) return withoutTape(result, tape.problem);
        const path = tapeFile(folder, trial.id);
        const failed = await writeAtomically(path, tape.text).catch((error: Error) => error.message);
        if (typeof failed === 'string') return withoutTape(result, failed);
        const file = shownPath(plan.home, path);
        const gaps = recorder.gaps === 0 ? [] : [gapWarning(file, recorder.gaps)];
        return {
          ...result,
          warnings: [...result.warnings, ...gaps],
          tape: { file, source: request.tape.source, recordedAt },
        };
      },
      warnings: async () => [],
    };
  };
}

interface Recording {
  readonly recorder: TapeRecorder;
  readonly places: string[];
  judge: TapeJudge | null;
}

/** A tape of a trial that the harness failed would repeat nothing but that. */
function whyNone({ verdict, errorKind }: TrialResult): string | null {
  return verdict !== 'SKIP' || errorKind === 'no-judge' ? null : `the case is undecided (${errorKind})`;
}

function withoutTape(result: TrialResult, why: string): TrialResult {
  return { ...result, notTaped: why };
}

function gapWarning(file: string, gaps: number): string {
  const requests = gaps === 1 ? '1 request' : `${gaps} requests`;
  return `${file} has no answer to ${requests} that the model did not answer whole: a replay misses there`;
}
