import { describe, expect, it } from 'vitest';
import { type Observed, pathsOf, runGraders } from '../../src/check/graders.ts';
import { type Grader, type GraderKind, type GraderOptions, grader } from '../../src/model/grader.ts';
import { NO_USAGE } from '../../src/model/usage.ts';
import { NOTHING } from './observed.ts';

function decide<Kind extends GraderKind>(
  kind: Kind,
  options: GraderOptions[Kind],
  observed: Partial<Observed>,
  negate = false,
): string {
  const graders = [grader('a', kind, options, { negate })] as Grader[];
  const [outcome] = runGraders({ graders }, { ...NOTHING, ...observed });
  return `${outcome?.verdict} ${outcome?.message}`;
}

const SAID = { said: 'I looked.\nTotal: 42 EUR\n', answer: 'Total: 42 EUR\n' };

describe('texts', () => {
  it.each([
    [{ values: ['Total', 'looked'], match: 'all' }, 'said', 'PASS the output has all 2'],
    [{ values: ['Total', 'looked'], match: 'all' }, 'answer', 'FAIL the answer does not contain "looked"'],
    [{ values: ['x', 'looked'], match: 'any' }, 'said', 'PASS the output contains "looked"'],
    [{ values: ['x', 'y'], match: 'any' }, 'said', 'FAIL the output contains none of "x", "y"'],
    [{ values: ['TOTAL'], match: 'all' }, 'said', 'FAIL the output does not contain "TOTAL"'],
    [{ values: ['TOTAL'], match: 'all', ignoreCase: true }, 'said', 'PASS the output has all 1'],
    [{ values: [], match: 'any' }, 'said', 'FAIL the output does not contain any text, as none is given'],
  ] as const)('contains %j in what was %s', (options, of, outcome) => {
    expect(decide('contains', { of, ...options }, SAID)).toBe(outcome);
  });

  it('must not be there', () => {
    const decideOn = (values: string[], ignoreCase = false) =>
      decide('not-contains', { of: 'said', values, ignoreCase }, SAID);
    expect(decideOn(['USD'])).toBe('PASS the output has none of 1');
    expect(decideOn(['USD', 'EUR'])).toBe('FAIL the output contains "EUR" (line 2)');
    expect(decideOn(['eur'])).toMatch(/^PASS/);
    expect(decideOn(['eur'], true)).toBe('FAIL the output contains "eur" (line 2)');
  });

  it.each([
    ['starts-with', 'Total', 'PASS'],
    ['starts-with', 'total', 'FAIL'],
    ['starts-with', '42', 'FAIL'],
    ['ends-with', 'EUR', 'PASS'],
    ['ends-with', 'Total', 'FAIL'],
    ['equals', ' Total: 42 EUR', 'PASS'],
    ['equals', 'Total: 42', 'FAIL'],
  ] as const)('%s %j: %s', (kind, value, verdict) => {
    expect(decide(kind, { of: 'answer', value }, SAID)).toMatch(new RegExp(`^${verdict} `));
  });

  it('ignores case only when asked to', () => {
    expect(decide('equals', { of: 'answer', value: 'TOTAL: 42 eur', ignoreCase: true }, SAID)).toMatch(
      /^PASS/,
    );
  });

  it('is JSON as a whole', () => {
    const isJson = (answer: string) => decide('is-json', { of: 'answer' }, { answer });
    expect(isJson('{"a": 1}')).toMatch(/^PASS/);
    expect(isJson('7')).toMatch(/^PASS/);
    expect(isJson('')).toBe('FAIL the answer is not JSON: it is empty');
    expect(isJson(' \n')).toBe('FAIL the answer is not JSON: it is empty');
    expect(isJson(' ```\n{}\n```')).toMatch(/fences$/);
    expect(isJson('x ```\n{}\n```')).not.toMatch(/fences$/);
    expect(isJson('```json\n{"a": 1}\n```')).toBe(
      'FAIL the answer is not JSON: it stands between ``` fences',
    );
    expect(isJson('Here: {"a": 1}')).toMatch(/^FAIL/);
  });

  it('has the expected JSON in it', () => {
    const answer = '{"total": 42, "rows": [1, 2]}';
    expect(decide('json-subset', { of: 'answer', value: { total: 42 } }, { answer })).toMatch(/^PASS/);
    expect(decide('json-subset', { of: 'answer', value: { total: 43 } }, { answer })).toBe(
      'FAIL the answer differs at total: expected 43, got 42',
    );
  });
});

describe('regular expressions', () => {
  const search = (pattern: string, flags?: string) =>
    decide('regex', { of: 'said', pattern, ...(flags !== undefined && { flags }) }, SAID);

  it('are searched for, with their flags', () => {
    expect(search('\\d+ EUR')).toBe('PASS the output matches /\\d+ EUR/: "42 EUR"');
    expect(search('^Total')).toBe('FAIL the output does not match /^Total/');
    expect(search('^total', 'mi')).toMatch(/^PASS/);
    expect(search('(?i)total')).toMatch(/^PASS/);
    expect(search('total', 'g')).toMatch(/^FAIL/);
  });

  it('that never end leave the case undecided, and the rest goes on', () => {
    const observed = { said: `${'a'.repeat(60)}b` };
    expect(decide('regex', { of: 'said', pattern: '^(a+)+$' }, observed)).toBe(
      'SKIP /^(a+)+$/ was still searching the output after 1 s: it backtracks too much',
    );
    expect(decide('regex', { of: 'said', pattern: '^(a+)+$' }, observed, true)).toMatch(/^SKIP/);
  });

  it('that do not compile decide nothing', () => {
    expect(search('(')).toMatch(/^SKIP .* cannot be used/);
  });
});

