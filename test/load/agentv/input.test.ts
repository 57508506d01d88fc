import { describe, expect, it } from 'vitest';
import { findingsOf, lines, onlyCase, read, variable } from './read.ts';

describe('what is said to the agent', () => {
  it('is a text, or messages: system ones are instructions, those of the user one prompt', async () => {
    const it = await onlyCase({
      input: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'First.' },
        { role: 'user', content: [{ type: 'text', value: 'Second.' }, 'Third.'] },
      ],
      criteria: 'x',
    });
    expect(it).toMatchObject({
      instructions: 'Be brief.',
      prompt: 'First.\n\nSecond.\n\nThird.',
      followUps: [],
    });
  });

  it('has a turn for each answer that is written between; the answers are not played', async () => {
    const test = {
      input: [
        { role: 'user', content: 'It fails.' },
        { role: 'assistant', content: 'How?' },
        { role: 'user', content: 'Like this.' },
      ],
      criteria: 'x',
    };
    expect(await onlyCase(test)).toMatchObject({ prompt: 'It fails.', followUps: ['Like this.'] });
    const checked = { ...test, assert: [{ type: 'contains', value: 'x' }, { type: 'is-json' }] };
    expect((await onlyCase(checked)).graders.map(({ options }) => options)).toMatchObject([
      { of: 'answer' },
      { of: 'answer' },
    ]);
    expect((await findingsOf(test)).join()).toContain('messages of the role "assistant" are not played');
  });

  it('may be data', async () => {
    expect((await onlyCase({ input: { a: 1 }, criteria: 'x' })).prompt).toBe('{\n  "a": 1\n}');
    const content = { order: 7 };
    const it = await onlyCase({ input: [{ role: 'user', content }], criteria: 'x' });
    expect(it.prompt).toBe('{\n  "order": 7\n}');
  });

  it('begins with what the suite says, unless the test wants none of it', async () => {
    const suite = { input: 'Context.' };
    expect((await onlyCase({ criteria: 'x' }, {}, suite)).prompt).toBe('Context.\n\nDo it.');
    const own = { criteria: 'x', execution: { skip_defaults: true } };
    expect((await onlyCase(own, {}, suite)).prompt).toBe('Do it.');
  });

  it('mentions its files, which are in the workspace under the path that is written', async () => {
    const input = [
      {
        role: 'user',
        content: [
          { type: 'text', value: 'Review this.' },
          { type: 'file', value: '../docs/a.md' },
        ],
      },
    ];
    const it = await onlyCase(
      { input, input_files: ['b.md'], criteria: 'x' },
      { 'docs/a.md': 'A', 'evals/b.md': 'B' },
    );
    expect(it.prompt).toBe(
      'Review this.\n\nRead this file of the working folder: docs/a.md\n\nRead this file of the working folder: b.md',
    );
    expect(it.files.map(({ to }) => to)).toEqual(['docs/a.md', 'b.md']);
  });

  it('holds the text of files that stand in instructions', async () => {
    const input = [
      { role: 'system', content: [{ type: 'file', value: 'rules.md' }] },
      { role: 'user', content: 'Go.' },
    ];
    expect(await onlyCase({ input, criteria: 'x' }, { 'evals/rules.md': 'Be kind.\n' })).toMatchObject({
      instructions: 'Be kind.',
      files: [],
    });
  });

  it('fails its case alone where a file is missing, outside, or holds answers', async () => {
    const part = (value: string) => [{ role: 'user', content: [{ type: 'file', value }] }];
    for (const [path, problem] of [
      ['nowhere.md', 'does not exist'],
      ['~/x', 'is in somebody’s home folder'],
      ['/etc/passwd', 'is outside'],
      ['EVAL.yaml', 'holds answers'],
    ] as const) {
      const { fault } = await onlyCase({ input: part(path), criteria: 'x' });
      expect(fault).toMatchObject({ errorKind: 'file_copy_error', error: expect.stringContaining(problem) });
    }
  });

  it.each([
    [{ input: '' }, 'says nothing'],
    [{ input: [{ role: 'user', content: ' ' }] }, 'a turn of the user is empty'],
    [{ input: [{ role: 'wizard', content: 'x' }] }, 'the role must be'],
    [{ input: [{ role: 'user', content: [{ type: 'image', value: 'a.png' }] }] }, 'images cannot be given'],
    [{ input: [3, { role: 'user', content: 'x' }] }, 'a message must have a role'],
  ])('is refused where it is %j', async (test, message) => {
    const found = await findingsOf({ criteria: 'x', ...test });
    expect(found.filter((line) => line.startsWith('error')).join()).toMatch(
      test.input === '' ? /empty|says nothing/ : message,
    );
  });
});

