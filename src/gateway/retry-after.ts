/** How long an upstream asks to wait, in milliseconds; null when it does not say. */
import type { IncomingHttpHeaders } from 'node:http';

export function retryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  const milliseconds = headers['retry-after-ms'];
  if (typeof milliseconds === 'string' && /^\d+(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  return momentIn(headers['retry-after'], now) ?? resetOf(headers, now);
}

/** The latest reset of what is used up: `x-ratelimit-reset-tokens`, `anthropic-ratelimit-tokens-reset`… */
function resetOf(headers: IncomingHttpHeaders, now: number): number | null {
  const waits = Object.entries(headers)
    .filter(([name]) => /^(x|anthropic)-ratelimit-.*reset/.test(name))
    .filter(([name]) => headers[name.replace('reset', 'remaining')] === '0')
    .map(([, value]) => momentIn(value, now) ?? duration(value))
    .filter((it) => it !== null);
  return waits.length > 0 ? Math.max(...waits) : null;
}

/** Seconds, or a date. */
function momentIn(value: unknown, now: number): number | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Date.parse takes far more than dates: "-5", "6m0s".
  if (!/^([A-Z][a-z]{2}, |\d{4}-\d{2}-\d{2}T)/.test(text)) return null;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}

/** `1s`, `6m0s`, `20ms`. */
function duration(value: unknown): number | null {
  const parts = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?(?:([\d.]+)ms)?$/.exec(String(value));
  if (!parts || parts[0] === '') return null;
  const [hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts.slice(1).map((it) => Number(it ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
}
