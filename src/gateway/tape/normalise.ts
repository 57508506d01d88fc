/**
 * Takes out of a request what differs from run to run although nothing that matters has changed.
 * docs/tapes.md lists every rule. A rule names one place that a CLI fills by itself: never a kind of text.
 */
import type { Provider } from '../../model/usage.ts';
import type { Json } from './canonical.ts';
import { Names } from './names.ts';
import { normaliseAnthropic } from './normalise/anthropic.ts';
import { gitStatusIn } from './normalise/git-status.ts';
import { normaliseJudge } from './normalise/judge.ts';
import { normaliseOpenai } from './normalise/openai.ts';
import type { IsPrompt } from './normalise/texts.ts';

export interface NormaliseOptions {
  /** Folders that stand elsewhere in every run, where the sandbox has no fixed places for them. */
  readonly places?: readonly string[];
  /** What the case itself says to the agent: there nothing is a CLI's, whatever it looks like. */
  readonly prompts?: readonly string[];
}

export interface Normalised {
  readonly body: Json;
  readonly names: Names;
  /** What git told the CLI at the start; null: nothing. It is left out of the body. */
  readonly gitStatus: string | null;
}

export function normalise(
  provider: Provider,
  body: Json,
  { places = [], prompts = [] }: NormaliseOptions = {},
): Normalised {
  const names = new Names();
  for (const place of places) if (place.length >= MIN_PLACE) names.give('place', place);
  const said = new Set(prompts.map((it) => it.trim()));
  const isPrompt = (text: string) => said.has(text.trim());
  const asked = normaliseJudge(body, names, isPrompt);
  const normalised = PROVIDERS[provider]?.(asked, names, isPrompt) ?? asked;
  const gitStatus = provider === 'anthropic' ? gitStatusIn(body, isPrompt) : null;
  return { body: names.replaceIn(normalised), names, gitStatus };
}

/** A shorter path occurs in texts that have nothing to do with it. */
const MIN_PLACE = 6;

/** Others are asked by the judge only, whose requests hold nothing of a CLI. */
const PROVIDERS: Readonly<Record<string, (body: Json, names: Names, isPrompt: IsPrompt) => Json>> = {
  anthropic: normaliseAnthropic,
  openai: normaliseOpenai,
};
