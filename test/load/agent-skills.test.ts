import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORMATS, formatOf, usualFile } from '../../src/load/formats.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type Files, skillText, writeFiles, writePackage } from '../helpers/package.ts';
import { anyValue } from './arbitraries.ts';
import { graded, lines, onlyCase, read, SKILL } from './skill-evals.ts';

describe('the document of the specification', () => {
  const document = {
    skill_name: 'csv-analyzer',
    evals: [
      {
        id: 1,
        prompt: 'Find the top 3 months in evals/files/sales.csv.',
        expected_output: 'November, September and December.',
        files: ['evals/files/sales.csv'],
        assertions: ['Output identifies November', 'Output includes exactly 3 months'],
      },
      { id: 2, prompt: 'Sum it up.', expected_output: 'The total is $191,900.' },
    ],
  };

  it('becomes cases with files, criteria and a reference', async () => {
    const loaded = await read(document, { ...SKILL, 'evals/files/sales.csv': 'a,b\n' });
    expect(lines(loaded)).toBe('');
    expect(loaded).toMatchObject({ found: 2, broken: [], pkg: { name: 'csv-analyzer' } });
    const [first, second] = loaded.suite.cases;
    expect(first).toMatchObject({
      name: '1',
      target: 'skill:csv-analyzer',
      reference: 'November, September and December.',
      scoring: { mode: 'score', threshold: 0.8 },
      fault: null,
      file: 'evals/evals.json',
      line: 4,
      files: [{ to: 'evals/files/sales.csv', from: join(loaded.home, 'evals/files/sales.csv') }],
    });
    expect(first && graded(first)).toEqual([
      'assertion-1: Output identifies November',
      'assertion-2: Output includes exactly 3 months',
    ]);
    // Without assertions the expected output is the criterion, and not its own reference.
    expect(second?.reference).toBeNull();
    expect(second && graded(second)).toEqual([
      'expected-output: What the agent did and answered agrees with this description of the expected result: The total is $191,900.',
    ]);
  });

  it('installs the skill and shows nothing of its evals', async () => {
    const more = { ...SKILL, 'evals/files/sales.csv': 'a', 'scripts/run.py': 'x', 'trigger-eval.json': '[]' };
    const { pkg } = await read(document, more);
    expect([...pkg.files.keys()].sort()).toEqual(['SKILL.md', 'scripts', 'scripts/run.py']);
  });
});

describe('shapes of the document', () => {
  const CASE = { id: 'a', prompt: 'Do it.', assertions: ['It is done'] };

  it.each([
    ['a bare list', [CASE]],
    ['evals', { skill_name: 'csv-analyzer', evals: [CASE] }],
    ['cases', { skill: 'csv-analyzer', cases: [CASE] }],
    ['tests', { tests: [CASE] }],
    ['test_cases', { test_cases: [CASE] }],
    ['evaluations', { evaluations: [CASE] }],
  ])('%s', async (_, document) => {
    const loaded = await read(document);
    expect(lines(loaded)).toBe('');
    expect(loaded.suite.cases.map(({ name }) => name)).toEqual(['a']);
  });

  it.each([
    [
      'a list',
      [
        { query: 'Sum it', should_trigger: true },
        { query: 'Sing', should_trigger: false, reason: 'no' },
      ],
    ],
    [
      'queries',
      {
        queries: [
          { query: 'Sum it', should_trigger: true },
          { query: 'Sing', should_trigger: false },
        ],
      },
    ],
    ['two lists', { should_trigger: ['Sum it'], should_not_trigger: [{ query: 'Sing', why: 'no' }] }],
  ])('a trigger set as %s', async (_, document) => {
    const loaded = await read(document, SKILL, 'evals/eval_queries.json');
    expect(lines(loaded)).toBe('');
    expect(loaded.suite.cases.map((it) => [it.name, it.prompt, ...graded(it)])).toEqual([
      ['eval-1', 'Sum it', 'skill-trigger: skill-trigger {"skill":"csv-analyzer","expected":true} required'],
      ['eval-2', 'Sing', 'skill-trigger: skill-trigger {"skill":"csv-analyzer","expected":false} required'],
    ]);
  });

  it.each([
    ['no list', { skill_name: 'x' }, 'error evals/evals.json:1:1 missing-key: there is no list of cases'],
    ['an empty list', { evals: [] }, 'error evals/evals.json:2:12 no-cases: the list of cases is empty'],
    [
      'a text',
      '"x"',
      'error evals/evals.json:1:1 wrong-type: the document must be a map of keys or a list of cases',
    ],
    [
      'a text among the cases',
      { evals: ['x'] },
      'error evals/evals.json:3:5 wrong-type: a case must be a map of keys',
    ],
    ['half a document', '{"evals": [', 'error evals/evals.json:1:12 syntax:'],
  ])('refused: %s', async (_, document, expected) => {
    const loaded = await read(document);
    expect(lines(loaded)).toContain(expected);
    expect(loaded.suite.cases).toEqual([]);
  });

  it('raw control characters are understood, with a warning at the first', async () => {
    const loaded = await read('{"evals": [{"id": 1,\n "prompt": "two\nlines\tand a tab", "assert": ["x"]}]}');
    expect(loaded.suite.cases[0]?.prompt).toBe('two\nlines\tand a tab');
    expect(lines(loaded)).toMatchInlineSnapshot(
      `"warning evals/evals.json:2:16 control-character: a line break stands unescaped in a string, which JSON does not allow (2 such characters in the file) (write it as \\n, \\t or \\u00XX: other programs refuse the file)"`,
    );
  });
});

