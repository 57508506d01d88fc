/** Replaying: the model's answers come from the tapes, and a request without one leaves its trial undecided. */
import { lstatSync } from 'node:fs';
import { TapePlayer } from '../gateway/tape/player.ts';
import { parseTape } from '../gateway/tape/read.ts';
import { PrerequisiteError, UserError } from '../model/errors.ts';
import type { Tape } from '../model/tape.ts';
import type { Trial, TrialResult } from '../model/trial.ts';
import { observeVersion } from './environment.ts';
import { evalCommand } from './eval-command.ts';
import { readTapeFile } from './tape-files.ts';
import {
  type EvalTapes,
  promptsOf,
  recordCommand,
  shownPath,
  type TapesRequest,
  type TapesSetting,
  tapeFile,
} from './tapes.ts';
import { undecidedTrial } from './trial.ts';

/** Throws a UserError for a tape that cannot be read, a PrerequisiteError when there is none at all. */
export async function replayTapes(
  request: TapesRequest,
  folder: string,
): Promise<(setting: TapesSetting) => EvalTapes> {
  const { plan, host, program } = request;
  const { strict } = request.tape;
  const tapes = await readTapes(request, folder);
  if (tapes.size === 0 && plan.trials.length > 0) {
    const where = shownPath(plan.home, folder);
    throw new PrerequisiteError(
      `there are no tapes of these cases with ${plan.engineName} in ${where}`,
      `record them, with a model:  ${evalCommand(request, { engine: plan.engineName, tape: 'record' })}`,
    );
  }
  const version = new EngineVersion(program === null ? Promise.resolve(null) : observeVersion(host, program));
  const again = (trial: Trial) => recordCommand(trial, request, tapes.get(trial.id)?.header.model);
  return ({ places }) => {
    const players = new Map<string, Playing>();
    const of = (trial: Trial): Playing | null => {
      const known = players.get(trial.id);
      const tape = tapes.get(trial.id);
      if (known || !tape) return known ?? null;
      const own = [...places];
      const options = {
        places: own,
        prompts: promptsOf(trial.case),
        recordCommand: again(trial),
        subAgents: plan.pkg.agents.map(({ name, prompt }) => ({ name, prompt: prompt ?? '' })),
      };
      const player = new TapePlayer(tape, {
        ...options,
        get engineVersion() {
          return version.known;
        },
      });
      const playing = { player, tape, places: own };
      players.set(trial.id, playing);
      return playing;
    };
    return {
      mode: 'replay',
      folder,
      source: null,
      door(trial) {
        const playing = of(trial);
        return playing && { play: playing.player };
      },
      model: (trial) => request.model ?? tapes.get(trial.id)?.header.model ?? null,
      judgedBy: () => {},
      judge: (trial) => tapes.get(trial.id)?.header.judge ?? null,
      miss: (trial, why) => of(trial)?.player.miss(why),
      place: (trial, folders) => void of(trial)?.places.unshift(...folders),
      async run(trial, work) {
        // Decided without an agent, so that there is nothing to play.
        if (trial.case.fault !== null) return await work();
        const playing = of(trial);
        const file = shownPath(plan.home, tapeFile(folder, trial.id));
        if (!playing) {
          return undecidedTrial(trial, 'tape-miss', `there is no tape ${file}\nrecord it:  ${again(trial)}`);
        }
        const { header } = playing.tape;
        const other = strict ? otherVersion(playing.tape, await version.value) : null;
        if (other !== null)
          return undecidedTrial(trial, 'tape-miss', `${other}\nrecord it again:  ${again(trial)}`);
        const result = decided(await work(), playing.player);
        players.delete(trial.id);
        return { ...result, tape: { file, source: header.source, recordedAt: header.recorded_at } };
      },
      async warnings() {
        const now = await version.value;
        const others = [...tapes.values()].flatMap((tape) => otherVersion(tape, now) ?? []);
        return strict
          ? []
          : [...new Set(others)].map((it) => `${it}: where it asks something else, tapes miss`);
      },
    };
  };
}

interface Playing {
  readonly player: TapePlayer;
  readonly tape: Tape;
  readonly places: string[];
}

/** Looked up while the first cases already run. */
class EngineVersion {
  readonly value: Promise<string | null>;
  #known: string | null = null;

  constructor(value: Promise<string | null>) {
    this.value = value;
    value.then(
      (it) => {
        this.#known = it;
      },
      () => {},
    );
  }

  get known(): string | null {
    return this.#known;
  }
}

async function readTapes(request: TapesRequest, folder: string): Promise<Map<string, Tape>> {
  const { trials, home } = request.plan;
  const tapes = new Map<string, Tape>();
  for (const trial of trials) {
    const { id } = trial;
    const path = tapeFile(folder, id);
    if (!lstatSync(path, { throwIfNoEntry: false })) continue;
    const shown = shownPath(home, path);
    const again = recordCommand(trial, request);
    const tape = parseTape(shown, await readTapeFile(path, shown), again);
    if (tape.header.trial !== id) {
      throw new UserError(
        `${tape.file}:1: this is the tape of ${tape.header.trial}`,
        `tapes have the names of their trials; record the case instead of copying a tape:  ${again}`,
      );
    }
    tapes.set(id, tape);
  }
  return tapes;
}

function otherVersion({ header }: Tape, now: string | null): string | null {
  if (header.engine_version === null || now === null || header.engine_version === now) return null;
  return `recorded with ${header.engine} ${header.engine_version}, this is ${now}`;
}

/** Whatever the agent made of a missing answer, nobody knows what it would have made of the right one. */
function decided(result: TrialResult, { misses: [miss] }: TapePlayer): TrialResult {
  if (!miss || result.errorKind === 'interrupted') return result;
  return {
    ...result,
    verdict: 'SKIP',
    errorKind: 'tape-miss',
    error: miss.message,
    checks: [],
    judged: null,
  };
}
