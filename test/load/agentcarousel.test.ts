import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { stringify as toToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import type { LoadedSuite } from '../../src/load/format.ts';
import { FORMATS, formatOf } from '../../src/load/formats.ts';
import type { Case } from '../../src/model/case.ts';
import type { EvaluatorName } from '../../src/model/evaluators.ts';
import { fixtureCase, fixtureOf, fixtureText, mocksOf } from '../helpers/fixture.ts';
import { type Files, findingLine, skillText, writePackage } from '../helpers/package.ts';
import { anyValue } from './arbitraries.ts';

async function read(
  text: string,
  files: Files = mocksOf({}),
  file = 'fixture.yaml',
  evaluator?: EvaluatorName,
) {
  await using pkg = await writePackage({ ...files, [file]: text });
  return await FORMATS.agentcarousel.read(join(pkg.root, file), {}, evaluator);
}

function lines({ diagnostics }: LoadedSuite): string[] {
  return diagnostics.map(findingLine);
}

async function only(fields: object, files: Files = mocksOf({}), evaluator?: EvaluatorName): Promise<Case> {
  const loaded = await read(
    fixtureText([fixtureCase('one', { ...fields })]),
    files,
    'fixture.yaml',
    evaluator,
  );
  const [it] = loaded.suite.cases;
  if (!it) throw new Error(lines(loaded).join('\n'));
  return it;
}

/** Findings of a fixture with one case, without those that every one of them has. */
async function wrong(fields: object, files: Files = {}): Promise<string[]> {
  const all = lines(
    await read(fixtureText([fixtureCase('one', { ...fields })]), { ...mocksOf({ one: 'x' }), ...files }),
  );
  return all.map((line) => line.replace(/fixture\.yaml:\d+:\d+ /, ''));
}

function graded({ graders, criteria }: Case): string[] {
  return [
    ...graders.map(({ id, kind, options, weight, required, minScore }) => {
      const share = `×${weight}${required ? ' required' : ''}${minScore === undefined ? '' : ` from ${minScore}`}`;
      return `${id}: ${kind} ${JSON.stringify(options)} ${share}`;
    }),
    ...criteria.map(({ id, text, weight, required, minScore, scale }) =>
      [id, text, `×${weight}`, required, minScore, JSON.stringify(scale)].join(' | '),
    ),
  ];
}

describe('a fixture', () => {
  it('is known by its keys, in YAML and in TOML', async () => {
    const text = fixtureText([fixtureCase('one')]);
    await using pkg = await writePackage({
      'a.yaml': text,
      'b.toml': toToml(fixtureOf([fixtureCase('one')])),
      'c.yaml': 'schema_version: 1\ncases: []\n',
      'd.yaml': 'name: something else\ncases: []\n',
      'e.json': JSON.stringify(fixtureOf([])),
    });
    const formats = ['a.yaml', 'b.toml', 'c.yaml', 'd.yaml'].map((file) => formatOf(join(pkg.root, file)));
    expect(formats).toEqual(['agentcarousel', 'agentcarousel', 'agentcarousel', null]);
  });

  it('means the same in TOML', async () => {
    const cases = [
      fixtureCase('one', {
        timeout_secs: 5,
        expected: { tool_sequence: [{ tool: 'find', args_match: { q: 1 } }] },
      }),
      fixtureCase('two', { tags: ['edge-case'] }),
    ];
    const more = { bundle_id: 'a/b', bundle_version: '1.0.0', defaults: { tags: ['nightly'] } };
    const yaml = await read(fixtureText(cases, more));
    const toml = await read(toToml(fixtureOf(cases, more)), mocksOf({}), 'fixture.toml');
    const plain = ({ suite }: LoadedSuite) =>
      suite.cases.map(({ file, line, hash, sources, graders, ...rest }) => ({
        ...rest,
        graders: graders.map(({ place, ...it }) => it),
      }));
    expect(yaml.suite.cases).toHaveLength(2);
    expect(plain(toml)).toEqual(plain(yaml));
    expect(toml.suite.certification).toEqual({ bundle_id: 'a/b', bundle_version: '1.0.0' });
  });

  it('names its cases by the end of their ids', async () => {
    const { suite } = await read(
      fixtureText([
        fixtureCase('keeps a list'),
        fixtureCase('keeps/a/list'),
        fixtureCase('x', { id: 'note-taker/…' }),
      ]),
    );
    expect(suite.cases.map(({ name, aliases }) => [name, ...aliases])).toEqual([
      ['keeps-a-list', 'note-taker/keeps a list'],
      ['keeps-a-list-2', 'note-taker/keeps/a/list'],
      ['case', 'note-taker/…'],
    ]);
  });

  it('adds its default tags, time and evaluator to every case', async () => {
    const defaults = { tags: ['nightly', 'smoke'], timeout_secs: 20, evaluator: 'judge' };
    const rubric = [{ id: 'clear', description: 'It is clear.', weight: 1 }];
    const { suite } = await read(
      fixtureText(
        [
          fixtureCase('one', { tags: ['edge-case'], expected: { rubric } }),
          fixtureCase('two', { timeout_secs: 3, evaluator_config: { evaluator: 'rules' } }),
          fixtureCase('three', { evaluator_config: { effectiveness_threshold: 0.5 }, expected: { rubric } }),
        ],
        { defaults },
      ),
    );
    expect(suite.cases.map(({ tags, timeoutSeconds, metadata }) => [tags, timeoutSeconds, metadata])).toEqual(
      [
        [['nightly', 'smoke', 'edge-case'], 20, { evaluator: 'judge' }],
        [['nightly', 'smoke'], 3, { evaluator: 'rules' }],
        [['nightly', 'smoke'], 20, { evaluator: 'judge' }],
      ],
    );
  });

  it('keeps deferred cases out of the run and tells which they are', async () => {
    const { suite, deferred, found } = await read(
      fixtureText([fixtureCase('one'), fixtureCase('later', { tags: ['deferred'] })]),
    );
    expect(suite.cases.map(({ name }) => name)).toEqual(['one']);
    expect(deferred).toEqual(['note-taker/later']);
    expect(found).toBe(2);
  });
});

describe('messages', () => {
  it('are instructions, a prompt and what the user says after each answer', async () => {
    const it = await only({
      input: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'First.' },
          { role: 'user', content: 'And this.' },
          { role: 'assistant', content: 'Done.' },
          { role: 'user', content: 'Second.' },
        ],
        context: { room: 4 },
        env_overrides: { MODE: 'test' },
      },
    });
    expect([it.instructions, it.prompt, it.followUps, it.env]).toEqual([
      'Be brief.',
      'First.\n\nAnd this.\n\nContext:\n{\n  "room": 4\n}\n',
      ['Second.'],
      { MODE: 'test' },
    ]);
  });

  it('of other roles are not played, which is said once', async () => {
    const messages = ['user', 'assistant', 'user', 'model', 'user', 'assistant', 'user'].map((role) => ({
      role,
      content: 'x',
    }));
    expect(await wrong({ input: { messages } })).toEqual([
      'warning scripted-answer: messages of the role "assistant" are not played: the agent answers itself (2 times) (each message of the user after one is a turn of its own in the same session)',
      'warning scripted-answer: messages of the role "model" are not played: the agent answers itself (each message of the user after one is a turn of its own in the same session)',
    ]);
  });

  it('need one of the user', async () => {
    expect(await wrong({ input: { messages: [{ role: 'system', content: 'x' }] } })).toEqual([
      'error missing-key: there is no message of the user',
    ]);
  });
});