describe('spellings in a case', () => {
  it.each(['prompt', 'input', 'query', 'user_request', 'user_message'])('the prompt as %s', async (key) => {
    const { suite } = await read([{ [key]: 'Do it.', expected: 'Done.' }]);
    expect(suite.cases[0]?.prompt).toBe('Do it.');
  });

  it('the prompt in a file, and the file missing', async () => {
    const document = [
      { id: 'a', prompt_file: 'a.txt', expected: 'Done.' },
      { id: 'b', prompt_file: 'b.txt', expected: 'Done.' },
    ];
    const loaded = await read(document, { ...SKILL, 'evals/prompts/a.txt': 'From a file.\n' });
    expect(loaded.suite.cases.map(({ prompt, fault }) => [prompt, fault?.error])).toEqual([
      ['From a file.\n', undefined],
      ['', 'the prompt file "b.txt" does not exist'],
    ]);
  });

  it.each([
    ['expected', 'Done.'],
    ['expected_behavior', 'Done.'],
    ['expect', 'Done.'],
  ])('a reference as %s', async (key, value) => {
    expect((await onlyCase({ [key]: value, assertions: ['It is done'] })).reference).toBe('Done.');
  });

  it.each([
    ['expect', ['A', 'B']],
    ['expected_outputs', ['A', 'B']],
    ['rubric', [{ dimension: 'A', pass_if: 'x' }, 'B']],
    ['expectations', { A: 'x', B: true }],
  ])('assertions as %s', async (key, value) => {
    const texts = (await onlyCase({ [key]: value })).criteria.map(({ text }) => text);
    expect(texts).toEqual([expect.stringMatching(/^A(: x)?$/), 'B']);
  });

  it('assertions and expectations are merged, the same sentence once', async () => {
    const it = await onlyCase({ expectations: ['A', 'B'], assertions: ['B', ' C '] });
    expect(graded(it)).toEqual(['assertion-1: B', 'assertion-2: C', 'assertion-3: A']);
  });

  it('what must not happen', async () => {
    const it = await onlyCase({ forbidden: ['A push'], must_not_include: ['B'], must_include: ['C'] });
    expect(it.criteria.map(({ text }) => text)).toEqual([
      'The result includes: C',
      'This did not happen: A push',
      'The result does not include: B',
    ]);
  });

  it('should_trigger beside other expectations', async () => {
    expect(graded(await onlyCase({ should_trigger: false, expected_output: 'A plain answer.' }))).toEqual([
      'skill-trigger: skill-trigger {"skill":"csv-analyzer","expected":false} required',
      expect.stringContaining('A plain answer.'),
    ]);
  });

  it('assertions as objects', async () => {
    const it = await onlyCase({
      assertions: [
        { text: 'A' },
        { id: 'b', text: 'B', weight: 2 },
        { name: 'c', description: 'C' },
        { name: 'd', check: 'D' },
        { text: 'E', type: 'quality' },
        { description: 'other', text: 'F' },
        { name: 'Only a name' },
      ],
    });
    expect(graded(it)).toMatchInlineSnapshot(`
      [
        "assertion-1: A",
        "b: B ×2",
        "c: C",
        "d: D",
        "assertion-5: E",
        "assertion-6: F",
        "Only a name: Only a name",
      ]
    `);
  });

  it('typed assertions are checked without a model', async () => {
    const it = await onlyCase({
      assertions: [
        { type: 'contains', value: 'x', weight: 3, required: true },
        { type: 'content_contains', value: ['x', 'y'], description: 'two' },
        { type: 'icontains-any', value: ['x', 'y'] },
        { type: 'not_contains', value: 'x' },
        { name: 'dates', type: 'regex', pattern: '\\d{4}', flags: 'i' },
        { type: 'not_regex', value: 'TODO' },
        { type: 'regex', value: 'FIXME', negate: true },
        { type: 'equals', value: 42 },
        { type: 'starts_with', value: 'x' },
        { type: 'is_json' },
        { type: 'file_exists', path: 'out.csv' },
        { type: 'file_contains', path: 'out.csv', value: 'x' },
      ],
    });
    expect(graded(it)).toMatchInlineSnapshot(`
      [
        "assertion-1: contains {"of":"said","values":["x"],"match":"all","ignoreCase":false} ×3 required",
        "assertion-2: contains {"of":"said","values":["x","y"],"match":"all","ignoreCase":false}",
        "assertion-3: contains {"of":"said","values":["x","y"],"match":"any","ignoreCase":true}",
        "assertion-4: not-contains {"of":"said","values":["x"]}",
        "dates: regex {"of":"said","pattern":"\\\\d{4}","flags":"i"}",
        "assertion-6: regex {"of":"said","pattern":"TODO"} negated",
        "assertion-7: regex {"of":"said","pattern":"FIXME"} negated",
        "assertion-8: equals {"of":"answer","value":"42"}",
        "assertion-9: starts-with {"of":"answer","value":"x"}",
        "assertion-10: is-json {"of":"answer"}",
        "assertion-11: files-exist {"paths":["out.csv"]}",
        "assertion-12: file-contains {"path":"out.csv","values":["x"],"match":"all"}",
      ]
    `);
  });

  it('a case with nothing to grade is told and stays undecided', async () => {
    const loaded = await read([{ id: 'a', prompt: 'Do it.', expected_behavior: true }]);
    expect(loaded.suite.cases[0]).toMatchObject({ graders: [], criteria: [] });
    expect(lines(loaded)).toMatchInlineSnapshot(`
      "warning evals/evals.json:2:3 ungraded: the case a says nothing that could be graded, so it will be undecided (add assertions or an expected_output)
      warning evals/evals.json:5:5 wrong-type: "expected_behavior" is true, which cannot be graded"
    `);
  });
});

