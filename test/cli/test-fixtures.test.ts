import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestReport } from '../../src/model/test-report.ts';
import { aam } from '../helpers/cli.ts';
import { fixtureCase, fixtureText, mocksOf } from '../helpers/fixture.ts';
import { CLEAN, type Files, writePackage } from '../helpers/package.ts';
import { together } from '../helpers/together.ts';

interface Tried {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(files: Files, args: readonly string[] = ['fixture.yaml']): Promise<Tried> {
  await using pkg = await writePackage(files);
  const { code, stdout, stderr } = await aam(['test', ...args], { cwd: pkg.root });
  return { code, stdout: stdout.replaceAll(/\d+(?:\.\d+)? m?s\b/g, 'N ms'), stderr };
}

/** id → verdict and what the failed checks say. */
async function verdicts(files: Files, args: readonly string[] = []): Promise<Record<string, string>> {
  const { stdout } = await run(files, ['fixture.yaml', '--json', ...args]);
  const report = JSON.parse(stdout) as TestReport;
  return Object.fromEntries(
    report.packages.flatMap(({ cases }) =>
      cases.map(({ name, verdict, checks, error }) => {
        const failed = checks.filter((check) => check.verdict === 'FAIL').map(({ message }) => message);
        return [name, [verdict, ...failed, ...(error ? [error] : [])].join(': ')];
      }),
    ),
  );
}

interface Asked {
  readonly expected: object;
  readonly response: unknown;
  readonly fields?: object;
}

/** One case each, with these expectations, answered like this. */
const decided = together<Asked, string>(async (all) => {
  const name = (at: number) => `case-${at}`;
  const cases = all.map(({ expected, fields }, at) => fixtureCase(name(at), { expected, ...fields }));
  const said = await verdicts({
    'fixture.yaml': fixtureText(cases),
    'golden/a.txt': 'one\ntwo\nthree\nfour\n',
    ...mocksOf(Object.fromEntries(all.map(({ response }, at) => [name(at), response]))),
  });
  return all.map((_, at) => said[name(at)] ?? '');
});

describe('aam test of fixtures', () => {
  const files: Files = {
    'fixture.yaml': fixtureText([
      fixtureCase('keeps'),
      fixtureCase('loses', { tags: ['nightly'] }),
      fixtureCase('unanswered', { tags: ['edge-case'] }),
      fixtureCase('later', { tags: ['deferred'] }),
    ]),
    ...mocksOf({ keeps: 'It is noted.', loses: 'What?' }),
  };

  it('is not kept from anything by mistakes in deferred cases', async () => {
    const unfinished = fixtureCase('unfinished', { tags: ['deferred'], input: {} });
    const text = fixtureText([fixtureCase('keeps'), unfinished]);
    const { code, stdout } = await run({ ...files, 'fixture.yaml': text });
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('deferred, not run: note-taker/unfinished\n1 passed'),
    ]);
  });

  it('tells the mistakes of a case that is chosen by its name', async () => {
    const text = fixtureText([fixtureCase('keeps'), fixtureCase('wrong', { input: {} })]);
    const { code, stdout } = await run({ ...files, 'fixture.yaml': text }, [
      'fixture.yaml',
      '--case',
      'wrong',
    ]);
    expect([code, stdout]).toEqual([2, expect.stringContaining('input.messages is required')]);
  });