describe('a conversation', () => {
  const turns = [
    { input: 'Hello', assertions: ['Greets back'], expected_output: 'Hi' },
    { input: 'Sum 1 and 2', assertions: [{ type: 'contains', value: '3' }] },
  ];

  it('plays each turn; a judge is told which is meant', async () => {
    const it = await onlyCase({ input: undefined, mode: 'conversation', turns });
    expect(it).toMatchObject({
      prompt: 'Hello',
      followUps: ['Sum 1 and 2'],
      reference: 'Expected in turn 1: Hi',
      criteria: [{ text: 'In turn 1 of the conversation: Greets back' }],
      graders: [{ kind: 'contains', options: { of: 'answer' } }],
    });
  });

  it('cannot have checks of an earlier turn, nor other ways to add up', async () => {
    const early = [{ input: 'a', assertions: [{ type: 'contains', value: 'x' }] }, { input: 'b' }];
    expect((await findingsOf({ mode: 'conversation', turns: early })).join()).toContain(
      'checks of a turn other than the last cannot be run',
    );
    const found = (
      await findingsOf({
        mode: 'conversation',
        turns,
        aggregation: 'min',
        on_turn_failure: 'stop',
        window_size: 2,
      })
    ).join('\n');
    expect(found).toContain('error evals/EVAL.yaml');
    expect(found).toContain('aggregation: min over turns cannot be computed');
    expect(found).toContain('on_turn_failure: stop is not used');
    expect(found).toContain('window_size is not used');
  });
});

describe('what is expected', () => {
  it.each([
    ['Four.', 'Four.'],
    [{ a: 1 }, '{\n  "a": 1\n}'],
    [[{ role: 'assistant', content: 'Four.' }], 'Four.'],
    [[{ role: 'assistant', content: [{ type: 'text', value: 'Four.' }] }], 'Four.'],
    [[{ role: 'assistant', content: [{ type: 'file', value: 'ref.md' }] }], 'From a file.'],
    [
      [{ role: 'assistant', tool_calls: [{ tool: 'Read' }] }],
      'Tool calls: [\n  {\n    "tool": "Read"\n  }\n]',
    ],
  ])('is a reference for the judge: %j', async (expected_output, reference) => {
    const it = await onlyCase({ expected_output, criteria: 'x' }, { 'evals/ref.md': 'From a file.\n' });
    expect(it.reference).toBe(reference);
    expect(it.written?.expectedOutput).toEqual(expected_output);
  });

  it('breaks the case where its file is missing', async () => {
    const expected_output = [{ role: 'assistant', content: [{ type: 'file', value: 'ref.md' }] }];
    expect((await findingsOf({ expected_output, criteria: 'x' })).join()).toContain('error evals/EVAL.yaml');
  });
});

describe('placeholders', () => {
  it('of the environment are filled in, the real one before .env files, missing ones empty and told', async () => {
    const loaded = await read(
      `tests:\n  - id: a\n    input: "${variable('A')} ${variable('B')}${variable('C')}"\n    criteria: x\n`,
      { '.env': 'A=far\nB=near\n', 'evals/.env': 'B=nearest' },
      { env: { A: 'real' } },
    );
    expect(loaded.suite.cases[0]?.prompt).toBe('real nearest');
    expect(lines(loaded)).toEqual([
      `warning evals/EVAL.yaml:3:12 missing-variable: ${variable('C')} stands for nothing: the variable is not set, so it is left empty (set C in the environment or in a .env file)`,
    ]);
  });

  it('of a test are its vars; others stay', async () => {
    const it = await onlyCase(
      {
        vars: { who: 'Ann', data: { n: 3 } },
        input: 'Hi {{who}}, {{ data.n }}, {{other}}',
        expected_output: '{{data}}',
        criteria: 'x',
      },
      {},
      { input: 'For {{who}}.' },
    );
    expect(it.prompt).toBe('For Ann.\n\nHi Ann, 3, {{other}}');
    expect(it.reference).toBe('{\n  "n": 3\n}');
  });
});

