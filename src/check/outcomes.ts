/** What graders, criteria and groups come to: exactly where they are decided, between bounds where they are not. Pure. */
import type { Group, Share } from '../model/grader.ts';
import { reaches } from '../model/score.ts';
import type { Verdict } from '../model/trial.ts';

/** A grader or a criterion, and what became of it. */
export interface Part extends Share {
  readonly id: string;
  /** null: undecided. */
  readonly score: number | null;
}

export interface Bounds {
  readonly low: number;
  readonly high: number;
}

/** Of a part or a group, after negation. */
export interface Outcome extends Bounds, Pick<Share, 'weight' | 'required'> {
  readonly id: string;
  /** However the undecided turns out. */
  readonly hasPassed: boolean;
  readonly canPass: boolean;
}

/** What programs and judges made of the members of groups, by the group's id. */
export type Aggregated = ReadonlyMap<string, number | null>;

/** Of all parts and groups, by their ids. */
export function outcomesOf(
  parts: readonly Part[],
  groups: readonly Group[],
  aggregated: Aggregated = new Map(),
): ReadonlyMap<string, Outcome> {
  const known = new Map<string, Outcome>(parts.map((part) => [part.id, partOutcome(part)]));
  const open = new Map(groups.map((group) => [group.id, group]));
  const outcomeOf = (id: string): Outcome => {
    const group = open.get(id);
    // Each is taken once: one that contains itself finds itself undecided.
    open.delete(id);
    if (group) known.set(id, groupOutcome(group, group.members.map(outcomeOf), aggregated.get(id) ?? null));
    return known.get(id) ?? { ...UNDECIDED, id };
  };
  for (const { id } of groups) outcomeOf(id);
  return known;
}

const ANYTHING: Bounds = { low: 0, high: 1 };
const NOTHING: Bounds = { low: 0, high: 0 };
const UNDECIDED = { ...ANYTHING, weight: 1, required: false, hasPassed: false, canPass: true } as const;

/** Rounding may part bounds that are the same. */
export function isSettled({ low, high }: Bounds): boolean {
  return high - low < 1e-9;
}

export function verdictOfOutcome({ hasPassed, canPass }: Outcome): Verdict {
  return hasPassed ? 'PASS' : canPass ? 'SKIP' : 'FAIL';
}

/** null: none of them has weight. */
export function meanBounds(parts: readonly (Bounds & Pick<Share, 'weight'>)[]): Bounds | null {
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (side: keyof Bounds) => parts.reduce((sum, part) => sum + part.weight * part[side], 0) / total;
  return total > 0 ? { low: mean('low'), high: mean('high') } : null;
}

export function partOutcome({ id, weight, required, minScore, score }: Part): Outcome {
  const bounds = score === null ? ANYTHING : { low: score, high: score };
  return { id, weight, required, ...bounds, ...passing(bounds, minScore ?? 1) };
}

function passing({ low, high }: Bounds, needed: number): Pick<Outcome, 'hasPassed' | 'canPass'> {
  return { hasPassed: reaches(low, needed), canPass: reaches(high, needed) };
}

function groupOutcome(group: Group, members: readonly Outcome[], given: number | null): Outcome {
  const { id, weight, required, negate, minScore, aggregator } = group;
  const plain = withRequired(aggregate(aggregator, members, given), members);
  const bounds = negate ? { low: 1 - plain.high, high: 1 - plain.low } : plain;
  const passed =
    aggregator.kind === 'threshold' && minScore === undefined
      ? ofThreshold(passing(plain, aggregator.threshold), negate)
      : passing(bounds, minScore ?? 1);
  return { id, weight, required, ...bounds, ...passed };
}

function aggregate(
  aggregator: Group['aggregator'],
  members: readonly Outcome[],
  given: number | null,
): Bounds {
  if (members.length === 0) return ANYTHING;
  if (aggregator.kind === 'weighted-average') return meanBounds(members) ?? ANYTHING;
  if (aggregator.kind === 'threshold')
    return {
      low: members.filter(({ hasPassed }) => hasPassed).length / members.length,
      high: members.filter(({ canPass }) => canPass).length / members.length,
    };
  return given === null ? ANYTHING : { low: given, high: given };
}

function withRequired({ low, high }: Bounds, members: readonly Outcome[]): Bounds {
  const required = members.filter((member) => member.required);
  if (required.some(({ canPass }) => !canPass)) return NOTHING;
  return { low: required.every(({ hasPassed }) => hasPassed) ? low : 0, high };
}

/** It is the share that must not be reached, then. */
function ofThreshold({ hasPassed, canPass }: Pick<Outcome, 'hasPassed' | 'canPass'>, negate: boolean) {
  return negate ? { hasPassed: !canPass, canPass: !hasPassed } : { hasPassed, canPass };
}
