import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { CLEAN, type Files, findings, findingsOf, writePackage } from '../helpers/package.ts';

const FIXTURES: Files = { 'evals/fixtures/sample.pdf': '%PDF', 'evals/fixtures/deep/a.txt': '' };
const CASE = 'name: a\ninput:\n  prompt: Hi\njudge:\n  criteria: Good\n';

function withConfig(config: unknown): Promise<string[]> {
  return findingsOf({ ...CLEAN, 'evals/eval-config.json': config as object });
}

function withCase(text: string, files: Files = {}): Promise<string[]> {
  return findingsOf({ ...CLEAN, ...FIXTURES, 'evals/cases/a.yaml': text, ...files });
}

describe('eval-config.json', () => {
  it('has a version and an engine', async () => {
    expect(await withConfig({})).toMatchInlineSnapshot(`
      [
        "error evals/eval-config.json:1:1 missing-key: version is required (it must be 1)",
        "error evals/eval-config.json:1:1 missing-key: engine is required",
      ]
    `);
    expect(await withConfig({ version: 1, engine: 'claude-code' })).toEqual([]);
    expect(await withConfig({ version: 1, engine: 'codex' })).toEqual([]);
  });

  it('has fields of the right kind', async () => {
    expect(
      await withConfig({
        version: '1',
        engine: 7,
        timeout: -1,
        judge: ['x'],
        sandbox: { network: 'no', writablePaths: [], 'writable-paths': 'src' },
        env: { A: 1, 'B-C': 'x', D: 'a\0b' },
        command: [],
        jugde: 'x',
      }),
    ).toMatchInlineSnapshot(`
      [
        "error evals/eval-config.json:2:14 wrong-value: version must be 1, not "1"",
        "error evals/eval-config.json:3:13 wrong-type: engine must be a string, not a number (7) (put it in quotes)",
        "error evals/eval-config.json:4:14 wrong-value: timeout must be more than 0 seconds, not -1",
        "error evals/eval-config.json:5:12 wrong-type: judge must be a string, not a list",
        "error evals/eval-config.json:9:16 wrong-type: sandbox.network must be true or false, not a string ("no")",
        "warning evals/eval-config.json:10:5 unknown-key: sandbox.writablePaths is not a known field (did you mean sandbox.writable-paths?)",
        "error evals/eval-config.json:11:23 wrong-type: sandbox.writable-paths must be a list, not a string ("src")",
        "error evals/eval-config.json:14:10 wrong-type: env.A must be a string, not a number (1) (put it in quotes)",
        "error evals/eval-config.json:15:5 wrong-key: env.B-C: the key must be a variable name: letters, digits and _",
        "error evals/eval-config.json:16:10 wrong-value: env.D must not contain a NUL character",
        "error evals/eval-config.json:18:14 wrong-value: command must name a program",
        "warning evals/eval-config.json:19:3 unknown-key: jugde is not a known field (did you mean judge?)",
      ]
    `);
  });

  it('names an engine that aam can run', async () => {
    expect(await withConfig({ version: 1, engine: 'copilot' })).toMatchInlineSnapshot(`
      [
        "error evals/eval-config.json:3:13 unsupported-engine: copilot has no headless mode that aam can run (use one of claude-code, codex, command, completion)",
      ]
    `);
    expect(await withConfig({ version: 1, engine: 'cursor' })).toHaveLength(1);
    expect(await withConfig({ version: 1, engine: 'claude' })).toMatchInlineSnapshot(`
      [
        "error evals/eval-config.json:3:13 unsupported-engine: there is no engine "claude" (did you mean claude-code?)",
      ]
    `);
    expect(await withConfig({ version: 1, engine: 'constructor' })).toMatchInlineSnapshot(`
      [
        "error evals/eval-config.json:3:13 unsupported-engine: there is no engine "constructor" (there is: claude-code, codex, command, completion)",
      ]
    `);
    expect(await withConfig({ version: 1, engine: 'command' })).toMatchInlineSnapshot(`
      [
        "error evals/eval-config.json:3:13 missing-key: the engine "command" needs a command (add for example  "command": ["my-agent", "{prompt}"])",
      ]
    `);
    expect(await withConfig({ version: 1, engine: 'command', command: ['my-agent', '{prompt}'] })).toEqual(
      [],
    );
  });
});

