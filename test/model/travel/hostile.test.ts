/** Documents that somebody made up: each is refused, and none of them does harm. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { travellingCase } from '../../../src/model/travel/case.ts';
import type { Same } from '../../../src/model/travel/parts.ts';
import { bundlePlace } from '../../../src/model/travel/place.ts';
import { settingsWithPlaces, withPlaces } from '../../../src/model/travel/places.ts';
import { travelProblem } from '../../../src/model/travel/problem.ts';
import { travellingCapture, travellingResult } from '../../../src/model/travel/result.ts';
import { travellingSettings } from '../../../src/model/travel/settings.ts';
import { bundleOf } from './journey.ts';
import { HOME, WHOLE_CASE, WHOLE_SETTINGS } from './whole.ts';
import { WHOLE_CAPTURE, WHOLE_RESULT } from './whole-result.ts';

type Path = readonly (string | number)[];

interface Subject {
  readonly schema: z.ZodType;
  readonly document: unknown;
}

const SUBJECTS: Readonly<Record<string, Subject>> = {
  case: { schema: travellingCase, document: withPlaces(bundleOf(HOME))(WHOLE_CASE) },
  settings: { schema: travellingSettings, document: settingsWithPlaces(WHOLE_SETTINGS, bundleOf(HOME)) },
  result: { schema: travellingResult, document: WHOLE_RESULT },
  capture: { schema: travellingCapture, document: WHOLE_CAPTURE },
};

const names = Object.keys(SUBJECTS);

/** Fields in which any JSON may stand. */
const IN_JSON =
  /^(?:metadata|written\.(?:input|expectedOutput)|mock\.toolCalls\.0\.input|events\.\d+\.input|checks\.0\.details|graders\.\d+\.options\.(?:config|reference|expected\.\d+\.args)|graders\.7\.options\.value|scoring\.groups\.\d+\.aggregator\.program\.config)(?:\.|$)/;

const isInJson = (path: Path) => IN_JSON.test(path.join('.'));

/** Every place in a value, itself included. */
function placesIn(value: unknown, path: Path = []): { readonly path: Path; readonly value: unknown }[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [{ path, value }, ...inner.flatMap(([key, it]) => placesIn(it, [...path, key]))];
}

/** A copy with another value in one place. */
function withValue(document: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<
    string,
    unknown
  >;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}

/** What was let through although it was changed, by its places. */
function letThrough({ schema, document }: Subject, changes: Iterable<readonly [Path, unknown]>): string[] {
  const passed: string[] = [];
  let tried = 0;
  for (const [path, value] of changes) {
    tried++;
    const { success } = schema.safeParse(withValue(document, path, value));
    if (success) passed.push(`${path.join('.')}: ${JSON.stringify(value)?.slice(0, 80)}`);
  }
  expect(tried).toBeGreaterThan(0);
  return passed;
}

