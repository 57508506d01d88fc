import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { CLEAN, type Files, findingsOf, writePackage } from '../helpers/package.ts';

const HOOKS = {
  version: 1,
  hooks: {
    'pre-tool-use': [{ hooks: [{ type: 'command', command: 'true' }] }],
    stop: [
      { hooks: [{ type: 'prompt', prompt: 'Done?' }] },
      {
        hooks: [
          { type: 'prompt', prompt: 'x' },
          { type: 'command', command: 'true' },
        ],
      },
    ],
  },
};

function withSkillCase(text: string, files: Files = {}): Promise<string[]> {
  return findingsOf({
    ...CLEAN,
    'skills/echo/tests/fixtures/a.txt': '',
    'skills/echo/tests/cases/a.yaml': text,
    ...files,
  });
}

function withHookCase(text: string, files: Files = {}): Promise<string[]> {
  return findingsOf({
    ...CLEAN,
    'hooks/hooks.json': HOOKS,
    'hooks/tests/fixtures/write.json': '{}',
    'hooks/tests/cases/a.yaml': text,
    ...files,
  });
}

describe('test-config.json', () => {
  it('has a version, seconds and variables', async () => {
    const config = (value: object) => findingsOf({ ...CLEAN, 'skills/echo/tests/test-config.json': value });
    expect(await config({})).toMatchInlineSnapshot(`
      [
        "error skills/echo/tests/test-config.json:1:1 missing-key: version is required (it must be 1)",
      ]
    `);
    expect(await config({ version: 3, timeout: 'fast', env: ['A'], evn: {} })).toMatchInlineSnapshot(`
      [
        "error skills/echo/tests/test-config.json:2:14 wrong-value: version must be 1, not 3",
        "error skills/echo/tests/test-config.json:3:14 wrong-type: timeout must be a number, not a string ("fast")",
        "error skills/echo/tests/test-config.json:4:10 wrong-type: env must be a map of keys, not a list",
        "warning skills/echo/tests/test-config.json:7:3 unknown-key: evn is not a known field (did you mean env?)",
      ]
    `);
    expect(await config({ version: 1, timeout: 0.5, env: { A: '' } })).toEqual([]);
  });
});

