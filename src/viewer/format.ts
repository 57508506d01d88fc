/** Figures in the words of the terminal and the other formats. What is not known is a dash, never a zero. */
import type { EvalCaseRecord, EvalReport } from '../model/report.ts';
import { scoreWords } from '../model/score.ts';
import * as words from '../model/words.ts';

export const UNKNOWN = '–';

export const seconds = orUnknown(words.seconds);
export const money = orUnknown(words.dollars);
export const percent = orUnknown(words.percent);
export const score = orUnknown(scoreWords);
/** Of a difference of two rates, with its sign. */
export const points = orUnknown((difference) => `${words.points(difference)} points`);
export const count = orUnknown((value) => Math.round(value).toLocaleString('en'));

function orUnknown(told: (value: number) => string): (value: number | null) => string {
  return (value) => (value === null ? UNKNOWN : told(value));
}

/** Of differences: the sign is the message. */
export function signed(value: number | null, format: (value: number) => string): string {
  if (value === null) return UNKNOWN;
  if (value === 0) return '±0';
  return `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`;
}

export function plural(value: number, noun: string, many = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}

/** A sum that leaves something out says so. */
export function totalCost(usage: EvalReport['usage']): string {
  return usage.cost_usd === null || usage.cost_is_complete
    ? money(usage.cost_usd)
    : `${money(usage.cost_usd)} and what has no known price`;
}

/** Cached ones included; null: none were counted. */
export function allTokens(usage: EvalCaseRecord['usage']): number | null {
  return usage.requests === 0 ? null : words.allTokens(usage);
}

export function time(timestamp: string): string {
  return timestamp.replace('T', ' ').replace(/:\d\d(?:\.\d+)?Z$/, ' UTC');
}

export const VERDICT_WORDS = { PASS: 'passed', FAIL: 'failed', SKIP: 'undecided' } as const;