describe('mistakes', () => {
  it('break their case alone, each with its place', async () => {
    const loaded = await read([
      { id: 'good', prompt: 'Do it.', expected: 'Done.' },
      { id: 'silent', prompt: ' ', expected: 'Done.' },
      { id: 'shell', cmd: 'make test', assert: ['x'] },
      { id: 'pattern', prompt: 'Do it.', assertions: [{ type: 'regex', value: '(' }] },
      { id: 'empty', prompt: 'Do it.', assertions: [{ type: 'contains' }, { weight: 1 }, 7] },
      { id: 'opposite', prompt: 'Do it.', assertions: [{ text: 'x', negate: true, weight: -1 }] },
      { id: 'trigger', prompt: 'Do it.', should_trigger: 'yes' },
    ]);
    expect(loaded.suite.cases.map(({ name }) => name)).toEqual(['good']);
    expect(loaded.found).toBe(7);
    expect(loaded.broken.map(({ words }) => words[0])).toEqual([
      ...['silent', 'shell', 'pattern', 'empty', 'opposite', 'trigger'],
    ]);
    expect(lines(loaded)).toMatchInlineSnapshot(`
      "error evals/evals.json:9:15 missing-key: prompt must not be empty
      error evals/evals.json:12:3 missing-key: the case has no prompt (it has a command, and an agent needs words; commands are tested by  aam test)
      error evals/evals.json:25:18 bad-pattern: the pattern does not compile: Invalid regular expression: /(/: Unterminated group
      error evals/evals.json:33:7 wrong-value: an assertion of type contains needs a value
      error evals/evals.json:36:7 missing-key: the assertion has no text (write it as a plain text, or as {"text": "…"})
      error evals/evals.json:39:7 wrong-type: an assertion must be a text or a map of keys
      error evals/evals.json:48:19 wrong-value: negate is for checks; a sentence for the judge says itself what must not be
      error evals/evals.json:49:19 wrong-value: weight must be a number from 0 to 1000000
      error evals/evals.json:56:23 wrong-type: should_trigger must be true or false"
    `);
  });

  it('unknown keys are told once, and kept', async () => {
    const loaded = await read({
      evals: [
        { prompt: 'A', expected: 'x', context: 'c', tags: ['t'] },
        { prompt: 'B', expected: 'x', context: 'd' },
      ],
      benchmark_summary: {},
      version: 1,
    });
    expect(lines(loaded)).toMatchInlineSnapshot(`
      "warning evals/evals.json:6:7 unknown-key: "context" is not read: it has no part in the verdict (2 times)
      warning evals/evals.json:17:3 unknown-key: "benchmark_summary" is not read: it has no part in the verdict"
    `);
    expect(loaded.suite.cases[0]?.metadata).toEqual({ context: 'c', tags: ['t'] });
  });
});

