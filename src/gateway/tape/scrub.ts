/** Finds what looks like a secret, and takes it out. */
import { formsPattern, keyForms, MIN_KEY_LENGTH } from '../key-forms.ts';
import { isRandom, NAMED_VALUE, SECRET_SHAPES, type SecretShape } from './secret-shapes.ts';
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
    const [index, end] = [startOf(from), startOf(to)];
    const overlaps = found.some((it) => index < it.index + it.length && it.index < end);
    if (!overlaps) found.push({ kind, index, length: end - index });
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
    for (const shape of SECRET_SHAPES) {
      for (const [from, to] of shapeMatches(view.text, shape)) add(shape.kind, view, from, to);
    }
    for (const match of view.text.matchAll(NAMED_VALUE)) {
      const value = match[1] ?? '';
      const end = match.index + match[0].length;
      if (isRandom(value)) add('a value after the name of a secret', view, end - value.length, end);
    }
  }
  return found.sort((a, b) => a.index - b.index);
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
  return Array.from(text.matchAll(pattern), ({ 0: all, index }) => [index, index + all.length] as const);
}

function shapeMatches(text: string, { shape, anywhere = false }: SecretShape): Span[] {
  const pattern = new RegExp(shape);
  const spans: Span[] = [];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [all] = match;
    if (anywhere || startsWord(text, match.index)) spans.push([match.index, match.index + all.length]);
    // What was no secret may hold one.
    else pattern.lastIndex = match.index + 1;
  }
  return spans;
}

/** Long random values hold short beginnings of keys by chance. */
const LONG_VALUE = /[\w+/-]{40}$/;

function startsWord(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 40), index);
  return !/[A-Za-z0-9]$/.test(before) && !LONG_VALUE.test(before);
}