function subject(name: string): Subject {
  const found = SUBJECTS[name];
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

function deep(depth: number, open: string, close: string): unknown {
  return JSON.parse(`${open.repeat(depth)}null${close.repeat(depth)}`);
}

describe.each(names)('a hostile %s', (name) => {
  const honest = subject(name);
  const places = placesIn(honest.document);

  it('is told from an honest one', () => {
    expect(honest.schema.safeParse(honest.document).error).toBe(undefined);
  });

  it.each(['extra', '__proto__'])('has a key %s somewhere', (key) => {
    const maps = places.filter(
      ({ path, value }) =>
        typeof value === 'object' && value !== null && !Array.isArray(value) && !isInJson(path),
    );
    const changes = maps.map(({ path, value }) => {
      const more = JSON.parse(`{${JSON.stringify(key)}: {"polluted": true}}`);
      return [
        path,
        Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(value), ...descriptors(more) }),
      ] as const;
    });
    expect(letThrough(honest, changes)).toEqual([]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('lacks something', () => {
    const fields = places.filter(({ path }) => path.length > 0 && !isInJson(path));
    const changes = fields.flatMap(({ path, value }) =>
      typeof value === 'object' ? [] : [[path, undefined] as const],
    );
    const optional =
      /(?:^|\.)(?:instructions|timeoutSeconds|ignoreCase|exact|flags|dialect|least|minScore|negate|output|protocol|passThreshold|maxCostUsd|jobs|cacheRead|cacheWrite|template|weight|score|notTaped|durationMs|outOfBudget): undefined$/;
    expect(letThrough(honest, changes).filter((it) => !optional.test(it))).toEqual([]);
  });

  it('has words where numbers should be, or numbers without end', () => {
    const numbers = places.filter(({ path, value }) => typeof value === 'number' && !isInJson(path));
    const strange = [
      'NaN',
      'Infinity',
      '5',
      Number.NaN,
      JSON.parse('1e999'),
      JSON.parse('-1e999'),
      [5],
      true,
    ];
    const changes = numbers.flatMap(({ path }) => strange.map((value) => [path, value] as const));
    expect(letThrough(honest, changes)).toEqual([]);
  });

  it('has something else in the place of a word', () => {
    const words = places.filter(({ path, value }) => typeof value === 'string' && !isInJson(path));
    const changes = words.flatMap(({ path }) =>
      [5, {}, ['a', 1], true].map((value) => [path, value] as const),
    );
    expect(letThrough(honest, changes)).toEqual([]);
  });

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('is nested 10,000 deep: %s', (open, close) => {
    const nested = deep(10_000, open, close);
    expect(
      letThrough(
        honest,
        places.map(({ path }) => [path, nested] as const),
      ),
    ).toEqual([]);
  });
});

function descriptors(value: object) {
  return Object.getOwnPropertyDescriptors(value);
}

const BAD_PLACES = [
  ...[
    'bundle:',
    'bundle:/',
    'bundle:/etc/passwd',
    'bundle:..',
    'bundle:../x',
    'bundle:a/../../x',
    'bundle:a/..',
  ],
  ...['bundle:.', 'bundle:./a', 'bundle:a/./b', 'bundle:a//b', 'bundle:a/', 'bundle:a\\b', 'bundle:..\\x'],
  ...[
    'bundle:a\0b',
    'bundle:C:/x',
    'bundle:c:x',
    'bundle:a\nb',
    'bundle:\ud800',
    `bundle:${'a/'.repeat(65)}b`,
  ],
  ...['bundle://etc/passwd', `bundle:${'x'.repeat(256)}`, 'bundle:bundle:/../x'],
];
const NO_PLACES = [
  '',
  '/etc/passwd',
  'etc/passwd',
  'Bundle:a',
  ' bundle:a',
  'file:///etc/passwd',
  '~',
  '\0bundle:a',
];

describe('a place', () => {
  it.each([...BAD_PLACES, ...NO_PLACES])('is not %j', (place) => {
    expect(bundlePlace.safeParse(place).success).toBe(false);
  });

  it.each(['bundle:a', 'bundle:a/b.txt', 'bundle:..a/...', 'bundle:bundle:a', 'bundle:%2e%2e/ä 😀'])(
    'may be %j',
    (place) => {
      expect(bundlePlace.safeParse(place).success).toBe(true);
    },
  );

  it.each(['case', 'settings'])('of a %s is nowhere else', (name) => {
    const honest = subject(name);
    const found = placesIn(honest.document).filter(({ value }) => String(value).startsWith('bundle:'));
    const isWord = ({ path }: { readonly path: Path }) => /(?:argv\.\d+|^command\.\d+)$/.test(path.join('.'));
    const changes = found.flatMap((place) =>
      [...BAD_PLACES, ...(isWord(place) ? [] : NO_PLACES)].map((value) => [place.path, value] as const),
    );
    expect(found.some(isWord)).toBe(true);
    expect(found.every(isWord)).toBe(false);
    expect(letThrough(honest, changes)).toEqual([]);
  });
});

describe('a path in a folder', () => {
  it.each([
    ['case', ['files', 0, 'to']],
    ['case', ['setup', 'repositories', 0, 'to']],
    ['settings', ['writablePaths', 0]],
    ['result', ['capture']],
  ] as const)('of a %s does not lead out: %j', (name, path) => {
    const outside = ['../x', '/etc/passwd', 'a/../../x', 'a\0', '', 'C:\\x', '..'];
    expect(
      letThrough(
        subject(name),
        outside.map((value) => [path, value] as const),
      ),
    ).toEqual([]);
  });
});

describe('a document of another kind', () => {
  it.each([
    ['case', ['graders', 0, 'kind'], 'regex'],
    ['case', ['graders', 0, 'kind'], 'constructor'],
    ['case', ['scoring', 'mode'], 'all'],
    ['case', ['scoring', 'groups', 1, 'aggregator', 'kind'], 'judge'],
    ['case', ['sources'], ['/etc/passwd']],
    ['case', ['env'], { 'A=B': 'x' }],
    ['case', ['env'], { A: 'x\0y' }],
    ['case', ['setup', 'before', 0, 'argv'], []],
    ['settings', ['target', 'provider'], 'other'],
    ['result', ['verdict'], 'pass'],
    ['result', ['errorKind'], 'toString'],
    ['result', ['judged', 'judgement', 'votes', 0, 'state'], 'failed'],
    ['result', ['durationMs'], -1],
    ['capture', ['events', 0, 'type'], 'message'],
    ['capture', ['hooks', 0, 'decision'], 'maybe'],
  ] as const)('is no %s: %j %j', (name, path, value) => {
    expect(letThrough(subject(name), [[path, value]])).toEqual([]);
  });

  it.each(names)('is no %s: nothing, a list, a word', (name) => {
    expect(
      letThrough(
        subject(name),
        [null, undefined, [], {}, 'x', 5].map((it) => [[], it] as const),
      ),
    ).toEqual([]);
  });

  it('is told in a few words, with its place', () => {
    const { error } = travellingCase.safeParse(
      withValue(SUBJECTS['case']?.document, ['files', 0, 'from'], 'bundle:../x'),
    );
    expect(error && travelProblem(error)).toBe(
      'files[0].from: names a place in the bundle that leads outside with ".."',
    );
    const long = travellingCase.safeParse({ ['x'.repeat(100_000)]: 1, ...WHOLE_CASE });
    expect(long.error && travelProblem(long.error).length).toBeLessThanOrEqual(500);
  });
});

it('the compiler tells a schema from a model that has one field more, optional or not', () => {
  const same: Same<{ a: string[]; b?: { c: 1 } }, { readonly a: readonly string[]; b?: { readonly c: 1 } }> =
    true;
  // @ts-expect-error: b is missing.
  const fewer: Same<{ a: string }, { a: string; b?: string }> = true;
  // @ts-expect-error: further down.
  const inner: Same<{ a: { b: 1 }[] }, { a: { b: 1; c?: 2 }[] }> = true;
  // @ts-expect-error: a word more.
  const words: Same<{ a: 'x' | 'y' }, { a: 'x' }> = true;
  expect([same, fewer, inner, words]).toHaveLength(4);
});