describe('an eval case', () => {
  it('has a name, a prompt and criteria', async () => {
    expect(await withCase('description: x\n')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:1 missing-key: name is required",
        "error evals/cases/a.yaml:1:1 missing-key: input is required",
        "error evals/cases/a.yaml:1:1 missing-key: judge is required",
      ]
    `);
    expect(await withCase('name: A b\ninput: {prompt: " "}\njudge: {criteria: ""}\n')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:7 wrong-value: name must hold only a-z, 0-9 and hyphens, 1 to 64 of them, not "A b"",
        "error evals/cases/a.yaml:2:17 wrong-value: input.prompt must not be empty",
        "error evals/cases/a.yaml:3:19 wrong-value: judge.criteria must not be empty",
      ]
    `);
    expect(await withCase('- name: a\n')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:1 wrong-type: the document must be a map of keys, not a list",
      ]
    `);
    expect(await withCase('')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:1 wrong-type: the document is empty",
      ]
    `);
    expect(await withCase(CASE)).toEqual([]);
    expect(await withCase(CASE.replace('name: a', 'name: 01-a'))).toEqual([]);
  });

  it('has fields of the right kind', async () => {
    expect(
      await withCase(
        'name: a\ninput:\n  prompt: [Hi]\n  files: x\nexpected:\n  contains: x\n  agent-blocked: "yes"\n  files_created: []\njudge: Good\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:3:11 wrong-type: input.prompt must be a string, not a list",
        "error evals/cases/a.yaml:4:10 wrong-type: input.files must be a list, not a string ("x")",
        "error evals/cases/a.yaml:6:13 wrong-type: expected.contains must be a list, not a string ("x")",
        "error evals/cases/a.yaml:7:18 wrong-type: expected.agent-blocked must be true or false, not a string ("yes")",
        "warning evals/cases/a.yaml:8:3 unknown-key: expected.files_created is not a known field (did you mean expected.files-created?)",
        "error evals/cases/a.yaml:9:8 wrong-type: judge must be a map of keys, not a string ("Good")",
      ]
    `);
  });

  it('targets something that is there', async () => {
    const target = (text: string, files: Files = {}) => withCase(`target: ${text}\n${CASE}`, files);
    expect(await target('skill:ecko')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:9 unknown-target: there is no skill ecko in this package (did you mean echo?)",
      ]
    `);
    expect(await target('agent:helper')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:9 unknown-target: there is no sub-agent helper in this package (the package has no agents that can be read)",
      ]
    `);
    expect(await target('hook:stop')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:9 unknown-target: there is no hook for the event stop in this package (the package has no hooks that can be read)",
      ]
    `);
    expect(await target('rule:x')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:9 bad-target: the target "rule:x" is not one of skill:<name>, hook:<event>, agent:<name>",
      ]
    `);
    for (const odd of ['echo', 'skill', '"skill:"', 'constructor:x', '__proto__:x', '"toString:x"', '""']) {
      expect((await target(odd)).map((line) => line.split(':').slice(0, 3).join(':'))).toEqual([
        'error evals/cases/a.yaml:1:9 bad-target',
      ]);
    }
    const all = {
      'agents/helper.md': '---\ndescription: x\n---\nHelp.\n',
      'hooks/hooks.json': { version: 1, hooks: { stop: [] } },
    };
    expect(await target('hook:pre-tool-use', all)).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:9 unknown-target: there is no hook for the event pre-tool-use in this package (there is: stop)",
      ]
    `);
    expect(await target('hook:constructor', all)).toHaveLength(1);
    for (const right of ['skill:echo', 'agent:helper', 'hook:stop'])
      expect(await target(right, all)).toEqual([]);
  });

  it('has fixtures that are there', async () => {
    const files = (list: string) => withCase(CASE.replace('judge:', `  files: ${list}\njudge:`));
    expect(await files('[fixtures/smaple.pdf, sample.pdf, fixtures/none]')).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:4:11 missing-file: evals/fixtures/smaple.pdf does not exist (did you mean fixtures/sample.pdf?)",
        "error evals/cases/a.yaml:4:32 missing-file: evals/sample.pdf does not exist (did you mean fixtures/sample.pdf?)",
        "error evals/cases/a.yaml:4:44 missing-file: evals/fixtures/none does not exist (there is: fixtures/deep/a.txt, fixtures/sample.pdf)",
      ]
    `);
    expect(await files('[fixtures/sample.pdf, ./fixtures/deep/, fixtures]')).toEqual([]);
  });

  it('may not be called diff', async () => {
    expect(await withCase(CASE.replace('name: a', 'name: diff'))).toMatchInlineSnapshot(`
      [
        "warning evals/cases/a.yaml:1:7 reserved-name: aam eval diff compares reports, so this case cannot be selected by its name (rename it)",
      ]
    `);
  });

  it('has a name of its own', async () => {
    expect(await withCase(CASE, { 'evals/cases/b.yml': CASE })).toMatchInlineSnapshot(`
      [
        "error evals/cases/b.yml:1:7 duplicate-name: there is another eval case called a, in evals/cases/a.yaml (rename one of them)",
      ]
    `);
  });

  it('is read although another one is broken', async () => {
    const files = {
      ...CLEAN,
      'evals/cases/a.yaml': CASE,
      'evals/cases/b.yaml': 'name: [\n',
      'evals/cases/c.yml': CASE.replace(': a', ': c'),
    };
    await using pkg = await writePackage(files);
    const { evals } = await readPackage(pkg.root);
    expect(evals.cases.map(({ value }) => value.name)).toEqual(['a', 'c']);
    expect(await findingsOf(files)).toHaveLength(1);
  });
});

describe('the files of a case', () => {
  const given = (input: object) =>
    withCase(JSON.stringify({ name: 'a', input: { prompt: 'Hi', ...input }, judge: { criteria: 'Good' } }), {
      'evals/reports/r.json': '{}',
      'evals/tapes/a.jsonl': '',
    });

  it('hold no answers', async () => {
    const files = ['.', 'cases', './cases/a.yaml', 'reports/r.json', 'tapes', 'fixtures', 'eval-config.json'];
    expect(await given({ files })).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:45 answers-given: "." is all of evals/, with the cases and their answers (name files of evals/fixtures/)",
        "error evals/cases/a.yaml:1:49 answers-given: cases would show the agent evals/cases, which holds answers (name files of evals/fixtures/)",
        "error evals/cases/a.yaml:1:57 answers-given: ./cases/a.yaml would show the agent evals/cases/a.yaml, which holds answers (name files of evals/fixtures/)",
        "error evals/cases/a.yaml:1:74 answers-given: reports/r.json would show the agent evals/reports/r.json, which holds answers (name files of evals/fixtures/)",
        "error evals/cases/a.yaml:1:91 answers-given: tapes would show the agent evals/tapes, which holds answers (name files of evals/fixtures/)",
        "error evals/cases/a.yaml:1:110 missing-file: evals/eval-config.json does not exist (there is: fixtures/deep/a.txt, fixtures/sample.pdf, reports/r.json, tapes/a.jsonl)",
      ]
    `);
    expect(
      await given({ 'workspace-files': ['cases/a.yaml', 'sample.pdf', 'new.txt'] }),
    ).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:55 answers-given: cases/a.yaml would show the agent evals/cases/a.yaml, which holds answers (name files of evals/fixtures/)",
      ]
    `);
  });

  it('hold no answers through links either', async () => {
    await using pkg = await writePackage({
      ...CLEAN,
      'evals/fixtures/b.txt': '',
      'evals/cases/a.yaml': 'name: a\ninput: { prompt: Hi, files: [fixtures] }\njudge: { criteria: Good }\n',
    });
    await symlink('../cases', join(pkg.root, 'evals/fixtures/deep'));
    expect(await findings(pkg.root)).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:2:30 answers-given: fixtures would show the agent evals/cases/a.yaml, which holds answers (name files of evals/fixtures/)",
      ]
    `);
  });

  it('are files of the workspace, not of its repository', async () => {
    expect(await given({ 'workspace-files': ['.git/config', '.'] })).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:1:55 path-in-git: .git/config is in the repository’s own folder, which no case may speak of (name a file of the workspace outside .git)",
        "error evals/cases/a.yaml:1:69 not-a-file: . is a folder, not a file",
      ]
    `);
    const text =
      'name: a\ninput: { prompt: Hi }\nexpected: { files-created: [.git/HEAD, ./] }\njudge: { criteria: Good }\n';
    expect(await withCase(text)).toMatchInlineSnapshot(`
      [
        "error evals/cases/a.yaml:3:29 path-in-git: .git/HEAD is in the repository’s own folder, which no case may speak of (name a file of the workspace outside .git)",
        "error evals/cases/a.yaml:3:40 not-a-file: ./ is a folder, not a file",
      ]
    `);
  });
});