describe('ids', () => {
  it('are made fit and unique', async () => {
    const same = { prompt: 'Do it.', expected: 'Done.' };
    const loaded = await read([
      { id: 1, ...same },
      { id: 1, name: 'Second one', ...same },
      { id: '1-2', ...same },
      { id: 'a/b: c', ...same },
      { id: '日本語', ...same },
      { name: 'Has a name!', ...same },
      { id: '../../etc', ...same },
      { id: {}, ...same },
      { ...same },
      { id: -1, ...same },
      { id: 1e21, ...same },
    ]);
    expect(loaded.suite.cases.map(({ name, aliases }) => [name, ...aliases])).toEqual([
      ['1'],
      ['1-2', '1', 'Second-one'],
      ['1-2-2', '1-2'],
      ['a-b-c', 'a/b: c'],
      ['eval-5', '日本語'],
      ['Has-a-name'],
      ['etc', '../../etc'],
      ['eval-8'],
      ['eval-9'],
      ['minus-1', '-1'],
      ['1e-21', '1e+21'],
    ]);
    expect(lines(loaded)).toMatchInlineSnapshot(`
      "warning evals/evals.json:8:11 duplicate-id: the id 1 is there twice: this case is called 1-2 (give each case an id of its own)
      warning evals/evals.json:24:11 id: the id "日本語" cannot be kept as it is: this case is called eval-5 (ids are whole numbers from 0 on, or texts of a-z, A-Z, 0-9, _ and -)
      warning evals/evals.json:39:11 wrong-type: id must be a number or a text; it is not used
      warning evals/evals.json:48:11 id: the id -1 cannot be kept as it is: this case is called minus-1 (ids are whole numbers from 0 on, or texts of a-z, A-Z, 0-9, _ and -)
      warning evals/evals.json:53:11 id: the id 1e+21 cannot be kept as it is: this case is called 1e-21 (ids are whole numbers from 0 on, or texts of a-z, A-Z, 0-9, _ and -)"
    `);
  });
});

