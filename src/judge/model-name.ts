/** Which model a judge's name stands for. */
import { UserError } from '../model/errors.ts';
import type { JudgeProvider } from '../model/judgement.ts';
import { nearest } from '../model/nearest.ts';

export type JudgeName =
  | { readonly provider: JudgeProvider; readonly model: string }
  /** The newest of a family. */
  | { readonly provider: ListingProvider; readonly family: string };

/** Google's list does not say which model is newer. */
export type ListingProvider = Exclude<JudgeProvider, 'google'>;

/** A model as its provider's list has it. */
export interface ListedModel {
  readonly id: string;
  /** Milliseconds since 1970; null: the list does not say. */
  readonly createdAt: number | null;
}

const PROVIDERS: readonly JudgeProvider[] = ['anthropic', 'openai', 'google'];

/** Throws a UserError for a name that stands for no provider. */
export function readJudgeName(name: string): JudgeName {
  const text = name.trim();
  const slash = text.indexOf('/');
  if (slash < 0) {
    const provider = isId(text) ? providerOf(text) : null;
    if (provider === null) {
      throw new UserError(
        `judge ${JSON.stringify(name)}: it is not clear whose model this is`,
        `put the provider in front:  ${PROVIDERS.map((it) => `${it}/${text || '<model>'}`).join(', ')}`,
      );
    }
    return named(provider, text);
  }
  const provider = PROVIDERS.find((it) => it === text.slice(0, slash));
  const model = text.slice(slash + 1);
  if (provider !== undefined && model !== '' && !isId(model)) {
    throw new UserError(
      `judge ${JSON.stringify(name)}: ${JSON.stringify(model)} cannot be the id of a model`,
    );
  }
  if (provider === undefined || model === '') {
    throw new UserError(
      `judge ${JSON.stringify(name)}: ${model === '' ? 'it names no model' : `there is no provider ${JSON.stringify(text.slice(0, slash))}`}`,
      `providers: ${PROVIDERS.join(', ')}`,
      'a server that speaks their API:  set ANTHROPIC_BASE_URL or OPENAI_BASE_URL, and write openai/<model> or anthropic/<model>',
    );
  }
  return named(provider, model);
}

/** It becomes part of a path. */
function isId(model: string): boolean {
  return /^[\p{L}\p{N}_.:@+~-]+(\/[\p{L}\p{N}_.:@+~-]+)*$/u.test(model) && !/(^|\/)\.+(\/|$)/.test(model);
}

/** By the name of a model; null: it could be anyone's. */
export function providerOf(name: string): JudgeProvider | null {
  if (/^claude-.|^(sonnet|opus|haiku)$/.test(name)) return 'anthropic';
  if (/^gpt$|^(gpt|codex)-.|^o\d/.test(name)) return 'openai';
  return /^gemini-./.test(name) ? 'google' : null;
}

function named(provider: JudgeProvider, name: string): JudgeName {
  if (provider === 'google') return { provider, model: name };
  const family = FAMILIES[provider].exec(name)?.[1];
  if (family === undefined) return { provider, model: name };
  const meant = provider === 'anthropic' ? mistaken(family) : undefined;
  if (meant === undefined) return { provider, family };
  throw new UserError(
    `judge ${JSON.stringify(name)}: there is no such family`,
    `did you mean claude-${meant}?`,
  );
}

const CLAUDE_FAMILIES = ['sonnet', 'opus', 'haiku'];

/** The family that a word was meant to be. Any other word may be one of a list that is not known yet. */
function mistaken(word: string): string | undefined {
  if (CLAUDE_FAMILIES.includes(word)) return undefined;
  return CLAUDE_FAMILIES.find((it) => it.startsWith(word)) ?? nearest(word, CLAUDE_FAMILIES);
}

/** A family is a name without a version. */
const FAMILIES: Readonly<Record<ListingProvider, RegExp>> = {
  anthropic: /^(?:claude-(?=[a-z]+$)|(?=(?:sonnet|opus|haiku)$))([a-z]+)$/,
  openai: /^(gpt)$/,
};

/** The model to ask for by the API. Throws a UserError that names what the list has. */
export function resolveForApi(name: JudgeName, list: readonly ListedModel[]): string {
  if ('model' in name) return name.model;
  const { provider, family } = name;
  const newest = newestOf(list.filter(({ id }) => MEMBERS[provider](family, id)));
  if (newest) return newest.id;
  const ids = list.map(({ id }) => id);
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : '';
  throw new UserError(
    `judge: the models of ${provider} have none of the family ${family}`,
    ids.length === 0
      ? 'its list of models is empty; name a model by its id'
      : `they have: ${ids.slice(0, MAX_NAMED).join(', ')}${more}`,
  );
}

const MAX_NAMED = 20;

/** By date where the list has one for each of them, else by version. */
function newestOf(models: readonly ListedModel[]): ListedModel | undefined {
  const isDated = models.every(({ createdAt }) => createdAt !== null);
  return models.toSorted((a, b) => {
    const byDate = isDated ? (b.createdAt ?? 0) - (a.createdAt ?? 0) : 0;
    return byDate || byVersion(b.id, a.id) || (a.id < b.id ? 1 : -1);
  })[0];
}

/** Number by number: 4-10 is above 4-5. A date in an id is the last of them. */
function byVersion(a: string, b: string): number {
  const [left, right] = [numbersIn(a), numbersIn(b)];
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

const VERSION_PARTS = 3;

function numbersIn(id: string): number[] {
  const numbers = (id.match(/\d+/g) ?? []).map(Number);
  const version = numbers.filter((number) => number < 10_000);
  const [date = 0] = numbers.filter((number) => number >= 10_000);
  return [...Array.from({ length: VERSION_PARTS }, (_, index) => version[index] ?? 0), date];
}

const MEMBERS: Readonly<Record<ListingProvider, (family: string, id: string) => boolean>> = {
  anthropic: (family, id) => family !== 'claude' && id.split('-').includes(family),
  // Not the small, spoken or dated ones.
  openai: (family, id) => new RegExp(`^${family}-\\d+(\\.\\d+)?$`).test(id),
};

/** The model to name to a CLI: Claude Code knows its families by itself. */
export function resolveForCli(name: JudgeName): string {
  if ('model' in name) return name.model;
  if (CLAUDE_FAMILIES.includes(name.family)) return name.family;
  if (name.provider === 'anthropic') {
    throw new UserError(
      `judge: Claude Code knows no family ${name.family}`,
      `it knows ${CLAUDE_FAMILIES.map((it) => `claude-${it}`).join(', ')}, and every model by its id`,
    );
  }
  throw new UserError(
    `judge: the CLI cannot tell which model is the newest of ${name.family}`,
    'name a model by its id, such as gpt-5.5',
  );
}
