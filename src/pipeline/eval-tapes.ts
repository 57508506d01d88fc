/** What a run has to do with tapes: it records some, replays some, or knows of none. */
import { join } from 'node:path';
import { PrerequisiteError, UserError } from '../model/errors.ts';
import { checkWritable } from '../report/write.ts';
import { type EvalTapes, type TapesRequest, type TapesSetting, tapeFolder } from './tapes.ts';
import { recordTapes } from './tapes-record.ts';
import { replayTapes } from './tapes-replay.ts';

/** To be called before anything runs: throws when the tapes that are asked for cannot be had. */
export async function prepareTapes(request: TapesRequest): Promise<(setting: TapesSetting) => EvalTapes> {
  const { plan, tape } = request;
  if (tape.mode === 'off') return () => noTapes(request.model);
  if (plan.engine.provider === null) {
    throw new UserError(
      `--tape ${tape.mode} does not go with the engine ${plan.engineName}: it brings its own model, so aam sees no traffic`,
      'leave out --tape, or choose another engine:  --engine claude-code',
    );
  }
  const folder = tapeFolder(plan.home, tape.folder);
  if (tape.mode === 'replay') return replayTapes(request, folder);
  await checkWritable(join(folder, 'tape.jsonl')).catch((error: Error) => {
    throw new PrerequisiteError(`tapes cannot be written to ${folder}: ${error.message}`);
  });
  return recordTapes(request, folder);
}

function noTapes(model: string | null): EvalTapes {
  return {
    mode: 'off',
    folder: null,
    source: null,
    door: () => null,
    model: () => model,
    judgedBy: () => {},
    judge: () => null,
    miss: () => {},
    place: () => {},
    run: (_, work) => work(),
    warnings: async () => [],
  };
}
