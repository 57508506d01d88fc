/**
 * Takes out of a request what differs from run to run although nothing that matters has changed.
 * docs/tapes.md lists every rule. A rule names one place that a CLI fills by itself: never a kind of text.
 */
import type { Provider } from '../../model/usage.ts';
import type { Json } from './canonical.ts';
import { Names } from './names.ts';
import { normaliseAnthropic } from './normalise/anthropic.ts';
import { normaliseJudge } from './normalise/judge.ts';
import { normaliseOpenai } from './normalise/openai.ts';

export interface NormaliseOptions {
  /** Folders that stand elsewhere in every run, where the sandbox has no fixed places for them. */
  readonly places?: readonly string[];
}

export interface Normalised {
  readonly body: Json;
  readonly names: Names;
}

export function normalise(
  provider: Provider,
  body: Json,
  { places = [] }: NormaliseOptions = {},
): Normalised {
  const names = new Names();
  for (const place of places) if (place.length >= MIN_PLACE) names.give('place', place);
  const asked = normaliseJudge(body, names);
  const normalised = PROVIDERS[provider]?.(asked, names) ?? asked;
  return { body: names.replaceIn(normalised), names };
}

/** A shorter path occurs in texts that have nothing to do with it. */
const MIN_PLACE = 6;

/** Others are asked by the judge only, whose requests hold nothing of a CLI. */
const PROVIDERS: Readonly<Record<string, (body: Json, names: Names) => Json>> = {
  anthropic: normaliseAnthropic,
  openai: normaliseOpenai,
};
