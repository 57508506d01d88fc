/** Finds what looks like a secret, and takes it out. */
import { formsPattern, keyForms, MIN_KEY_LENGTH } from '../key-forms.ts';
import { isRandom, NAMED_VALUE, SECRET_SHAPES } from './secret-shapes.ts';
import { decodedViews, unbroken, type View } from './views.ts';

export interface SecretFound {
  /** Such as `GitHub token`. */
  readonly kind: string;
  readonly index: number;
  readonly length: number;
}

/**
 * Looks at the text as it is and behind its escapes, at any depth. `known`: values that are secret whatever they look
 * like, also in base64. Too short ones are left: they occur by chance.
 */
export function findSecrets(text: string, known: readonly string[] = []): SecretFound[] {
  const found: SecretFound[] = [];
  const views = decodedViews(text);
  const add = (kind: string, { startOf }: View, from: number, to: number) => {
    const index = startOf(from);
    found.push({ kind, index, length: startOf(to) - index });
  };
  const keys = known.filter((it) => it.length >= MIN_KEY_LENGTH).flatMap(keyForms);
  if (keys.length > 0) {
    // A key may itself hold what looks like an escape.
    const pattern = formsPattern(keys.flatMap((it) => decodedViews(it).map((view) => view.text)));
    for (const view of [...views, ...views.map(unbroken)]) {
      for (const [from, to] of matches(view.text, pattern)) add('a key of this machine', view, from, to);
    }
  }
  for (const view of views) {
    for (const { kind, marks, shape } of SHAPES) {
      if (!marks.some((mark) => view.text.includes(mark))) continue;
      for (const [from, to] of matches(view.text, shape)) add(kind, view, from, to);
    }
    for (const match of view.text.matchAll(NAMED_VALUE)) {
      const value = match[1] ?? '';
      const end = match.index + match[0].length;
      if (isRandom(value)) add('a value after the name of a secret', view, end - value.length, end);
    }
  }
  return joined(found);
}

/** Those that overlap become one, under the name of the first that was found. Sorting keeps the order of equals. */
function joined(found: readonly SecretFound[]): SecretFound[] {
  const order = new Map(found.map((it, index) => [it, index]));
  const all: SecretFound[] = [];
  for (const it of found.toSorted((a, b) => a.index - b.index)) {
    const last = all.at(-1);
    if (!last || it.index >= last.index + last.length) {
      all.push(it);
      order.set(it, order.get(it) ?? 0);
      continue;
    }
    const isFirst = (order.get(it) ?? 0) < (order.get(last) ?? 0);
    const length = Math.max(last.index + last.length, it.index + it.length) - last.index;
    const both = { kind: isFirst ? it.kind : last.kind, index: last.index, length };
    order.set(both, Math.min(order.get(it) ?? 0, order.get(last) ?? 0));
    all[all.length - 1] = both;
  }
  return all;
}

export function scrub(text: string, known: readonly string[] = []): string {
  let end = 0;
  let clean = '';
  for (const { kind, index, length } of findSecrets(text, known)) {
    clean += `${text.slice(end, index)}[${kind} removed]`;
    end = index + length;
  }
  return clean + text.slice(end);
}

type Span = readonly [from: number, to: number];

function matches(text: string, pattern: RegExp | null): Span[] {
  if (pattern === null) return [];
  return Array.from(text.matchAll(pattern), ({ 0: all, index, groups }) => {
    return [index + (groups?.['before']?.length ?? 0), index + all.length] as const;
  });
}

/** Where a word begins. Long random values hold short beginnings of keys by chance. */
const WORD_START = '(?<![A-Za-z0-9])(?<![\\w+/-]{40})';

/** Asked before the shape itself: else a text made of beginnings would be searched to its end from each of them. */
const SHAPES = SECRET_SHAPES.map(({ kind, marks, shape, anywhere = false }) => ({
  kind,
  marks,
  shape: anywhere ? shape : new RegExp(`${WORD_START}(?:${shape.source})`, 'g'),
}));