describe('tests', () => {
  it('may stand in other files, one per line too, each finding at its own place', async () => {
    const loaded = await read(
      'tests:\n  - id: inline\n    input: a\n    criteria: x\n  - file://more/list.yaml\n  - ./more/lines.jsonl\n',
      {
        'evals/more/list.yaml': '- id: listed\n  input: b\n  criteria: x\n- id: broken\n  criteria: x\n',
        'evals/more/lines.jsonl':
          '{"id": "lined", "input": "c", "criteria": "x"}\n\n{"id": "wrong", "inptu": "d"}\n{no json}\n',
      },
    );
    expect(loaded.suite.cases.map(({ name, file, line }) => `${name} ${file}:${line}`)).toEqual([
      'inline evals/EVAL.yaml:2',
      'listed evals/more/list.yaml:1',
      'lined evals/more/lines.jsonl:1',
    ]);
    expect(lines(loaded)).toMatchInlineSnapshot(`
      [
        "error evals/more/lines.jsonl:3:1 missing-key: the test says nothing to the agent (write what is asked of the agent in input)",
        "warning evals/more/lines.jsonl:3:1 ungraded: the test says nothing that could be graded, so it will be undecided (add criteria, assert or expected_output)",
        "warning evals/more/lines.jsonl:3:17 unknown-key: "inptu" is not a known field: it has no part in the verdict (did you mean input?)",
        "error evals/more/lines.jsonl:4:2 syntax: this is not JSON (keys and text stand in double quotes)",
        "error evals/more/list.yaml:4:3 missing-key: the test says nothing to the agent (write what is asked of the agent in input)",
      ]
    `);
  });

  it('may be a file or a folder with a folder for each', async () => {
    const file = await read('tests: ./cases.yaml\n', {
      'evals/cases.yaml': '- {id: a, input: b, criteria: x}\n',
    });
    expect(file.suite.cases.map(({ name }) => name)).toEqual(['a']);
    const folder = await read('tests: ./cases\n', {
      'evals/cases/two/case.yaml': 'input: Go\ncriteria: x\n',
      'evals/cases/two/workspace/src/a.txt': 'A',
      'evals/cases/one/case.yaml': 'id: first\ninput: Go\ncriteria: x\n',
      'evals/cases/none/readme.md': '',
    });
    expect(folder.suite.cases.map(({ name, files }) => [name, files.map(({ to }) => to)])).toEqual([
      ['first', []],
      ['two', ['src/a.txt']],
    ]);
  });

  it('of a file with one per line have what the file beside it says', async () => {
    const { suite } = await read(
      '{"id": "a", "input": "Hi"}\n',
      {
        'evals/set.yaml': 'execution: {threshold: 0.5}\nassert:\n  - type: contains\n    value: hi\n',
      },
      { file: 'evals/set.jsonl' },
    );
    expect(suite.cases[0]).toMatchObject({ graders: [{ kind: 'contains' }], scoring: { threshold: 0.5 } });
  });

  it.each([
    ['tests: []', 'the list of tests is empty'],
    ['tests: nowhere.yaml', 'there are no tests at "nowhere.yaml"'],
    ['tests: cases/*.yaml', 'not looked for by a pattern'],
    ['tests: 3', 'tests must be a list or a path'],
    ['tests: ./EVAL.yaml', 'are already there'],
    ['tests: [3]', 'a test must be a map of keys'],
    ['name: x', 'there are no tests'],
    ['3', 'the document must be a map of keys'],
    ['tests: [', 'bracket'],
    ['tests: [{input: a, criteria: b}]', 'a test needs an id'],
    ['tests: [{id: [], input: a, criteria: b}]', 'id must be a text'],
    ['tests: [{id: a, input: b, criteria: c, depends_on: [d]}]', 'depends_on cannot be honoured'],
  ])('are refused where they are %j', async (text, message) => {
    const loaded = await read(text);
    expect(loaded.suite.cases).toEqual([]);
    expect(lines(loaded).join('\n')).toContain(message);
    expect(loaded.diagnostics.some((it) => it.severity === 'error' && it.file === 'evals/EVAL.yaml')).toBe(
      true,
    );
  });

  it('have ids that fit for file names, and are found by what is written', async () => {
    const { suite } = await read(
      'tests: [{id: a/b, input: x, criteria: y}, {id: a-b, input: x, criteria: y}, {id: 7, input: x, criteria: y}]',
    );
    expect(suite.cases.map(({ name, aliases }) => [name, ...aliases])).toEqual([
      ['a-b', 'a/b'],
      ['a-b-2', 'a-b'],
      ['7'],
    ]);
  });

  it('have hashes that change with what they say and what their files hold, and not with where they are', async () => {
    const hash = async (criteria: string, file: string, judge = 'J') => {
      const document = {
        tests: [
          {
            id: 'a',
            input: [{ role: 'user', content: [{ type: 'file', value: 'f.txt' }] }],
            assert: [
              { type: 'llm-judge', prompt: 'j.md' },
              { type: 'code-judge', command: ['sh', 'g.sh'] },
              criteria,
            ],
          },
        ],
      };
      const { suite } = await read(document, {
        'evals/f.txt': file,
        'evals/j.md': judge,
        'evals/g.sh': criteria,
      });
      return suite.cases[0]?.hash;
    };
    expect(await hash('x', 'y')).toBe(await hash('x', 'y'));
    expect(
      new Set([await hash('x', 'y'), await hash('z', 'y'), await hash('x', 'z'), await hash('x', 'y', 'K')])
        .size,
    ).toBe(4);
  });
});
