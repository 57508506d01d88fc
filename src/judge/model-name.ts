/** Which model a judge's name stands for. */
import { UserError } from '../model/errors.ts';
import type { JudgeProvider } from '../model/judgement.ts';

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
    const provider = providerOf(text);
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
  if (provider === undefined || model === '') {
    throw new UserError(
      `judge ${JSON.stringify(name)}: ${model === '' ? 'it names no model' : `there is no provider ${JSON.stringify(text.slice(0, slash))}`}`,
      `providers: ${PROVIDERS.join(', ')}`,
      'a server that speaks their API:  set ANTHROPIC_BASE_URL or OPENAI_BASE_URL, and write openai/<model> or anthropic/<model>',
    );
  }
  return named(provider, model);
}

function providerOf(name: string): JudgeProvider | null {
  if (/^claude-.|^(sonnet|opus|haiku)$/.test(name)) return 'anthropic';
  if (/^gpt$|^(gpt|codex)-.|^o\d/.test(name)) return 'openai';
  return /^gemini-./.test(name) ? 'google' : null;
}

function named(provider: JudgeProvider, name: string): JudgeName {
  if (provider === 'google') return { provider, model: name };
  const family = FAMILIES[provider].exec(name)?.[1];
  return family === undefined ? { provider, model: name } : { provider, family };
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
  const [newest] = list
    .filter(({ id }) => MEMBERS[provider](family, id))
    .toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0) || (a.id < b.id ? 1 : -1));
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

const MEMBERS: Readonly<Record<ListingProvider, (family: string, id: string) => boolean>> = {
  anthropic: (family, id) => id.includes(family),
  // Not the small, spoken or dated ones.
  openai: (family, id) => new RegExp(`^${family}-\\d+(\\.\\d+)?$`).test(id),
};

/** The model to name to a CLI: Claude Code knows its families by itself. */
export function resolveForCli(name: JudgeName): string {
  if ('model' in name) return name.model;
  if (name.provider === 'anthropic') return name.family;
  throw new UserError(
    `judge: the CLI cannot tell which model is the newest of ${name.family}`,
    'name a model by its id, such as gpt-5.5',
  );
}