describe('expectations', () => {
  it('become graders, each required', async () => {
    const it = await only({
      expected: {
        tool_sequence: [
          { tool: 'find', args_match: { q: 'a' } },
          { tool: 'open', order: 'unordered' },
          { tool: 'close', order: 'subsequence' },
        ],
        output: [
          { kind: 'contains', value: 'a' },
          { kind: 'not_contains', value: 'b', field: 'status' },
          { kind: 'equals', value: ' c ' },
          { kind: 'regex', value: '(?i)d' },
          { kind: 'json_path', value: 'e', field: '$.x[0]' },
        ],
      },
    });
    expect(graded(it)).toMatchInlineSnapshot(`
      [
        "tool-sequence-subsequence: tool-trajectory {"mode":"in-order","minimums":{},"expected":[{"tool":"find","args":{"q":"a"},"argsMatch":"part","maxDurationMs":null},{"tool":"close","args":null,"argsMatch":"part","maxDurationMs":null}]} ×0 required",
        "tool-sequence-unordered: tool-trajectory {"mode":"superset","minimums":{},"expected":[{"tool":"open","args":null,"argsMatch":"part","maxDurationMs":null}]} ×0 required",
        "output-1: contains {"of":"answer","values":["a"],"match":"all"} ×0 required",
        "output-2: json-field {"of":"answer","field":"status","relation":"not-contains","value":"b"} ×0 required",
        "output-3: equals {"of":"answer","value":" c ","exact":true} ×0 required",
        "output-4: regex {"of":"answer","pattern":"(?i)d","dialect":"rust"} ×0 required",
        "output-5: json-field {"of":"answer","field":"$.x[0]","relation":"contains","value":"e"} ×0 required",
      ]
    `);
    expect(it.assertions).toEqual([
      'tool-sequence-subsequence',
      'tool-sequence-unordered',
      ...[1, 2, 3, 4, 5].map((at) => `output-${at}`),
    ]);
    expect(it.graders.map(({ place }) => place?.line)).toEqual([13, 13, 21, 23, 26, 28, 30]);
  });

  it('of a strict order are all calls there are', async () => {
    const it = await only({ expected: { tool_sequence: [{ tool: 'find', order: 'strict' }] } });
    expect(it.graders.map(({ id, options }) => [id, (options as { mode?: string }).mode])).toEqual([
      ['tool-sequence', 'exact'],
    ]);
  });

  it.each([
    [{ output: [{ kind: 'contians', value: 'a' }] }, 'did you mean contains?'],
    [{ output: [{ kind: 'contains', value: 5 }] }, 'put it in quotes'],
    [{ output: [{ kind: 'contains' }] }, 'expected.output[0].value is required'],
    [{ output: [{ kind: 'json_path', value: 'a' }] }, 'json_path needs a field'],
    [
      { output: [{ kind: 'json_path', value: 'a', field: '$[' }] },
      'error bad-path: the JSONPath cannot be read: ',
    ],
    [
      { output: [{ kind: 'regex', value: '(' }] },
      'error bad-pattern: the pattern does not compile: a group is not closed',
    ],
    [{ tool_sequence: [{ tool: 'a', order: 'any' }] }, 'must be strict, subsequence or unordered, not "any"'],
    [
      { tool_sequence: [{ tool: 'a', order: 'strict' }, { tool: 'b' }] },
      'warning mixed-order: calls with order strict stand for all calls of the agent',
    ],
    [{ output: [{ kind: 'golden_diff', value: '../a.txt' }] }, 'error bad-path: "../a.txt" '],
    [{ output: [{ kind: 'contains', value: '' }] }, 'warning vacuous: every answer contains an empty text'],
    [{ output: [{ kind: 'not_contains', value: '' }] }, 'so this can never hold'],
    [{ output: [{ kind: 'regex', value: '(?s).*' }] }, 'warning vacuous: the pattern matches every answer'],
    [{ rubric: [{ id: 'a', description: 'b', weight: -1 }] }, 'weight must not be negative'],
    [{ rubric: [{ id: 'a', description: 'b', weight: 0 }] }, 'error weights: all weights are 0'],
    [
      { rubric: [{ id: 'a', description: 'b', weight: 2 }] },
      'warning weights: the weights add up to 2, not to 1',
    ],
    [
      { rubric: [1, 2].map(() => ({ id: 'a', description: 'b', weight: 0.5 })) },
      'error duplicate-id: the rubric id a is there twice',
    ],
    [
      { rubric: [{ id: 'a', description: 'b', weight: 1 }] },
      'warning unscored: the rubric item a has no auto_check',
    ],
    [
      { rubric: [{ id: 'a', description: 'b', weight: 1, auto_check: { kind: 'regex', value: '(' } }] },
      'warning bad-pattern: the pattern does not compile',
    ],
    [
      { rubric: [{ id: 'a', description: 'b', weight: 1, critical: true }] },
      'error unscored: the critical rubric item a has no auto_check, so the evaluator rules cannot decide it',
    ],
    [{}, 'warning ungraded: the case note-taker/one says nothing that could be graded'],
  ])('%j: %s', async (expected, message) => {
    expect((await wrong({ expected })).join('\n')).toContain(message);
  });
});

