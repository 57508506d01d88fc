/** Patterns, texts and values that are made to take for ever: whoever wrote them, the run goes on and nothing passes. */
import { describe, expect, it } from 'vitest';
import { runGraders } from '../../src/check/graders.ts';
import { jsonSubset } from '../../src/check/kinds/json-subset.ts';
import { findSecrets } from '../../src/gateway/tape/scrub.ts';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { type Grader, type GraderKind, type GraderOptions, grader } from '../../src/model/grader.ts';
import { checkPackage } from '../../src/package/rules.ts';
import { AgentRecorder } from '../../src/pipeline/trial-record.ts';
import { fitsGlob } from '../../src/plan/glob.ts';
import { NOTHING } from '../check/observed.ts';
import { aam } from '../helpers/cli.ts';
import { CLEAN, writePackage } from '../helpers/package.ts';
import { attempted } from './attempts.ts';

const AS = `${'a'.repeat(5000)}!`;

describe('a pattern that backtracks without end', () => {
  it.for([
    ['nested', '(a+)+$', undefined],
    ['alternatives', '(a|a)*$', undefined],
    ['overlapping', '(a|aa)+$', undefined],
    ['many stars', `${'a*'.repeat(30)}b`, undefined],
    ['a look behind', '(?<=(a+)+b)x', undefined],
    ['a back reference', '(a*)*\\1b', undefined],
    ['of Rust', '(a+)+$', 'rust'],
    ['of Rust, counted', '(a{1,50}){1,50}$', 'rust'],
  ] as const)('%s: decides nothing', ([, pattern, dialect], context) => {
    attempted(context);
    const [found] = grade('regex', { of: 'answer', pattern, ...(dialect && { dialect }) }, AS);
    // Some engines see through some of them.
    expect(found?.verdict).not.toBe('PASS');
    expect(found?.message).toMatch(/backtracks too much|does not match/);
  });

  it('in a field of JSON, as a value or as a filter', (context) => {
    attempted(context, 2);
    const text = JSON.stringify([{ name: AS }]);
    const fields = [
      { field: '/0/name', relation: 'regex', value: '(a+)+$' },
      { field: '$[?search(@.name, "(a+)+$")]', relation: 'contains', value: 'x' },
    ] as const;
    for (const options of fields)
      expect(grade('json-field', { of: 'answer', ...options }, text)[0]?.verdict).toBe('SKIP');
  });

  it('in the matcher of a hook: a test that asks it goes on', async (context) => {
    attempted(context);
    await using pkg = await writePackage({
      ...CLEAN,
      'hooks/hooks.json': {
        version: 1,
        hooks: { 'pre-tool-use': [{ matcher: '(a+)+$', hooks: [{ type: 'command', command: 'exit 2' }] }] },
      },
      'hooks/tests/cases/a.yaml': {
        name: 'a',
        event: 'pre-tool-use',
        input: { 'tool-name': AS, 'tool-input': {} },
        expected: { 'exit-code': 0 },
      },
    });
    expect(checkPackage(await readPackage(pkg.root)).filter(({ rule }) => rule === 'bad-regex')).toEqual([]);
    const { code, stderr } = await aam(['test'], { cwd: pkg.root });
    expect([1, 2]).toContain(code);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it('as a filter of cases', (context) => {
    attempted(context);
    expect(fitsGlob(`${'*a'.repeat(40)}*b`, 'a'.repeat(5000))).toBe(false);
    expect(fitsGlob(`${'*a'.repeat(40)}*`, 'a'.repeat(5000))).toBe(true);
  });
});

describe('an answer that is nested 100,000 deep', () => {
  const list = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const map = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  const graders: readonly Grader[] = [
    grader('field', 'json-field', { of: 'answer', field: '', relation: 'contains', value: 'x' }),
    grader('path', 'json-field', { of: 'answer', field: '$..a', relation: 'contains', value: 'x' }),
    grader('subset', 'json-subset', { of: 'answer', value: { b: 1 } }),
    grader('accuracy', 'field-accuracy', {
      reference: { a: [1] },
      fields: [{ path: 'a', match: { kind: 'exact' }, weight: 1, required: true }],
      aggregation: 'weighted-average',
    }),
  ];
  it.for([
    ['lists', list],
    ['maps', map],
  ] as const)('%s: fails what is expected of it, and what is not', ([, answer], context) => {
    attempted(context, 2 * graders.length);
    for (const negate of [false, true]) {
      const asked = graders.map((it) => ({ ...it, negate })) as Grader[];
      for (const { check, verdict, message } of runGraders(
        { graders: asked },
        { ...NOTHING, answer, said: answer },
      )) {
        if (!negate || /too deeply/.test(message))
          expect(`${check} ${verdict} ${message}`).not.toMatch(/ PASS /);
      }
    }
  });

  it('cannot keep a call of a tool from being written down', (context) => {
    attempted(context);
    const recorder = new AgentRecorder();
    recorder.add({ type: 'tool-call', id: '1', tool: 'Bash', input: JSON.parse(list), subAgent: false });
    const { events, gap } = recorder.finish([]);
    expect(JSON.parse(JSON.stringify(events))).toHaveLength(2);
    expect(gap).toBe('the input of a call of Bash is nested too deeply to be kept');
  });
});

describe('a text that is slow to look through', () => {
  it('fences that are never closed', (context) => {
    attempted(context);
    const [found] = grade(
      'field-accuracy',
      {
        reference: { a: 1 },
        fields: [{ path: 'a', match: { kind: 'exact' }, weight: 1, required: true }],
        aggregation: 'weighted-average',
      },
      '```x\n'.repeat(400_000),
    );
    expect(found?.verdict).toBe('FAIL');
  });

  it('JSON that has nothing in common with what is expected', (context) => {
    attempted(context);
    const text = JSON.stringify({ list: Array.from({ length: 40_000 }, (_, index) => index) });
    const expected = { list: Array.from({ length: 20_000 }, (_, index) => `${index}`) };
    const found = jsonSubset(expected, text, 'the answer');
    expect(found).toMatchObject({ verdict: 'FAIL' });
    expect(found).not.toHaveProperty('diff');
  });

  it.for([
    ...[
      'rt_',
      'sk-ant-',
      'eyJ',
      'eyJaaaaaaaaaaa.',
      'glpat-',
      'xoxa-',
      'AccountKey=',
      'a://b:c',
      '-----BEGIN ',
    ],
    ...['token=', 'api_key=a1b2c3d4e5f6g7h8i9j0k1 ', 'AKIAABCDEFGHIJKLMNOP ', '\\\\', '%25', '\\u005c'],
  ])('beginnings of secrets: %s', (unit, context) => {
    attempted(context);
    const text = unit.repeat(Math.ceil(300_000 / unit.length));
    const found = findSecrets(`x${text}`, ['a-key-of-this-machine']);
    expect(found.every(({ index, length }) => index >= 0 && index + length <= text.length + 1)).toBe(true);
  });
});

function grade<Kind extends GraderKind>(kind: Kind, options: GraderOptions[Kind], answer: string) {
  const graders = [grader('it', kind, options)] as Grader[];
  return runGraders({ graders }, { ...NOTHING, answer, said: answer });
}
