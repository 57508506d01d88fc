/** A limit as people write it: `anthropic=60/min`, `anthropic/claude-sonnet-4-5=1000/hour`. */
import { UserError } from '../model/errors.ts';
import type { Provider } from '../model/usage.ts';

export interface LimitRule {
  readonly provider: Provider;
  /** The id of a model or its beginning; null: all models of the provider together. */
  readonly model: string | null;
  /** So many requests in each… */
  readonly requests: number;
  readonly per: Period;
}

type Period = keyof typeof PERIOD_MS;

/** The script that keeps the limits knows the same periods. */
export const PERIOD_MS = { s: 1_000, min: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export const PROVIDERS: readonly Provider[] = ['anthropic', 'openai', 'google'];
const MAX_REQUESTS = 1_000_000;

/** Throws a UserError. */
export function parseLimit(text: string): LimitRule {
  const equals = text.lastIndexOf('=');
  if (equals < 0) throw wrong(text, 'there is no "=" between what is limited and how often it may be asked');
  const target = parseTarget(text.slice(0, equals));
  const [count = '', per = '', ...more] = text.slice(equals + 1).split('/');
  const requests = /^[0-9]{1,9}$/.test(count) ? Number(count) : 0;
  if (requests < 1 || requests > MAX_REQUESTS)
    throw wrong(text, `"${count}" is not a whole number from 1 to ${MAX_REQUESTS}`);
  if (!isPeriod(per) || more.length > 0)
    throw wrong(
      text,
      `after the number comes one of ${Object.keys(PERIOD_MS)
        .map((it) => `/${it}`)
        .join(', ')}`,
    );
  return { ...target, requests, per };
}

/** What is limited: `anthropic`, or `anthropic/claude-sonnet-4-5`. Throws a UserError. */
export function parseTarget(text: string): Pick<LimitRule, 'provider' | 'model'> {
  const slash = text.indexOf('/');
  const provider = slash < 0 ? text : text.slice(0, slash);
  const model = slash < 0 ? null : text.slice(slash + 1);
  if (!isProvider(provider))
    throw wrong(text, `"${provider}" is not a provider: it is one of ${PROVIDERS.join(', ')}`);
  if (model !== null && !/^[\x21-\x7e]{1,200}$/.test(model))
    throw wrong(text, 'after the "/" comes the id of a model or its beginning, without spaces');
  return { provider, model };
}

/** How the limit is called where it is kept. */
export function targetOf({ provider, model }: Pick<LimitRule, 'provider' | 'model'>): string {
  return model === null ? provider : `${provider}/${model}`;
}

export function rateOf({ requests, per }: Pick<LimitRule, 'requests' | 'per'>): string {
  return `${requests}/${per}`;
}

export function isProvider(value: unknown): value is Provider {
  return PROVIDERS.some((it) => it === value);
}

function isPeriod(text: string): text is Period {
  return Object.hasOwn(PERIOD_MS, text);
}

function wrong(text: string, why: string): UserError {
  return new UserError(
    `"${text}" is not a limit: ${why}`,
    'write it like  anthropic=60/min  or  anthropic/claude-sonnet-4-5=1000/hour',
  );
}
