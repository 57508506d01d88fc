/** Assertions: sentences for a judge, or typed ones that a grader decides. */
import type { Criterion } from '../../../model/case.ts';
import type { Path } from '../../../model/diagnostic.ts';
import type { Grader } from '../../../model/grader.ts';
import type { Notes } from '../../notes.ts';
import { isObject } from '../uaaps/manifest.ts';
import { checkType, type Shared } from './check-types.ts';
import { typedGrader, typeOf } from './typed-assertions.ts';

export interface Graded {
  readonly graders: readonly Grader[];
  readonly criteria: readonly Criterion[];
}

export interface Written {
  readonly value: unknown;
  readonly path: Path;
  /** What the sentence of a plain text says about it. */
  readonly phrase: (text: string) => string;
  readonly prefix: string;
  /** It says what must not be, and then nothing of it may: a share of 0.8 would let some of it pass. */
  readonly isForbidden: boolean;
}

/** A sum of weights must stay a number. */
const MAX_WEIGHT = 1_000_000;

/** Where an object keeps its sentence, best first. */
const SENTENCES = [
  'text',
  'assertion',
  'expectation',
  'criterion',
  'description',
  'check',
  'pass_if',
  'outcome',
];

/** The same sentence under two keys counts once. */
export function readAssertions(written: readonly Written[], notes: Notes): Graded {
  const graders: Grader[] = [];
  const criteria: Criterion[] = [];
  const sentences = new Set<string>();
  const ids = new Set<string>();
  let count = 0;
  for (const it of written) {
    count += 1;
    const read = readOne(it, `${it.prefix}-${count}`, notes);
    if (read === null) continue;
    const id = uniqueId(read.id, ids);
    if ('kind' in read) graders.push({ ...read, id });
    else if (!sentences.has(read.text)) {
      criteria.push({ ...read, id });
      sentences.add(read.text);
    } else continue;
    ids.add(id);
  }
  return { graders, criteria };
}

/** Every item of a list, a single text or assertion, or a map from names to sentences. */
export function itemsOf(value: unknown, path: Path): { value: unknown; path: Path }[] {
  if (Array.isArray(value)) return value.map((item, index) => ({ value: item, path: [...path, index] }));
  if (!isObject(value) || isAssertion(value)) return [{ value, path }];
  return Object.entries(value).map(([key, item]) => ({
    value: typeof item === 'string' ? `${key}: ${item}` : item === true ? key : item,
    path: [...path, key],
  }));
}

function isAssertion(value: Record<string, unknown>): boolean {
  const type = typeOf(value);
  return typeof value['text'] === 'string' || (type !== undefined && checkType(type) !== undefined);
}

function readOne(
  { value, path, phrase, isForbidden }: Written,
  fallbackId: string,
  notes: Notes,
): Grader | Criterion | null {
  if (typeof value === 'string' && value.trim() !== '')
    return { id: fallbackId, text: phrase(value.trim()), weight: 1, required: isForbidden };
  if (!isObject(value)) {
    notes.error(path, { rule: 'wrong-type', message: 'an assertion must be a text or a map of keys' });
    return null;
  }
  const id = idOf(value) ?? fallbackId;
  const share = shareOf(value, isForbidden, path, notes);
  const typed = typedGrader({ fields: value, id, share, path, isForbidden }, notes);
  if (typed !== 'a sentence') return typed;
  const text = sentenceOf(value);
  if (text !== null) return { id, text: phrase(text), weight: share.weight, required: share.required };
  notes.error(path, {
    rule: 'missing-key',
    message: 'the assertion has no text',
    hint: 'write it as a plain text, or as {"text": "…"}',
  });
  return null;
}

function sentenceOf(value: Record<string, unknown>): string | null {
  const key = SENTENCES.find((it) => typeof value[it] === 'string' && String(value[it]).trim() !== '');
  const sentence = key === undefined ? undefined : String(value[key]).trim();
  const title = ['dimension', 'name'].map((it) => value[it]).find((it) => typeof it === 'string');
  if (sentence === undefined) return title === undefined ? null : String(title).trim() || null;
  return key === 'pass_if' && title !== undefined ? `${title}: ${sentence}` : sentence;
}

function idOf({ id, name }: Record<string, unknown>): string | null {
  const given = [id, name].find(
    (it) => (typeof it === 'string' && it.trim() !== '') || typeof it === 'number',
  );
  return given === undefined ? null : String(given).trim().slice(0, 64);
}

function shareOf(fields: Record<string, unknown>, isForbidden: boolean, path: Path, notes: Notes): Shared {
  const { weight } = fields;
  const flag = (key: string, usual: boolean) => {
    const value = fields[key] ?? usual;
    if (typeof value === 'boolean') return value;
    notes.error([...path, key], { rule: 'wrong-type', message: `${key} must be true or false` });
    return usual;
  };
  const isWeight = typeof weight === 'number' && weight >= 0 && weight <= MAX_WEIGHT;
  if (weight !== undefined && !isWeight)
    notes.error([...path, 'weight'], {
      rule: 'wrong-value',
      message: `weight must be a number from 0 to ${MAX_WEIGHT}`,
    });
  return {
    weight: isWeight ? weight : 1,
    required: flag('required', isForbidden),
    negate: flag('negate', false),
  };
}

function uniqueId(wanted: string, taken: ReadonlySet<string>): string {
  for (let id = wanted, count = 2; ; id = `${wanted}-${count++}`) if (!taken.has(id)) return id;
}