describe('files', () => {
  it('are there, whoever made them', () => {
    const present = ['out/report.md', 'in.csv'];
    expect(decide('files-exist', { paths: ['./out/report.md', 'in.csv'] }, { present })).toMatch(/^PASS/);
    expect(decide('files-exist', { paths: ['out/repord.md'] }, { present })).toBe(
      'FAIL out/repord.md is not there; close to it: out/report.md',
    );
    expect(decide('files-exist', { paths: ['out'] }, { present })).toBe('FAIL out is a folder, not a file');
    expect(decide('files-exist', { paths: ['../x'] }, { present })).toMatch(/^FAIL .*leads outside/);
    expect(decide('files-created', { paths: ['in.csv'] }, { existedBefore: ['in.csv'], present })).toMatch(
      /^FAIL/,
    );
  });

  it('hold a text', () => {
    const read = (path: string) =>
      path === 'a.md'
        ? { text: '# Title' }
        : ({
            problem: path === 'big' ? 'is too large' : 'is not there',
            state: path === 'big' ? 'unreadable' : 'missing',
          } as const);
    const holds = (path: string, value: string) =>
      decide('file-contains', { path, values: [value], match: 'all' }, { read });
    expect(holds('./a.md', 'Title')).toMatch(/^PASS/);
    expect(holds('a.md', 'x')).toBe('FAIL a.md does not contain "x"');
    expect(holds('b.md', 'x')).toBe('FAIL b.md is not there');
    expect(holds('big', 'x')).toBe('SKIP big is too large');
    expect(holds('/etc/passwd', 'root')).toMatch(/^FAIL .*absolute/);
  });

  it('that graders speak of are known before', () => {
    const graders = [
      grader('a', 'files-exist', { paths: ['x'] }),
      grader('b', 'file-contains', { path: 'y', values: [], match: 'all' }),
      grader('c', 'is-json', { of: 'answer' }),
    ];
    expect(pathsOf({ graders })).toEqual(['x', 'y']);
  });
});

describe('skills', () => {
  const used = (name: string) => ({ events: [{ type: 'skill', name, how: 'tool' } as const] });
  const expects = (expected: boolean, observed: Partial<Observed>) =>
    decide('skill-trigger', { skill: 'pdf', expected }, observed);

  it('are told apart by their whole names', () => {
    expect(expects(true, used('pdf'))).toBe('PASS the agent loaded the skill pdf');
    expect(expects(true, used('pdf-forms'))).toBe('FAIL the agent did not use the skill pdf, only pdf-forms');
    expect(expects(false, used('pdf-forms'))).toMatch(/^PASS/);
    expect(expects(false, used('pdf'))).toMatch(/^FAIL/);
    expect(expects(false, {})).toBe('PASS the agent did not use the skill pdf');
    const read = { events: [{ type: 'skill', name: 'pdf', how: 'read' } as const] };
    expect(expects(true, read)).toBe('PASS the agent read the skill pdf');
    const words = { events: [{ type: 'message', text: 'pdf', subAgent: false } as const] };
    expect(expects(true, words)).toBe('FAIL the agent did not use the skill pdf');
  });

  it('stay undecided where nobody tells, or not to the end', () => {
    expect(expects(false, { tellsSkills: false })).toMatch(/^SKIP/);
    expect(expects(false, { gap: 'only the first events were kept' })).toMatch(/^SKIP/);
    expect(expects(true, { ...used('pdf'), gap: 'only the first events were kept' })).toMatch(/^PASS/);
  });
});

describe('the opposite', () => {
  const negated = (values: string[], more: Partial<Observed> = {}) =>
    decide('contains', { of: 'said', values, match: 'any' }, { ...SAID, ...more }, true);

  it('passes where the grader fails, and the other way round', () => {
    expect(negated(['USD'])).toMatch(/^PASS/);
    expect(negated(['EUR'])).toBe('FAIL the output contains "EUR", which must not be');
  });

  it('is not shown by what is missing', () => {
    expect(negated(['USD'], { gap: 'the rest was cut' })).toBe(
      'FAIL it must not be so, and may be: the rest was cut',
    );
    expect(negated(['USD'], { fileGap: 'too many files' })).toMatch(/^FAIL/);
  });
});

describe('scores', () => {
  const outcome = (minScore: number | undefined, negate: boolean, observed: Partial<Observed> = {}) => {
    const limits = { maxTotal: 10, maxInput: 5, maxOutput: null };
    const usage = { ...NO_USAGE, inputTokens: 4, outputTokens: 9 };
    const more = { negate, ...(minScore !== undefined && { minScore }) };
    const graders = [grader('a', 'token-usage', limits, more)];
    const [it] = runGraders({ graders }, { ...NOTHING, usage, ...observed });
    return [it?.verdict, it?.score];
  };

  it('pass from where the grader says', () => {
    expect(outcome(undefined, false)).toEqual(['FAIL', 0.5]);
    expect(outcome(0.5, false)).toEqual(['PASS', 0.5]);
    expect(outcome(0.6, false)).toEqual(['FAIL', 0.5]);
  });

  it('are turned round', () => {
    expect(outcome(0.5, true)).toEqual(['PASS', 0.5]);
    expect(outcome(undefined, true)).toEqual(['FAIL', 0.5]);
    expect(outcome(undefined, true, { usage: { ...NO_USAGE, inputTokens: 99 } })).toEqual(['PASS', 1]);
  });

  it('are not there where nothing is known', () => {
    expect(outcome(0.1, false, { usage: null })).toEqual(['SKIP', null]);
    expect(outcome(0.1, true, { usage: null })).toEqual(['SKIP', null]);
  });
});