describe('evaluators', () => {
  const rubric = [
    { id: 'clear', description: 'It is clear.', weight: 0.6, auto_check: { kind: 'contains', value: 'a' } },
    { id: 'short', description: 'It is short.', weight: 0.4, critical: true },
  ];
  const expected = { output: [{ kind: 'contains', value: 'noted' }], rubric };

  it('rules scores what has an auto_check', async () => {
    const uncritical = rubric.map(({ critical, ...item }) => item);
    const it = await only({ expected: { ...expected, rubric: uncritical } });
    expect(it.scoring).toEqual({ mode: 'score', threshold: 0.7 });
    expect(graded(it)).toMatchInlineSnapshot(`
      [
        "output-1: contains {"of":"answer","values":["noted"],"match":"all"} ×0 required",
        "clear: contains {"of":"answer","values":["a"],"match":"all"} ×0.6",
      ]
    `);
  });

  it('judge scores every item, beside the assertions', async () => {
    const config = { evaluator: 'judge', judge_prompt: 'Be strict.', effectiveness_threshold: 0.8 };
    const it = await only({ expected, evaluator_config: config });
    expect(it.scoring).toEqual({ mode: 'score', threshold: 0.8 });
    expect(graded(it)).toMatchInlineSnapshot(`
      [
        "output-1: contains {"of":"answer","values":["noted"],"match":"all"} ×0 required",
        "clear | It is clear.

      What else its author says: Be strict. | ×0.6 | false | 0.8 | []",
        "short | It is short.

      What else its author says: Be strict. | ×0.4 | true | 0.95 | []",
      ]
    `);
  });

  it('golden compares with a file, beside the assertions', async () => {
    const config = {
      evaluator: 'golden',
      golden_path: 'golden/a.txt',
      golden_threshold: 0.6,
      effectiveness_threshold: 0.1,
    };
    const it = await only({ expected, evaluator_config: config }, { 'golden/a.txt': 'noted\n' });
    expect(it.scoring).toEqual({ mode: 'score', threshold: 0.6 });
    expect(graded(it)).toMatchInlineSnapshot(`
      [
        "output-1: contains {"of":"answer","values":["noted"],"match":"all"} ×0 required",
        "golden: golden {"of":"answer","path":"golden/a.txt","text":"noted\\n","ignoreSpace":false} ×1 required from 0.6",
      ]
    `);
  });

  it('process runs a program', async () => {
    const config = { evaluator: 'process', process_cmd: ['node', 'checks/a.mjs'] };
    const it = await only({ expected: {}, evaluator_config: config }, { 'checks/a.mjs': '' });
    expect(it.graders.map(({ id, kind }) => [id, kind])).toEqual([['process', 'program']]);
    expect(it.graders[0]?.options).toMatchObject({
      argv: ['node', 'checks/a.mjs'],
      protocol: 'agentcarousel',
    });
  });

  it('can be chosen for all cases at once', async () => {
    const it = await only({ expected }, {}, 'judge');
    expect(it.criteria.map(({ id }) => id)).toEqual(['clear', 'short']);
  });

  it('golden_diff is an assertion of any of them', async () => {
    const it = await only(
      { expected: { output: [{ kind: 'golden_diff', value: 'golden/a.txt' }] } },
      { 'golden/a.txt': 'noted\n' },
    );
    expect(graded(it)).toEqual([
      'output-1: golden {"of":"answer","path":"golden/a.txt","text":"noted\\n","ignoreSpace":false,"least":0.9} ×0 required',
    ]);
  });

  it('golden_diff holds or does not, also where it scores a rubric item', async () => {
    const it = await only(
      {
        expected: {
          rubric: [
            {
              id: 'like',
              description: 'It is like it.',
              weight: 1,
              auto_check: { kind: 'golden_diff', value: '' },
            },
          ],
        },
        evaluator_config: { golden_path: 'golden/a.txt', golden_threshold: 0.8 },
      },
      { 'golden/a.txt': 'noted\n' },
    );
    expect(graded(it)).toEqual([
      'like: golden {"of":"answer","path":"golden/a.txt","text":"noted\\n","ignoreSpace":false,"least":0.8} ×1',
    ]);
  });

  it('find their files beside the fixture and above it, and nowhere else', async () => {
    await using elsewhere = await writePackage({ 'secret.txt': 'x' });
    await using pkg = await writePackage({
      'fixtures/a/fixture.yaml': fixtureText(
        ['golden/near.txt', 'golden/far.txt', 'golden/link.txt'].map((path, index) =>
          fixtureCase(`case-${index}`, { evaluator_config: { evaluator: 'golden', golden_path: path } }),
        ),
      ),
      'fixtures/a/golden/near.txt': 'near',
      'golden/near.txt': 'not this one',
      'golden/far.txt': 'far',
    });
    await symlink(join(elsewhere.root, 'secret.txt'), join(pkg.root, 'golden/link.txt'));
    const { suite } = await FORMATS.agentcarousel.read(join(pkg.root, 'fixtures/a/fixture.yaml'));
    const texts = suite.cases
      .flatMap(({ graders }) => graders)
      .flatMap((it) => (it.kind === 'golden' ? [it.options.text] : []));
    expect(texts).toEqual(['near', 'far', null]);
  });

  it.each([
    [{ evaluator: 'golden' }, 'error missing-key: the evaluator golden needs a golden_path'],
    [{ evaluator: 'process' }, 'error missing-key: the evaluator process needs a process_cmd'],
    [{ evaluator: 'judge' }, 'error missing-key: the evaluator judge needs a rubric or judge_prompt'],
    [{ evaluator: 'golden', golden_path: '/etc/hosts' }, 'error bad-path: "/etc/hosts" is absolute'],
    [{ evaluator: 'golden', golden_path: '../a' }, 'error bad-path: "../a" leads outside with ".."'],
    [
      { evaluator: 'process', process_cmd: ['node', '../a'] },
      'error bad-path: "../a" leads outside with ".."',
    ],
    [
      { evaluator: 'golden', golden_path: 'a.txt' },
      'warning missing-golden: the golden file "a.txt" does not exist',
    ],
    [
      { evaluator: 'process', process_cmd: ['sh', 'a/b.sh'] },
      'warning missing-program: none of the files in process_cmd exists',
    ],
    [{ evaluator: 'magic' }, 'must be rules, golden, process or judge, not "magic"'],
    [{ golden_threshold: 1.5 }, 'golden_threshold must be 0 to 1, not 1.5'],
  ])('%j: %s', async (evaluator_config, message) => {
    expect((await wrong({ evaluator_config })).join('\n')).toContain(message);
  });
});