  it.each([
    ['fixture.yaml', /^error: --junit would replace .*fixture\.yaml, which the run needs\n/],
    ['mocks/answers.json', /^error: --junit would replace mocks\/answers\.json of the package/],
  ])('does not replace %s by its JUnit file', async (file, message) => {
    const { code, stderr } = await run(files, ['fixture.yaml', '--junit', file]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('replaces the JUnit file of an earlier run', async () => {
    await using pkg = await writePackage(files);
    for (const code of [1, 1])
      expect((await aam(['test', 'fixture.yaml', '--junit', 'a.xml'], { cwd: pkg.root })).code).toBe(code);
  });

  it('decides each case that has a mock, and says why others are undecided', async () => {
    const { code, stdout, stderr } = await run(files);
    expect(stdout).toMatchInlineSnapshot(`
      "✓ note-taker  keeps  N ms
      ✗ note-taker  loses  N ms
      – note-taker  unanswered  N ms  no mock answers it: mocks/*.json has no agent_response for its id

       FAIL  note-taker loses  fixture.yaml:24:11
        ✗ output-1: the answer does not contain "noted"

      deferred, not run: note-taker/later
      1 passed, 1 failed, 1 undecided in N ms
      "
    `);
    expect([code, stderr]).toEqual([1, '']);
  });

  it('has exit codes like other tests', async () => {
    expect((await run(files, ['fixture.yaml', '--case', 'keeps'])).code).toBe(0);
    expect((await run(files, ['fixture.yaml', '--filter', '*/unanswered'])).code).toBe(3);
    expect((await run({ ...files, 'mocks/b.json': '[' })).code).toBe(2);
  });

  it.each([
    [['--filter', 'note-taker/k*'], ['keeps']],
    [
      ['--filter', 'note-taker/?o*', '--filter', '*keeps'],
      ['keeps', 'loses'],
    ],
    [
      ['--filter-tags', 'nightly,edge-case'],
      ['loses', 'unanswered'],
    ],
    [['--filter-tags', 'nightly', '--filter-tags', 'smoke', '--filter', '*/l*'], ['loses']],
    [['--case', 'note-taker/keeps'], ['keeps']],
  ])('%j chooses %j', async (args, names) => {
    expect(Object.keys(await verdicts(files, args))).toEqual(names);
  });

  it.each([
    [['--filter', 'kepes*'], 'no case fits --filter kepes*'],
    [['--filter', '*/later'], 'no case fits --filter */later\n  deferred: note-taker/later'],
    [['--filter-tags', 'smoek'], 'no case has the tag smoek\n  did you mean smoke?'],
    [['--filter-tags', 'a,,b'], '--filter-tags: a tag is empty'],
    [['--filter', '*keeps', '--filter-tags', 'nightly'], 'no eval case matches the selection'],
    [['--case', 'keep'], 'there is no eval case called keep\n  did you mean keeps'],
    [['--case', 'later'], 'the case later is deferred'],
    [['--skill', 'a'], '--skill chooses tests of a package, not cases of fixtures'],
    [['missing.yaml'], 'missing.yaml is no fixture, and fixture.yaml is'],
  ])('%j cannot run: %s', async (args, message) => {
    const { code, stdout, stderr } = await run(files, ['fixture.yaml', ...args]);
    expect(stderr).toContain(`error: ${message}`);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('cannot run where nothing is there', async () => {
    expect(await run(files, ['nowhere.yaml'])).toMatchObject({ code: 2, stdout: '' });
    const all = { ...files, 'fixture.yaml': fixtureText([fixtureCase('later', { tags: ['deferred'] })]) };
    const { code, stderr } = await run(all);
    expect([code, stderr]).toEqual([2, 'error: every case is deferred\n  note-taker/later\n']);
    const { stderr: packages } = await run({ ...CLEAN, ...files }, ['.', '--filter', 'x']);
    expect(packages).toContain('--filter chooses cases of fixtures, and . is none');
  });

  it('runs none of the cases where the mocks are broken', async () => {
    const { code, stdout } = await run({ ...files, 'mocks/b.json': '[{"tool": "agent_response"}]' });
    expect(stdout).toContain('error: mocks/b.json:1:2: [0].response is required');
    expect(stdout).toContain('3 invalid');
    expect([code, stdout.includes('✓')]).toEqual([2, false]);
  });

  it('leaves out a case with a mistake and runs the others', async () => {
    const broken = fixtureText([
      fixtureCase('keeps'),
      fixtureCase('wrong', { expected: { output: [{ kind: 'has', value: 'a' }] } }),
    ]);
    const { code, stdout } = await run({ ...files, 'fixture.yaml': broken });
    expect(stdout).toContain('✓ note-taker  keeps');
    expect(stdout).toContain('1 passed, 1 invalid');
    expect(code).toBe(2);
    expect((await run({ ...files, 'fixture.yaml': broken }, ['fixture.yaml', '--case', 'keeps'])).code).toBe(
      0,
    );
  });

  it('runs several fixtures at once and writes JUnit', async () => {
    const second = fixtureText([{ ...fixtureCase('x'), id: 'reader/one' }], { skill_or_agent: 'reader' });
    await using pkg = await writePackage({ ...files, 'more/other.yaml': second });
    const args = ['test', 'fixture.yaml', 'more/other.yaml', '--junit', 'out.xml', '--json'];
    const { code, stdout } = await aam(args, { cwd: pkg.root });
    const report = JSON.parse(stdout) as TestReport;
    expect([code, report.exit_code, report.sandbox]).toEqual([1, 1, null]);
    expect(report.packages.map(({ name, deferred, cases }) => [name, deferred, cases.length])).toEqual([
      ['note-taker', ['note-taker/later'], 3],
      ['reader', [], 1],
    ]);
    const xml = await readFile(join(pkg.root, 'out.xml'), 'utf8');
    expect(xml).toContain('<testsuites name="aam test" tests="4" failures="1" errors="0" skipped="2"');
    expect(xml).toContain('file="more/other.yaml"');
  });
});

describe('assertions', () => {
  const json = JSON.stringify({ status: 'open', items: [{ name: 'bolt' }], note: '' });

  const kinds: [object, string, string | RegExp][] = [
    // Kinds that hardly any fixture uses.
    [{ kind: 'equals', value: 'a b' }, 'a b', 'PASS'],
    [{ kind: 'equals', value: 'a b' }, 'a b\n', 'FAIL: the answer does not equal "a b" but is "a b\\n"'],
    [{ kind: 'json_path', field: 'status', value: 'pe' }, json, 'PASS'],
    [
      { kind: 'json_path', field: '/items/0/name', value: 'nut' },
      json,
      'FAIL: /items/0/name of the answer does not contain "nut"',
    ],
    [{ kind: 'json_path', field: '$.items[*].name', value: 'bolt' }, json, 'PASS'],
    [{ kind: 'json_path', field: '$.nothing', value: '' }, json, 'FAIL: the answer has no $.nothing'],
    [{ kind: 'contains', field: 'status', value: 'open' }, json, 'PASS'],
    [{ kind: 'not_contains', field: 'status', value: 'shut' }, json, 'PASS'],
    // Nothing is in a field that is not there, and that proves nothing.
    [{ kind: 'not_contains', field: 'state', value: 'shut' }, json, 'FAIL: the answer has no state'],
    [
      { kind: 'not_contains', field: 'state', value: 'shut' },
      'no JSON',
      /^FAIL: the answer has no state: it is not JSON/,
    ],
    [{ kind: 'regex', value: '(?im)^NOTED$' }, 'a\nnoted', 'PASS'],
    [{ kind: 'regex', value: '(a+)+$' }, `${'a'.repeat(40)}!`, /^SKIP: output-1: .* it backtracks too much$/],
  ];
  for (const [assertion, answer, expected] of kinds) {
    const decision = decided({ expected: { output: [assertion] }, response: answer });
    it(`${JSON.stringify(assertion)} of ${JSON.stringify(answer)}: ${expected}`, async () => {
      if (typeof expected === 'string') expect(await decision()).toBe(expected);
      else expect(await decision()).toMatch(expected);
    });
  }

  const golden = (response: string, fields: object = {}, value = 'golden/a.txt') =>
    decided({ expected: { output: [{ kind: 'golden_diff', value }] }, response, fields });
  const same = golden('one\ntwo\nthree\nfour\n');
  const alike = golden('one\ntwo\nthree\n');
  const alikeEnough = golden('one\ntwo\nthree\n', {
    evaluator_config: { golden_path: 'golden/a.txt', golden_threshold: 0.8 },
  });
  const withNothing = golden('one\n', {}, 'golden/b.txt');

  it('compare with a golden file', async () => {
    expect(await same()).toBe('PASS');
    expect(await alike()).toBe('FAIL: the answer is like golden/a.txt by 0.85, not by 0.9');
    expect(await alikeEnough()).toBe('PASS');
    expect(await withNothing()).toBe('SKIP: output-1: the golden file golden/b.txt is not there');
  });

  const calls = (...tools: string[]) => ({
    content: 'ok',
    tool_calls: tools.map((tool) => ({ tool, args: { of: tool, n: 1 } })),
  });
  const sequence = (order: string, ...tools: string[]) => ({
    tool_sequence: tools.map((tool) => ({ tool, order, args_match: { of: tool } })),
  });

  const orders: [string, string[], string[], string][] = [
    ['strict', ['a', 'b'], ['a', 'b'], 'PASS'],
    ['strict', ['a', 'b'], ['b', 'a'], 'FAIL'],
    ['strict', ['a', 'b'], ['a', 'b', 'c'], 'FAIL'],
    ['subsequence', ['a', 'c'], ['a', 'b', 'c'], 'PASS'],
    ['subsequence', ['c', 'a'], ['a', 'b', 'c'], 'FAIL'],
    ['unordered', ['c', 'a'], ['a', 'b', 'c'], 'PASS'],
    ['unordered', ['d'], ['a', 'b', 'c'], 'FAIL'],
    ['unordered', ['a'], [], 'FAIL'],
  ];
  for (const [order, wanted, made, verdict] of orders) {
    const decision = decided({ expected: sequence(order, ...wanted), response: calls(...made) });
    it(`${order} ${JSON.stringify(wanted)} in ${JSON.stringify(made)}: ${verdict}`, async () => {
      expect(await decision()).toMatch(new RegExp(`^${verdict}`));
    });
  }

  const otherArguments = { tool_sequence: [{ tool: 'a', args_match: { of: 'a', n: 2 } }] };
  const argued = decided({ expected: otherArguments, response: calls('a') });
  it('look at the arguments of calls, which may have more', async () => {
    expect(await argued()).toMatch(/^FAIL: call 1 \(a \{"of":"a","n":2\}\) did not come/);
  });

  const uncalled = decided({ expected: sequence('subsequence', 'a'), response: 'ok' });
  it('find no call that only the fixture speaks of', async () => {
    expect(await uncalled()).toMatch(/^FAIL: .* \(no tool was called\)$/);
  });

  const unasserted = decided({ expected: {}, response: 'ok' });
  it('there must be, or nothing is decided', async () => {
    expect(await unasserted()).toBe('SKIP: it has no assertions; its evaluator decides it:  aam eval');
  });
});

describe('aam validate of fixtures', () => {
  it('tells what is wrong, with line and column, also in TOML', async () => {
    await using pkg = await writePackage({
      ...mocksOf({ one: 'noted' }),
      'good.yaml': fixtureText([fixtureCase('one')]),
      'bad.toml': `schema_version = 1
skill_or_agent = "note-taker"

[[cases]]
id = "note-taker/one"
tags = ["smoke"]
input.messages = [{ role = "user", content = "Note." }]
[[cases.expected.output]]
kind = "regex"
value = "(?i)(noted"
`,
    });
    const good = await aam(['validate', 'good.yaml'], { cwd: pkg.root });
    expect([good.code, good.stdout]).toEqual([0, '✓ good.yaml (1 case): no problems in 1 file\n']);
    const bad = await aam(['validate', 'good.yaml', 'bad.toml'], { cwd: pkg.root });
    expect([bad.code, bad.stdout]).toEqual([
      1,
      `error: bad.toml:10:9: the pattern does not compile: a group is not closed: ) is missing

✗ good.yaml (1 case), bad.toml (1 case): 1 error in 2 files
`,
    ]);
  });
});
