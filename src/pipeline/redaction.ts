/** Keeps the keys of this machine, and what looks like a key, out of all that a run writes down. */
import { resolveUpstreams } from '../gateway/credentials.ts';
import { createRedactor, secretsIn } from '../gateway/redact.ts';
import { scrub } from '../gateway/tape/scrub.ts';
import { isRandom } from '../gateway/tape/secret-shapes.ts';
import type { Host } from '../model/host.ts';
import type { EvalPlan } from './eval-plan.ts';

export interface Redaction {
  /** Values that are secret whatever they look like. */
  readonly known: readonly string[];
  /** Takes known values out of a text that somebody wrote. */
  text(text: string): string;
  /** JSON of what happened: also without what only looks like a key. Always JSON again. */
  json(value: unknown, indent?: number): string;
  /** The same, read again. */
  value<Value>(value: Value): Value;
}

/** The keys of all model servers, whichever the run needs, and what the environment names as a secret. */
export async function findKnownSecrets(host: Host, { settings, trials }: EvalPlan): Promise<string[]> {
  const keys = secretsIn(Object.values(await resolveUpstreams(host)));
  const given = trials.map((trial) => trial.case.env);
  return [...new Set([...keys, ...[host.env, settings.env, ...given].flatMap(secretVariables)])];
}

const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH)$/i;
const MIN_LENGTH = 16;

/** A name alone proves nothing: `MONKEY` may be `development`, a word that is in many texts. */
function secretVariables(env: Readonly<Record<string, string | undefined>> | undefined): string[] {
  return Object.entries(env ?? {}).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.length >= MIN_LENGTH && isRandom(value) ? [value] : [],
  );
}

export function createRedaction(known: readonly string[]): Redaction {
  const whole = createRedactor([], known);
  const beginnings = known.filter((it) => it.length >= MIN_LENGTH).map(beginningOf);
  const text = (it: string) => beginnings.reduce((left, cut) => left.replace(cut, '[key]'), whole(it));
  const clean = (it: string) => scrub(text(it), known);
  const cleanJson = (before: string, value: unknown, indent?: number): string => {
    const cleaned = clean(before);
    // Looked at as a whole, names and values stand together; but what has no end may reach beyond its text.
    if (cleaned === before || isJson(cleaned)) return cleaned;
    return JSON.stringify(cleanTexts(value, clean), null, indent);
  };
  return {
    known,
    text,
    json: (value, indent) => cleanJson(JSON.stringify(value, null, indent), value, indent),
    value: <Value>(value: Value) => {
      const before = JSON.stringify(value);
      const after = cleanJson(before, value);
      return after === before ? value : (JSON.parse(after) as Value);
    },
  };
}

const MIN_BEGINNING = 12;

/** A text that was cut short may end in the middle of a key. */
function beginningOf(key: string): RegExp {
  const escaped = [...key].map((sign) => sign.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&'));
  const first = escaped.slice(0, MIN_BEGINNING).join('');
  const rest = escaped.slice(MIN_BEGINNING).reduceRight((after, sign) => `(?:${sign}${after})?`, '');
  return new RegExp(first + rest, 'g');
}

function cleanTexts(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((it) => cleanTexts(it, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [clean(key), cleanTexts(it, clean)] as const),
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