describe('mocks', () => {
  it('answer the case they name, the first of the files by name', async () => {
    const stub = (name: string | null, response: unknown, tool = 'agent_response') => ({
      tool,
      ...(name !== null && { args_match: { case_id: `note-taker/${name}` } }),
      response,
    });
    const { suite } = await read(
      fixtureText(['one', 'two', 'three', 'four', 'five'].map((name) => fixtureCase(name))),
      {
        'mocks/b.json': JSON.stringify([stub('one', 'late'), stub(null, 'for all')]),
        'mocks/a.json': JSON.stringify([
          stub('one', 'first'),
          stub('one', 'second'),
          stub('two', {
            content: 'with calls',
            tool_calls: [{ tool: 'find', args: { q: 1 }, result: 'found' }, { tool: 'open' }],
          }),
          stub('three', { total: 3, content: 7 }),
          stub('four', [1, 2]),
          {
            tool: 'agent_response',
            args_match: { case_id: 'note-taker/five', more: 1 },
            response: 'asks for too much',
          },
          stub('five', 'of another tool', 'find'),
        ]),
        'mocks/more/c.json': 'not read',
      },
    );
    expect(suite.cases.map(({ mock }) => mock)).toEqual([
      { response: 'first', toolCalls: [] },
      {
        response: 'with calls',
        toolCalls: [
          { tool: 'find', input: { q: 1 }, output: 'found' },
          { tool: 'open', input: null, output: '' },
        ],
      },
      { response: '{"total":3}', toolCalls: [] },
      { response: '[1,2]', toolCalls: [] },
      { response: 'for all', toolCalls: [] },
    ]);
  });

  it('are never made of what is expected', async () => {
    const it = await only(
      { expected: { tool_sequence: [{ tool: 'find' }], output: [{ kind: 'contains', value: 'a' }] } },
      mocksOf({ one: 'b' }),
    );
    expect(it.mock).toEqual({ response: 'b', toolCalls: [] });
  });

  it.each([
    [
      '{"tool": "agent_response"}',
      'error mocks/a.json:1:1 wrong-type: the document must be a list, not a map of keys',
    ],
    ['[{"tool": "agent_response"}]', 'error mocks/a.json:1:2 missing-key: [0].response is required'],
    [
      '[{"tool": "agent_response", "response": "a",}]',
      'error mocks/a.json:1:45 syntax: there is a comma too many before this }',
    ],
    [
      '[{"tool": "agent_response", "response": {"tool_calls": [{"name": "a"}]}}]',
      'error mocks/a.json:1:56 wrong-type: tool_calls must be a list of {"tool": "…", "args": {…}, "result": "…"}',
    ],
  ])('%s is told with its place', async (text, line) => {
    expect(lines(await read(fixtureText([fixtureCase('one')]), { 'mocks/a.json': text }))).toContain(line);
  });

  it('that are missing are told, for each case or for all', async () => {
    const text = fixtureText([fixtureCase('one'), fixtureCase('later', { tags: ['deferred'] })]);
    expect(lines(await read(text, { 'mocks/a.json': '[]' }))).toEqual([
      'warning fixture.yaml:4:9 missing-mock: no mock answers note-taker/one, so aam test leaves it undecided (add to mocks/*.json:  {"tool": "agent_response", "args_match": {"case_id": "…"}, "response": "…"})',
    ]);
    expect(lines(await read(text, {}))).toEqual([
      'warning fixture.yaml:1:1 missing-mock: there is no folder mocks beside the fixture or above it, so aam test decides none of its cases',
    ]);
  });
});