describe('files of a case', () => {
  const CSV = {
    'evals/files/a.csv': 'a',
    'data/b.csv': 'b',
    'evals/c.csv': 'c',
    'evals/fixtures/d/e.csv': 'e',
  };

  async function filesOf(files: unknown, more: Files = {}) {
    const document = { evals: [{ id: 1, prompt: 'Do it.', expected: 'Done.', files }] };
    const loaded = await read(document, { ...SKILL, ...CSV, ...more });
    const [it] = loaded.suite.cases;
    return {
      files: it?.files.map(({ from, to }) => `${from?.replace(`${loaded.home}/`, '')} → ${to}`),
      error: it?.fault?.error,
      lines: lines(loaded),
    };
  }

  it('are looked for from the skill, then the evals folder and what is usual in it', async () => {
    expect(
      await filesOf(['evals/files/a.csv', './data/b.csv', 'c.csv', 'a.csv', 'd', 'evals/fixtures']),
    ).toEqual({
      files: [
        'evals/files/a.csv → evals/files/a.csv',
        'data/b.csv → data/b.csv',
        'evals/c.csv → c.csv',
        'evals/files/a.csv → a.csv',
        'evals/fixtures/d/e.csv → d/e.csv',
        'evals/fixtures/d/e.csv → evals/fixtures/d/e.csv',
      ],
      error: undefined,
      lines: '',
    });
  });

  it.each([
    ['missing.csv', 'does not exist'],
    ['/etc/passwd', 'is absolute'],
    ['~/data.csv', 'is in somebody’s home folder'],
    ['../x.csv', 'leads outside with ".."'],
    ['evals/evals.json', 'holds answers, so no agent may get it'],
    ['.', 'is the whole folder, with its evals: name the files and folders in it'],
    [7, 'must be a path'],
  ])('%s fails the case with file_copy_error', async (file, problem) => {
    const found = await filesOf(['c.csv', file]);
    expect(found.error).toBe(`the file ${JSON.stringify(file)} ${problem}`);
    expect(found.lines).toMatch(/^error evals\/evals\.json:\d+:\d+ file_copy_error: /);
  });

  it('a link that leads out is not followed', async () => {
    await using folder = await temporaryFolder();
    await writeFiles(folder.path, {
      'secret.txt': 'x',
      'skill/SKILL.md': skillText('s'),
      'skill/evals/evals.json': [{ prompt: 'Do it.', expected: 'Done.', files: ['link.txt', 'folder'] }],
    });
    await mkdir(join(folder.path, 'skill/folder'));
    await writeFile(join(folder.path, 'skill/folder/plain.txt'), 'x');
    await symlink('../secret.txt', join(folder.path, 'skill/link.txt'));
    await symlink('../../secret.txt', join(folder.path, 'skill/folder/link.txt'));
    const { suite } = await FORMATS['agent-skills'].read(join(folder.path, 'skill/evals/evals.json'));
    expect(suite.cases[0]?.fault?.error).toBe(
      'the file "link.txt" links to something outside the repository',
    );
    expect(suite.cases[0]?.files.map(({ to }) => to)).toEqual(['folder/plain.txt']);
  });

  it('a prompt that speaks of another place is told', async () => {
    const prompt = 'Look at data/a.csv, please.';
    const loaded = await read([{ prompt, expected: 'x', files: ['evals/files/a.csv'] }], {
      ...SKILL,
      ...CSV,
    });
    expect(lines(loaded)).toContain(
      'file-elsewhere: the prompt speaks of data/a.csv, and the agent finds the file at evals/files/a.csv',
    );
  });

  it('change the hash of the case', async () => {
    const hashOf = async (text: string) =>
      (await onlyCase({ expected: 'x', files: ['a.csv'] }, { ...SKILL, 'evals/files/a.csv': text })).hash;
    expect(await hashOf('a')).toBe(await hashOf('a'));
    expect(await hashOf('a')).not.toBe(await hashOf('b'));
  });
});

