/** Assertions that would decide nothing, or less than is written there, are mistakes. */
import { describe, expect, it } from 'vitest';
import { graded, lines, onlyCase, read } from './skill-evals.ts';

async function refusal(fields: object): Promise<string> {
  const loaded = await read([
    { id: 'good', prompt: 'x', expected: 'y' },
    { id: 'a', prompt: 'x', ...fields },
  ]);
  expect(loaded.suite.cases.map(({ name }) => name)).toEqual(['good']);
  return lines(loaded)
    .split('\n')
    .map((line) => line.replace(/^error evals\/evals\.json:\d+:\d+ /, ''))
    .join('\n');
}

describe('what must not be', () => {
  it('is the opposite of what is written there, and always required', async () => {
    const it = await onlyCase({
      forbidden: [
        'A push',
        { type: 'contains', value: 'ERROR' },
        { type: 'icontains', value: ['a', 'b'] },
        { type: 'contains-all', value: ['a', 'b'] },
        { type: 'regex', value: 'TODO' },
        { type: 'file-exists', path: 'x.tmp' },
        { type: 'file-contains', path: 'out.csv', value: ['x', 'y'] },
        { text: 'A merge', weight: 2 },
        { type: 'contains', value: 'fine', required: false },
      ],
      fail: { type: 'equals', value: 'no' },
    });
    expect(graded(it)).toEqual([
      'forbidden-2: contains {"of":"said","values":["ERROR"],"match":"any","ignoreCase":false} required negated',
      'forbidden-3: contains {"of":"said","values":["a","b"],"match":"any","ignoreCase":true} required negated',
      'forbidden-4: contains {"of":"said","values":["a","b"],"match":"all","ignoreCase":false} required negated',
      'forbidden-5: regex {"of":"said","pattern":"TODO"} required negated',
      'forbidden-6: files-exist {"paths":["x.tmp"]} required negated',
      'forbidden-7: file-contains {"path":"out.csv","values":["x","y"],"match":"any"} required negated',
      'forbidden-9: contains {"of":"said","values":["fine"],"match":"any","ignoreCase":false} negated',
      'forbidden-10: equals {"of":"answer","value":"no"} required negated',
      'forbidden-1: This did not happen: A push required',
      'forbidden-8: This did not happen: A merge ×2 required',
    ]);
  });

  it.each([{ type: 'not-contains' }, { type: 'contains', negate: true }, { type: 'not-regex' }])(
    'is not said twice: %j',
    async (it) => {
      expect(await refusal({ forbidden: [{ value: 'x', ...it }] })).toContain(
        'says once more that something must not be',
      );
    },
  );
});

describe('a check that cannot fail, or is cut down, is a mistake', () => {
  it.each([
    [{ type: 'contains', value: '' }, 'an assertion of type contains has an empty value'],
    [{ type: 'contains', value: ['x', ''] }, 'has an empty value'],
    [{ type: 'contains', value: [] }, 'needs a value'],
    [{ type: 'not-contains', value: '' }, 'has an empty value'],
    [{ type: 'starts-with', value: ' ' }, 'has an empty value'],
    [{ type: 'ends-with', value: '' }, 'has an empty value'],
    [{ type: 'file-contains', path: 'a', value: '' }, 'has an empty value'],
    [{ type: 'regex', value: '' }, 'bad-pattern: the pattern matches every text, so it decides nothing'],
    [{ type: 'regex', value: '(?i)' }, 'the pattern matches every text'],
    [{ type: 'regex', value: '.*' }, 'the pattern matches every text'],
    [{ type: 'not-regex', value: 'x*' }, 'the pattern matches every text'],
    [{ type: 'regex', value: ['a', 'b'] }, 'takes one value, not a list'],
    [{ type: 'equals', value: ['a', 'b'] }, 'takes one value, not a list'],
    [{ type: 'starts-with', values: ['a', 'b'] }, 'takes one value, not a list'],
    [{ type: 'contains', value: 'a', values: ['b'] }, 'has value and values, and only one of them can count'],
    [{ type: 'regex', value: 'a', flags: 3 }, 'needs its flags as a text'],
    [{ type: 'contains', value: 'a', flags: 'i' }, 'does not know flags'],
    [
      { type: 'contains', value: 'a', path: 'out.csv' },
      'does not know path: it looks at what the agent said',
    ],
    [{ type: 'is-json', value: 'x' }, 'takes no value'],
    [{ type: 'file-exists', path: 'a', value: 'b' }, 'names its file twice'],
    [{ type: 'file-exists', path: '/etc/passwd' }, 'has the path "/etc/passwd", which is absolute'],
    [{ type: 'file-created', path: './' }, 'which is the whole workspace'],
    [{ type: 'file-exists', value: ['a', 'b'], negate: true }, 'that must not hold takes one value'],
    [{ type: 'contains', value: 'a', negate: 'true' }, 'wrong-type: negate must be true or false'],
    [{ type: 'contains', value: 'a', required: 'yes' }, 'wrong-type: required must be true or false'],
    [{ text: 'x', required: 1 }, 'wrong-type: required must be true or false'],
    [{ text: 'x', weight: '2' }, 'weight must be a number from 0 to 1000000'],
    [{ text: 'x', weight: 1e308 }, 'weight must be a number from 0 to 1000000'],
    [{ text: 'x', weight: 0 }, 'every assertion of the case has the weight 0, so nothing decides it'],
  ])('%j', async (assertion, message) => {
    expect(await refusal({ assertions: [assertion] })).toContain(message);
  });

  it.each(['^$', '^(?!.*ERROR)', '[^x]*x', '\\bdone\\b'])('but the pattern %s is one', async (value) => {
    expect(graded(await onlyCase({ assertions: [{ type: 'regex', value }] }))).toHaveLength(1);
  });
});

describe('a single assertion', () => {
  it('need not stand in a list', async () => {
    expect(graded(await onlyCase({ assertions: { type: 'contains', value: 'x' } }))).toEqual([
      'assertion-1: contains {"of":"said","values":["x"],"match":"all","ignoreCase":false}',
    ]);
    expect(graded(await onlyCase({ assertions: { text: 'It is done', weight: 2 } }))).toEqual([
      'assertion-1: It is done ×2',
    ]);
  });
});

describe('expect_skill', () => {
  const trigger = (skill: string, expected: boolean, id = 'skill-trigger') =>
    `${id}: skill-trigger {"skill":"${skill}","expected":${expected}} required`;

  it('expects that very skill to be used', async () => {
    expect(graded(await onlyCase({ expect_skill: 'csv-analyzer' }))).toEqual([trigger('csv-analyzer', true)]);
    expect(graded(await onlyCase({ expect_skill: 'other' }))).toEqual([trigger('other', true)]);
  });

  it('beside should_trigger: false names the one that is right instead', async () => {
    const fields = { should_trigger: false, expect_skill: 'other' };
    expect(graded(await onlyCase(fields))).toEqual([trigger('csv-analyzer', false)]);
    const loaded = await read([{ prompt: 'x', ...fields }]);
    expect(lines(loaded)).toContain('missing-skill: the skill other is expected, and not installed here');
  });

  it('must be a name', async () => {
    expect(await refusal({ expect_skill: true })).toContain('expect_skill must be the name of a skill');
  });
});

it('a NUL in a prompt is refused at its place', async () => {
  const loaded = await read('{"evals": [\n {"id": 1, "prompt": "a\\u0000b", "assert": ["x"]}]}');
  expect(loaded.suite.cases).toEqual([]);
  expect(lines(loaded)).toBe(
    'error evals/evals.json:2:22 wrong-value: the prompt must not contain a NUL character',
  );
});