describe('the test case of a skill', () => {
  const CASE = 'name: a\ninput:\n  command: echo hi\n';

  it('has a name and a command', async () => {
    expect(await withSkillCase('description: x\n')).toMatchInlineSnapshot(`
      [
        "error skills/echo/tests/cases/a.yaml:1:1 missing-key: name is required",
        "error skills/echo/tests/cases/a.yaml:1:1 missing-key: input is required",
      ]
    `);
    expect(await withSkillCase('name: a\ninput: {command: " "}\n')).toMatchInlineSnapshot(`
      [
        "error skills/echo/tests/cases/a.yaml:2:18 wrong-value: input.command must not be empty",
      ]
    `);
    expect(await withSkillCase(CASE)).toEqual([]);
  });

  it('has fields of the right kind', async () => {
    expect(
      await withSkillCase(
        'name: a\ninput:\n  command: [echo]\n  stdin: 3\n  files: [1]\nexpected:\n  exit-code: 1.5\n  stdout-contains: x\n  stdout_json: {}\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        "error skills/echo/tests/cases/a.yaml:3:12 wrong-type: input.command must be a string, not a list",
        "error skills/echo/tests/cases/a.yaml:4:10 wrong-type: input.stdin must be a string, not a number (3) (put it in quotes)",
        "error skills/echo/tests/cases/a.yaml:5:11 wrong-type: input.files[0] must be a string, not a number (1) (put it in quotes)",
        "error skills/echo/tests/cases/a.yaml:7:14 wrong-type: expected.exit-code must be a whole number, not a number (1.5)",
        "error skills/echo/tests/cases/a.yaml:8:20 wrong-type: expected.stdout-contains must be a list, not a string ("x")",
        "warning skills/echo/tests/cases/a.yaml:9:3 unknown-key: expected.stdout_json is not a known field (did you mean expected.stdout-json?)",
      ]
    `);
    expect(await withSkillCase(`${CASE}expected: {exit-code: 256}\n`)).toMatchInlineSnapshot(`
      [
        "error skills/echo/tests/cases/a.yaml:4:23 wrong-value: expected.exit-code must be 0 to 255, not 256",
      ]
    `);
    expect(
      await withSkillCase(`${CASE}  stdin: null\nexpected: {exit-code: 255, stdout-json: null}\n`),
    ).toEqual([]);
  });

  it('needs files that are there, relative to the skill', async () => {
    expect(
      await withSkillCase(`${CASE}  files: [tests/fixtures/b.txt, fixtures/a.txt]\n`),
    ).toMatchInlineSnapshot(`
      [
        "error skills/echo/tests/cases/a.yaml:4:11 missing-file: skills/echo/tests/fixtures/b.txt does not exist (did you mean tests/fixtures/a.txt?)",
        "error skills/echo/tests/cases/a.yaml:4:33 missing-file: skills/echo/fixtures/a.txt does not exist (did you mean tests/fixtures/a.txt?)",
      ]
    `);
    expect(await withSkillCase(`${CASE}  files: [tests/fixtures/a.txt, tests/fixtures, SKILL.md]\n`)).toEqual(
      [],
    );
  });

  it('has a name of its own within its skill', async () => {
    const other = {
      'skills/other/SKILL.md': '---\nname: other\ndescription: x\n---\nBody.\n',
      'skills/other/tests/cases/a.yaml': CASE,
    };
    expect(await withSkillCase(CASE, other)).toEqual([]);
    expect(await withSkillCase(CASE, { 'skills/echo/tests/cases/b.yaml': CASE })).toMatchInlineSnapshot(`
      [
        "error skills/echo/tests/cases/b.yaml:1:7 duplicate-name: there is another test case called a, in skills/echo/tests/cases/a.yaml (rename one of them)",
      ]
    `);
  });

  it('expects success when it says nothing else', async () => {
    await using pkg = await writePackage({
      ...CLEAN,
      'skills/echo/tests/cases/a.yaml': CASE,
      'skills/echo/tests/cases/b.yaml': '?',
    });
    const { tests } = await readPackage(pkg.root);
    expect(tests).toMatchObject([
      {
        kind: 'skill',
        skillDir: 'skills/echo',
        config: null,
        cases: [{ value: { expected: { exitCode: 0 } } }],
        broken: ['skills/echo/tests/cases/b.yaml'],
      },
    ]);
  });

  it('may belong to a bare skill', async () => {
    const bare = {
      'SKILL.md': '---\nname: a\ndescription: b\n---\nBody.\n',
      'tests/cases/a.yaml': `${CASE}  files: [x]\n`,
    };
    expect(await findingsOf(bare)).toMatchInlineSnapshot(`
      [
        "error tests/cases/a.yaml:4:11 missing-file: x does not exist (there is: SKILL.md, tests/cases/a.yaml)",
      ]
    `);
  });
});

describe('the test case of a hook', () => {
  const CASE = 'name: a\nevent: pre-tool-use\nexpected:\n  exit-code: 0\n';

  it('has a name, an event and expects something', async () => {
    expect(await withHookCase('description: x\n')).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:1:1 missing-key: name is required",
        "error hooks/tests/cases/a.yaml:1:1 missing-key: event is required",
      ]
    `);
    expect(await withHookCase('name: a\nevent: pre-tool-use\n')).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:1:1 nothing-expected: the case checks nothing (add an exit-code, stderr-contains, stdout-json or not-contains)",
      ]
    `);
    expect(
      await withHookCase('name: a\nevent: pre-tool-use\nexpected: {stderr-contains: [], not-contains: []}\n'),
    ).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:3:11 nothing-expected: the case checks nothing (add an exit-code, stderr-contains, stdout-json or not-contains)",
      ]
    `);
    for (const check of [
      'exit-code: 2',
      'stderr-contains: [x]',
      'stdout-json: null',
      'not-contains: [x]',
      'stdout-contains: [x]',
    ]) {
      expect(await withHookCase(`name: a\nevent: pre-tool-use\nexpected: {${check}}\n`)).toEqual([]);
    }
  });

  it('has fields of the right kind', async () => {
    expect(
      await withHookCase(
        'name: a\nevent: pre-tool-use\nhook-index: -1\ninput: {fixture: [x], overrides: [], fixtures: x}\nexpected: {exit-code: "2"}\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:3:13 wrong-value: hook-index must be 0 or more, not -1",
        "error hooks/tests/cases/a.yaml:4:18 wrong-type: input.fixture must be a string, not a list",
        "error hooks/tests/cases/a.yaml:4:34 wrong-type: input.overrides must be a map of keys, not a list",
        "warning hooks/tests/cases/a.yaml:4:38 unknown-key: input.fixtures is not a known field (did you mean input.fixture?)",
        "error hooks/tests/cases/a.yaml:5:23 wrong-type: expected.exit-code must be a number, not a string ("2") (take it out of the quotes)",
      ]
    `);
    expect(
      await withHookCase('name: a\nevent: pre-tool-use\nhook-index: 0.5\nexpected: {exit-code: 2}\n'),
    ).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:3:13 wrong-type: hook-index must be a whole number, not a number (0.5)",
      ]
    `);
  });

  it('is about a hook that is there', async () => {
    const about = (event: string, index?: number) =>
      withHookCase(
        CASE.replace(
          'event: pre-tool-use',
          `event: ${event}${index === undefined ? '' : `\nhook-index: ${index}`}`,
        ),
      );
    expect(await about('pre-tool-us')).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:2:8 unknown-event: hooks/hooks.json has no hook for pre-tool-us (did you mean pre-tool-use?)",
      ]
    `);
    expect(await about('notification')).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:2:8 unknown-event: hooks/hooks.json has no hook for notification (there is: pre-tool-use, stop)",
      ]
    `);
    for (const odd of ['constructor', '__proto__', 'toString']) {
      expect((await about(odd))[0]).toContain(
        `error hooks/tests/cases/a.yaml:2:8 unknown-event: hooks/hooks.json has no hook for ${odd}`,
      );
    }
    expect(await about('pre-tool-use', 1)).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:3:13 unknown-hook: pre-tool-use has 1 group, so hook-index 1 does not exist (count from 0)",
      ]
    `);
    expect(await about('stop', 2)).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:3:13 unknown-hook: stop has 2 groups, so hook-index 2 does not exist (count from 0)",
      ]
    `);
    expect(await about('stop', 0)).toMatchInlineSnapshot(`
      [
        "warning hooks/tests/cases/a.yaml:3:13 needs-model: this hook is a prompt, which aam test cannot run without a model (write an eval case for it)",
      ]
    `);
    expect(await about('stop', 1)).toEqual([]);
    expect(await about('pre-tool-use', 0)).toEqual([]);
  });

  it('needs hooks that can be read', async () => {
    const none = { ...CLEAN, 'hooks/tests/cases/a.yaml': CASE };
    expect(await findingsOf(none)).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:2:8 unknown-event: the package has no hooks that can be read (hooks stand in hooks/hooks.json)",
      ]
    `);
    expect(await withHookCase(CASE, { 'hooks/hooks.json': '{' })).toMatchInlineSnapshot(`
      [
        "error hooks/hooks.json:1:2 syntax: a closing } is expected here",
      ]
    `);
  });

  it('has a fixture that is there', async () => {
    const fixture = (path: string) => withHookCase(`${CASE}input:\n  fixture: ${path}\n`);
    expect(await fixture('fixtures/wriet.json')).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:6:12 missing-file: hooks/tests/fixtures/wriet.json does not exist (did you mean fixtures/write.json?)",
      ]
    `);
    expect(await fixture('fixtures')).toMatchInlineSnapshot(`
      [
        "error hooks/tests/cases/a.yaml:6:12 not-a-file: hooks/tests/fixtures is a folder, not a file",
      ]
    `);
    expect(await fixture('fixtures/write.json')).toEqual([]);
  });
});