describe('the skill', () => {
  const DOCUMENT = { skill_name: 'csv', evals: [{ prompt: 'Do it.', expected: 'Done.' }] };

  async function skillOf(files: Files, file = 'evals/evals.json') {
    await using folder = await writePackage({ '.git/HEAD': 'ref: x', ...files, [file]: DOCUMENT });
    const loaded = await FORMATS['agent-skills'].read(join(folder.root, file));
    return {
      skill: loaded.pkg.skills.map(({ name }) => name).join(),
      root: loaded.pkg.root.slice(folder.root.length),
      home: loaded.home.slice(folder.root.length),
      lines: lines(loaded),
    };
  }

  it.each([
    ['beside the evals', { 'SKILL.md': skillText('csv') }, 'evals/evals.json', '', ''],
    [
      'in its own folder',
      { 'skills/csv/SKILL.md': skillText('csv') },
      'skills/csv/evals/evals.json',
      '/skills/csv',
      '/skills/csv',
    ],
    [
      'below the repository',
      { 'skills/csv/SKILL.md': skillText('csv') },
      'evals/evals.json',
      '/skills/csv',
      '',
    ],
    [
      'where Claude Code has it',
      { '.claude/skills/csv/SKILL.md': skillText('csv') },
      'evals/evals.json',
      '/.claude/skills/csv',
      '',
    ],
    ['beside the file itself', { 'SKILL.md': skillText('csv') }, 'evals.json', '', ''],
  ])('is found %s', async (_, files, file, root, home) => {
    expect(await skillOf(files, file)).toEqual({ skill: 'csv', root, home, lines: '' });
  });

  it('is installed without the eval file that stands in its folder', async () => {
    const { pkg } = await read(
      DOCUMENT,
      { 'SKILL.md': skillText('csv'), 'evals-old.json': '[]' },
      'mine.json',
    );
    expect([...pkg.files.keys()]).toEqual(['SKILL.md']);
  });

  it('is the whole package where the evals stand with its manifest', async () => {
    const files = {
      'package.agent.json': { name: 'p', version: '1.0.0' },
      'skills/csv/SKILL.md': skillText('csv'),
    };
    expect(await skillOf(files)).toEqual({ skill: 'csv', root: '', home: '', lines: '' });
  });

  it('that has another name is told', async () => {
    expect((await skillOf({ 'SKILL.md': skillText('other') })).lines).toBe(
      'warning evals/evals.json:2:17 skill-name: the file names the skill csv, and installed is other',
    );
  });

  it('that is not there is told, and triggers cannot be judged', async () => {
    expect((await skillOf({})).lines).toContain('missing-skill: there is no SKILL.md here or above');
    const loaded = await read([{ query: 'x', should_trigger: true }], {});
    expect(loaded.suite.cases).toEqual([]);
    expect(lines(loaded)).toContain('missing-skill: there is no skill that could be triggered');
  });
});

describe('which files are eval files', () => {
  it('by name or by what is in them', async () => {
    await using folder = await writePackage({
      'evals/evals.json': [],
      'evals/eval-config.json': { version: 1, engine: 'codex' },
      'trigger-eval-2.json': [],
      'mine.json': [{ query: 'x', should_trigger: true }],
      'package.json': { name: 'x' },
      'report.json': { id: 'eval-run-1', cases: [] },
      'notes.md': '"skill_name": "x"',
    });
    const of = (file: string) => formatOf(join(folder.root, file));
    expect(of('evals/evals.json')).toBe('agent-skills');
    expect(of('trigger-eval-2.json')).toBe('agent-skills');
    expect(of('mine.json')).toBe('agent-skills');
    for (const other of ['evals/eval-config.json', 'package.json', 'report.json', 'notes.md', 'nowhere.json'])
      expect(of(other)).toBeNull();
    expect(await usualFile(folder.root)).toBe(join(folder.root, 'evals/evals.json'));
    expect(await usualFile(join(folder.root, 'evals'))).toBe(join(folder.root, 'evals/evals.json'));
  });
});

describe('any document', () => {
  const KEYS = [
    ...[
      'id',
      'name',
      'prompt',
      'query',
      'files',
      'assertions',
      'expectations',
      'expected_output',
      'should_trigger',
    ],
    ...['prompt_file', 'forbidden', '__proto__', 'type', 'value', 'text', 'weight'],
  ];
  const anyCase = fc.dictionary(fc.constantFrom(...KEYS), anyValue, { maxKeys: 8 });
  const anyDocument = fc.oneof(
    anyValue,
    fc.array(anyCase, { maxLength: 5 }),
    fc.record({ skill_name: anyValue, evals: fc.oneof(fc.array(anyCase, { maxLength: 5 }), anyValue) }),
  );

  it('is read without a crash, into cases with names of their own and findings with places', async () => {
    await using folder = await writePackage(SKILL);
    await mkdir(join(folder.root, 'evals'));
    const file = join(folder.root, 'evals/evals.json');
    await fc.assert(
      fc.asyncProperty(anyDocument, async (document) => {
        const text = JSON.stringify(document) ?? 'null';
        await writeFile(file, text);
        const { suite, diagnostics, broken, found } = await FORMATS['agent-skills'].read(file);
        const names = suite.cases.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(suite.cases.length + broken.length).toBeLessThanOrEqual(found);
        for (const it of suite.cases) {
          const ids = [...it.graders, ...it.criteria].map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          if (it.fault === null) expect(it.prompt.trim()).not.toBe('');
        }
        for (const { line, column } of diagnostics.filter((it) => it.rule !== 'too-many')) {
          expect(line).toBe(1);
          expect(column).toBeLessThanOrEqual(text.length + 1);
        }
      }),
      { numRuns: 200 },
    );
  });
});
