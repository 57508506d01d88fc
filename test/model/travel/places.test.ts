import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/model/case.ts';
import { bundlePlace } from '../../../src/model/travel/place.ts';
import {
  atPlaces,
  settingsAtPlaces,
  settingsWithPlaces,
  withPlaces,
} from '../../../src/model/travel/places.ts';
import { afterJourney, asSent, bundleOf, settingsAfterJourney } from './journey.ts';
import { EVERY_GRADER, HOME, WHOLE_CASE, WHOLE_SETTINGS } from './whole.ts';

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const caseWith = (argv: readonly [string, ...string[]]): Case => ({
  ...WHOLE_CASE,
  graders: [{ ...EVERY_GRADER.program, options: { ...EVERY_GRADER.program.options, argv } }],
});

describe('places', () => {
  it('are all that is left of the paths of a case, and lead back to them', () => {
    const travelling = withPlaces(bundleOf(HOME))(WHOLE_CASE);
    expect(textsIn(travelling).filter((text) => text.includes(HOME))).toEqual([]);
    expect(textsIn(travelling).filter((text) => text.startsWith('/'))).toEqual(['/a', '/bin/sh', '/bin/sh']);
    expect(afterJourney(WHOLE_CASE, HOME)).toStrictEqual(asSent(WHOLE_CASE));
  });

  it('are all that is left of the paths of settings, and lead back to them', () => {
    const travelling = settingsWithPlaces(WHOLE_SETTINGS, bundleOf(HOME));
    expect(textsIn(travelling).filter((text) => text.startsWith('/'))).toEqual(['/bin/sh']);
    expect(settingsAfterJourney(WHOLE_SETTINGS, HOME)).toStrictEqual(WHOLE_SETTINGS);
  });

  it('are in the folder where the bundle was unpacked', () => {
    const travelling = withPlaces(bundleOf(HOME))(WHOLE_CASE);
    const arrived = atPlaces('/srv/worker/job')(travelling);
    const there = textsIn(arrived).filter((text) => text.startsWith('/srv'));
    expect(there).toHaveLength(textsIn(travelling).filter((text) => text.startsWith('bundle:')).length);
    expect(there.every((text) => text.startsWith('/srv/worker/job/project/'))).toBe(true);
    expect(arrived.setup?.before[0]).toMatchObject({
      argv: ['/srv/worker/job/project/evals/setup', 'x'],
      cwd: '/srv/worker/job/project/evals',
    });
  });

  it('are refused where there are none', () => {
    expect(() => withPlaces(bundleOf('/home/planner/other'))(WHOLE_CASE)).toThrow(
      /^the case "whole" cannot travel to another machine: setup\.repositories\[0\]\.from: \/home\/planner\/project\/repos\/a is not among the files that travel$/,
    );
    expect(() => settingsWithPlaces(WHOLE_SETTINGS, () => null)).toThrow(
      /^the settings of the suite cannot travel/,
    );
    expect(() => withPlaces(() => '/etc/passwd')(WHOLE_CASE)).toThrow('must be a place in the bundle');
    expect(() => withPlaces(() => 'bundle:../x')(WHOLE_CASE)).toThrow('leads outside with ".."');
    expect(() => atPlaces('/srv')(WHOLE_CASE)).toThrow('must be a place in the bundle');
    expect(() => settingsAtPlaces(WHOLE_SETTINGS, '/srv')).toThrow('must be a place in the bundle');
  });

  it('are not to be had for a word that an author wrote', () => {
    expect(() => withPlaces(bundleOf(HOME))(caseWith(['cat', 'bundle:project/x']))).toThrow(
      'graders[0].options.argv[1]: a word of a command must not begin with "bundle:"',
    );
    expect(() => settingsWithPlaces({ ...WHOLE_SETTINGS, command: ['bundle:x'] }, bundleOf(HOME))).toThrow(
      'command[0]: a word of a command must not begin with "bundle:"',
    );
  });
});

const part = fc
  .string({
    unit: fc.constantFrom('a', 'B', '0', '.', '-', '_', ' ', 'é', '😀', ':', '$', '"'),
    minLength: 1,
    maxLength: 8,
  })
  .filter((it) => it !== '.' && it !== '..');
const path = fc
  .array(part, { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join('/'))
  .filter((it) => !/^[A-Za-z]:/.test(it));
const word = fc.oneof(
  path.map((it) => join(HOME, it)),
  fc.constantFrom('/bin/sh', '/', '', '--flag', 'a/../../b', 'BUNDLE:x', ' bundle:x'),
  fc.string().filter((it) => !it.startsWith('bundle:') && !it.startsWith('/')),
);

describe('whatever the paths are called', () => {
  it('a case is the same after its journey', () => {
    fc.assert(
      fc.property(path, path, fc.tuple(word, word, word), (from, cwd, argv) => {
        const setup = {
          repositories: [],
          before: [{ name: 'x', argv, cwd: join(HOME, cwd), timeoutMs: 1 }],
          after: [],
        };
        const it = { ...WHOLE_CASE, files: [{ from: join(HOME, from), to: 'a' }], setup };
        expect(afterJourney(it, HOME)).toStrictEqual(asSent(it));
      }),
      { numRuns: 100 },
    );
  });

  it('a place is in the bundle or refused', () => {
    const pieces = fc.constantFrom(
      'bundle:',
      '/',
      '..',
      '.',
      'a',
      '\\',
      '\0',
      'C:',
      '%2e%2e',
      '\n',
      '//',
      '~',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (them) => {
        const place = them.join('');
        const { success } = bundlePlace.safeParse(place);
        if (!success) return;
        const inner = place.replace(/^bundle:/, '');
        expect(inner).not.toBe(place);
        expect(join('/srv/job', inner)).toBe(`/srv/job/${inner}`);
        expect(inner).toMatch(/^[^\\\0\n/]+(?:\/[^\\\0\n/]+)*$/);
      }),
      { numRuns: 2000 },
    );
  });
});
