/** Numbers as people read them. What is not known is a dash, never a zero. */
import type { EvalCaseRecord } from '../model/report.ts';

export const UNKNOWN = '–';

export function seconds(value: number | null): string {
  if (value === null) return UNKNOWN;
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  const minutes = Math.floor(value / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(value % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function money(value: number | null): string {
  if (value === null) return UNKNOWN;
  return value !== 0 && Math.abs(value) < 0.1 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

export function count(value: number | null): string {
  if (value === null) return UNKNOWN;
  return (Number.isInteger(value) ? value : Math.round(value)).toLocaleString('en');
}

export function percent(value: number | null): string {
  if (value === null) return UNKNOWN;
  const points = value * 100;
  return `${Number.isInteger(points) ? points : points.toFixed(1)} %`;
}

/** A difference of shares is no share. */
export function points(value: number): string {
  return `${percent(value).replace(' %', '')} points`;
}

/** Of differences: the sign is the message. */
export function signed(value: number | null, format: (value: number) => string): string {
  if (value === null) return UNKNOWN;
  const sign = value > 0 ? '+' : value < 0 ? '−' : '±';
  return `${sign}${format(Math.abs(value))}`;
}

export function plural(value: number, noun: string, many = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}

/** All tokens that went over the wire, cached ones included; null: none were counted. */
export function allTokens(usage: EvalCaseRecord['usage']): number | null {
  if (usage.requests === 0) return null;
  return usage.input_tokens + usage.output_tokens + usage.cache_read_tokens + usage.cache_write_tokens;
}

export function time(timestamp: string): string {
  return timestamp.replace('T', ' ').replace(/:\d\d(?:\.\d+)?Z$/, ' UTC');
}

export const VERDICT_WORDS = { PASS: 'passed', FAIL: 'failed', SKIP: 'undecided' } as const;