describe('mistakes', () => {
  it('are all told, with their places, and spoil only their case', async () => {
    const loaded = await read(
      `schema_version: 2
skill_or_agent: note-taker
risk_tier: huge
colour: red
cases:
  - id: other/one
    input: {messages: [{role: user, content: x}]}
    expected: {output: [{kind: contains, value: a}]}
  - id: note-taker/two
    input: {messages: []}
    expected: {}
  - id: note-taker/three
    tags: [smoke]
    input: {messages: [{role: user, content: x}]}
    expected: {output: [{kind: contains, value: a, fields: b}]}
  - id: note-taker/three
    input: {messages: [{role: user, content: x}]}
    expected: {output: [{kind: contains, value: a}]}
`,
      mocksOf({ three: 'a', two: 'a' }),
    );
    expect(lines(loaded)).toMatchInlineSnapshot(`
      [
        "error fixture.yaml:1:17 wrong-value: schema_version must be 1, not 2",
        "error fixture.yaml:3:12 wrong-value: risk_tier must be low, medium or high, not "huge" (did you mean high?)",
        "warning fixture.yaml:4:1 unknown-key: colour is not a known field",
        "error fixture.yaml:6:9 case-id: the id must begin with "note-taker/" and go on, not "other/one"",
        "warning fixture.yaml:6:9 missing-mock: no mock answers other/one, so aam test leaves it undecided (add to mocks/*.json:  {"tool": "agent_response", "args_match": {"case_id": "…"}, "response": "…"})",
        "error fixture.yaml:10:23 wrong-value: input.messages must have at least one message",
        "warning fixture.yaml:15:52 unknown-key: expected.output[0].fields is not a known field (did you mean expected.output[0].field?)",
        "error fixture.yaml:16:9 duplicate-id: the id note-taker/three is there twice (give each case an id of its own)",
      ]
    `);
    expect(loaded.suite.cases.map(({ name }) => name)).toEqual(['three']);
    expect(loaded.found).toBe(4);
  });

  it('do not hide that an id is there twice', async () => {
    const loaded = await read(fixtureText([fixtureCase('one', { seed: -1 }), fixtureCase('one')]));
    expect(
      lines(loaded)
        .filter((line) => line.startsWith('error'))
        .join('\n'),
    ).toMatch(/seed must be 0 or more[\s\S]*the id note-taker\/one is there twice/);
    expect(loaded.suite.cases).toEqual([]);
  });

  it.each(['Note-Taker', 'note_taker', '-a', 'a--b', ''])('%j cannot be a subject', async (subject) => {
    const found = lines(await read(fixtureText([fixtureCase('one')], { skill_or_agent: subject })));
    expect(found.join('\n')).toContain('skill_or_agent must be kebab-case');
  });

  it('of a whole fixture are warnings', async () => {
    const secret = `key ${'AKIA'}${'ABCDEFGHIJKLMNOP'}`;
    const text = fixtureText(
      [fixtureCase('one', { tags: [], input: { messages: [{ role: 'user', content: secret }] } })],
      { bundle_id: 'a/b' },
    );
    expect(lines(await read(text, mocksOf({ one: 'x' })))).toMatchInlineSnapshot(`
      [
        "warning fixture.yaml:3:12 bundle: a fixture with a bundle_id should have a risk_tier",
        "warning fixture.yaml:3:12 bundle: a fixture with a bundle_id should have a certification_track",
        "warning fixture.yaml:5:3 no-smoke: no case has the tag smoke, so there is none to run on every change",
        "warning fixture.yaml:10:20 secret: this looks like an AWS access key (fixtures are shared: write a made-up value that does not look real)",
      ]
    `);
  });

  it('in an empty file or one without cases are errors', async () => {
    expect(lines(await read('', {}))).toEqual(['error fixture.yaml:1:1 wrong-type: the document is empty']);
    expect(lines(await read(fixtureText([]), mocksOf({}))).join('\n')).toContain(
      'error fixture.yaml:3:8 wrong-value: cases must have at least one case',
    );
    expect(lines(await read('schema_version = \n', {}, 'fixture.toml')).join('\n')).toMatch(
      /^error fixture\.toml:1:\d+ syntax: /,
    );
  });

  it('never make it crash', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyValue, { maxLength: 3 }), anyValue, async (cases, defaults) => {
        const { suite, found, diagnostics } = await read(JSON.stringify(fixtureOf(cases, { defaults })));
        expect(suite.cases.length).toBeLessThanOrEqual(found);
        for (const { line } of diagnostics) expect(line).not.toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('what the agent gets', () => {
  it('is the skill around the fixture, without anything that tells the answers', async () => {
    const { pkg, suite } = await read(
      fixtureText([
        fixtureCase('one', { evaluator_config: { evaluator: 'golden', golden_path: 'expected/a.txt' } }),
      ]),
      {
        'SKILL.md': skillText('note-taker'),
        'scripts/run.mjs': '',
        'expected/a.txt': 'noted',
        'fixtures/other/cases.yaml': 'x: 1\n',
        'mocks/a.json': '[]',
      },
      'fixtures/note-taker/cases.yaml',
    );
    expect(pkg.name).toBe('note-taker');
    expect([...pkg.files].filter(([, { kind }]) => kind === 'file').map(([file]) => file)).toEqual([
      'SKILL.md',
      'scripts/run.mjs',
    ]);
    expect(suite.cases[0]?.target).toBe('skill:note-taker');
    expect(suite.cases[0]?.sources?.map((path) => path.slice(-14))).toEqual(['expected/a.txt']);
  });

  it('is the skill of the subject’s name beside the fixtures, or nothing', async () => {
    const beside = await read(
      fixtureText([fixtureCase('one')]),
      { '.git/HEAD': '', 'skills/note-taker/SKILL.md': skillText('note-taker') },
      'fixtures/note-taker/cases.yaml',
    );
    expect(beside.pkg.skills.map(({ name }) => name)).toEqual(['note-taker']);
    const none = await read(fixtureText([fixtureCase('one')]), {});
    expect([none.pkg.name, none.pkg.skills]).toEqual(['note-taker', []]);
  });

  it('keeps a skill that stands beside its fixture', async () => {
    const { pkg } = await read(
      fixtureText([fixtureCase('one')]),
      { 'package.agent.json': { name: 'demo', version: '1.0.0' }, 'skills/a/SKILL.md': skillText('a') },
      'skills/a/fixture.yaml',
    );
    expect([...pkg.files.keys()]).toEqual(['SKILL.md']);
  });
});
