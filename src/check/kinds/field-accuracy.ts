/** Fields of the answer's JSON against those of a reference. */
import { isDeepStrictEqual } from 'node:util';
import type { ExpectedField, FieldAccuracy } from '../../model/grader.ts';
import { valueAt } from '../../model/value-at.ts';
import { type GraderResult, graded, unknown } from '../check.ts';
import { readDate } from './dates.ts';

export function fieldAccuracy(
  { reference, fields, aggregation }: FieldAccuracy,
  answer: string,
): GraderResult {
  if (fields.length === 0) return unknown('no fields are named, so there is nothing to compare');
  const unsaid = fields.filter(({ path }) => valueAt(reference, path) === undefined);
  if (unsaid.length > 0)
    return unknown(`the expected output has no ${unsaid.map(({ path }) => path).join(', ')} to compare with`);
  const unreadable = fields.filter((field) => isUnreadable(field, valueAt(reference, field.path)));
  if (unreadable.length > 0)
    return unknown(
      `the expected output has a ${unreadable.map(({ path }) => path).join(', ')} that cannot be compared as its match says`,
    );
  const read = readJson(answer);
  if (read === null) return graded(0, 'the answer is not JSON, and has no single block of JSON');
  const compared = fields.map((field) =>
    compare(field, valueAt(reference, field.path), valueAt(read.json, field.path)),
  );
  const counted = compared.filter(({ weight }) => weight > 0);
  const total = counted.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return unknown('none of the fields that count is in the answer, and none is required');
  const problems = counted.flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0) return graded(1, `all ${counted.length} fields are as expected`);
  const right = counted.reduce((sum, { weight, problem }) => sum + (problem === null ? weight : 0), 0);
  return graded(aggregation === 'all-or-nothing' ? 0 : right / total, problems.join('; '));
}

/** null: there is none, or more than one block that could be meant. */
function readJson(answer: string): { readonly json: unknown } | null {
  const whole = parse(answer);
  if (whole) return whole;
  const blocks = fencedTexts(answer).flatMap((text) => parse(text) ?? []);
  return blocks.length === 1 ? (blocks[0] ?? null) : null;
}

/** Line by line: a pattern would look for each end that is missing to the end of the text. */
function fencedTexts(text: string): string[] {
  const blocks: string[] = [];
  let open: string[] | null = null;
  for (const line of text.split('\n')) {
    if (open === null) open = /^```[^`]*$/.test(line) ? [] : null;
    else if (/^```[ \t]*$/.test(line)) {
      blocks.push(open.join('\n'));
      open = null;
    } else open.push(line);
  }
  return blocks;
}

function parse(text: string): { readonly json: unknown } | null {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return null;
  }
}

interface Compared {
  readonly weight: number;
  /** null: it is as expected. */
  readonly problem: string | null;
}

function compare(field: ExpectedField, expected: unknown, actual: unknown): Compared {
  const { path, weight, required } = field;
  if (actual === undefined)
    return required ? { weight, problem: `${path} is missing` } : { weight: 0, problem: null };
  const isSame = MATCHES[field.match.kind](field, expected, actual);
  return { weight, problem: isSame ? null : `${path} is ${shown(actual)}, expected ${shown(expected)}` };
}

type Matching = (field: ExpectedField, expected: unknown, actual: unknown) => boolean;

const MATCHES: Readonly<Record<ExpectedField['match']['kind'], Matching>> = {
  exact: (_, expected, actual) => isDeepStrictEqual(expected, actual),
  'numeric-tolerance': ({ match }, expected, actual) => {
    const [wanted, given] = [numberIn(expected), numberIn(actual)];
    if (match.kind !== 'numeric-tolerance' || wanted === null || given === null) return false;
    const scale = match.relative && wanted !== 0 ? Math.abs(wanted) : 1;
    // The last digits of a difference are noise.
    return Math.abs(given - wanted) <= match.tolerance * scale + Math.abs(wanted) * 1e-12;
  },
  date: ({ match }, expected, actual) => {
    const formats = match.kind === 'date' ? match.formats : [];
    const day = readDate(actual, formats);
    return day !== null && day === readDate(expected, formats);
  },
};

/** What its author wrote cannot be what the match is about. */
function isUnreadable({ match }: ExpectedField, expected: unknown): boolean {
  if (match.kind === 'numeric-tolerance') return numberIn(expected) === null;
  return match.kind === 'date' && readDate(expected, match.formats) === null;
}

function numberIn(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}
