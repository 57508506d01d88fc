import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { CLEAN, type Files, findingsOf, MANIFEST, writePackage } from '../helpers/package.ts';

const PROMPT = '---\ndescription: Helps\n---\nHelp.\n';

function withAgent(text: string, files: Files = {}): Promise<string[]> {
  return findingsOf({
    ...CLEAN,
    'agents/helper/agent.yaml': text,
    'agents/helper/system-prompt.md': PROMPT,
    ...files,
  });
}

const AGENT = 'name: helper\ndescription: Helps\nsystem_prompt: system-prompt.md\n';

describe('a sub-agent', () => {
  it('has a name, a description and a prompt', async () => {
    expect(await withAgent('version: 1.0.0\n')).toMatchInlineSnapshot(`
      [
        "error agents/helper/agent.yaml:1:1 missing-key: name is required",
        "error agents/helper/agent.yaml:1:1 missing-key: description is required",
        "error agents/helper/agent.yaml:1:1 missing-key: system_prompt is required",
      ]
    `);
    expect(
      await withAgent('name: Helper\ndescription: ""\nsystem_prompt: prompt.txt\n'),
    ).toMatchInlineSnapshot(`
      [
        "error agents/helper/agent.yaml:1:7 wrong-value: name must start with a lower-case letter and hold only a-z, 0-9 and hyphens, 64 at most, not "Helper"",
        "error agents/helper/agent.yaml:2:14 wrong-value: description must not be empty",
        "error agents/helper/agent.yaml:3:16 wrong-value: system_prompt must be the relative path of a .md file, not "prompt.txt"",
      ]
    `);
    expect(await withAgent('')).toMatchInlineSnapshot(`
      [
        "error agents/helper/agent.yaml:1:1 wrong-type: the document is empty",
      ]
    `);
    expect(await withAgent(AGENT)).toEqual([]);
  });

  it('has fields of the right kind', async () => {
    expect(
      await withAgent(
        `${AGENT}version: 1.0\nskills: echo\ntools: [1]\nparameters: {temperature: 3, style: 1, top_p: 1}\nskill: []\n`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "error agents/helper/agent.yaml:4:10 wrong-type: version must be a string, not a number (1) (put it in quotes)",
        "error agents/helper/agent.yaml:5:9 wrong-type: skills must be a list, not a string ("echo")",
        "error agents/helper/agent.yaml:6:9 wrong-type: tools[0] must be a string, not a number (1) (put it in quotes)",
        "error agents/helper/agent.yaml:7:27 wrong-value: parameters.temperature must be 0 to 2, not 3",
        "error agents/helper/agent.yaml:7:37 wrong-type: parameters.style must be a string, not a number (1) (put it in quotes)",
        "warning agents/helper/agent.yaml:8:1 unknown-key: skill is not a known field (did you mean skills?)",
      ]
    `);
    expect(await withAgent(`${AGENT}parameters: {temperature: 2, top_p: 1}\n`)).toEqual([]);
  });

  it('has its prompt beside it, with a description', async () => {
    expect(await withAgent(AGENT.replace('system-prompt', 'prompts/main'))).toMatchInlineSnapshot(`
      [
        "error agents/helper/agent.yaml:3:16 missing-file: the system prompt agents/helper/prompts/main.md does not exist (write it, or correct the path: it is relative to the folder of this file)",
      ]
    `);
    expect(await withAgent(AGENT, { 'agents/helper/system-prompt.md': 'Help.\n' })).toMatchInlineSnapshot(`
      [
        "error agents/helper/system-prompt.md:1:1 frontmatter: has no frontmatter (begin the file with a line ---, then lines of key: value, then a line ---)",
      ]
    `);
    expect(
      await withAgent(AGENT, {
        'agents/helper/system-prompt.md': '---\ncapabilities: reading\ndescripton: x\n---\n',
      }),
    ).toMatchInlineSnapshot(`
      [
        "error agents/helper/system-prompt.md:2:1 missing-key: description is required",
        "error agents/helper/system-prompt.md:2:15 wrong-type: capabilities must be a list, not a string ("reading")",
        "warning agents/helper/system-prompt.md:3:1 unknown-key: descripton is not a known field (did you mean description?)",
      ]
    `);
    expect(await withAgent(AGENT.replace('system-prompt', './prompts/../x'))).toMatchInlineSnapshot(`
      [
        "error agents/helper/agent.yaml:3:16 path-outside: the path "./prompts/../x.md" leads outside with ".." (paths are relative and stay inside the package)",
      ]
    `);
    expect(
      await withAgent(AGENT.replace('system-prompt', './prompts/main'), {
        'agents/helper/prompts/main.md': PROMPT,
      }),
    ).toEqual([]);
  });

  it('refers to skills and commands that are there, also those of dependencies', async () => {
    const manifest = {
      'package.agent.json': {
        ...MANIFEST,
        permissions: {},
        dependencies: { base: '*' },
        peerDependencies: { '@acme/x': '*' },
      },
      'commands/run.md': '---\nname: run\n---\nRun.\n',
    };
    const refs =
      'skills: [ecko, echo, Bad Name, "other:x", "base:x", "demo:missing", "constructor:x"]\ncommands: [walk, run, "@acme/x:go"]\n';
    expect(await withAgent(AGENT + refs, manifest)).toMatchInlineSnapshot(`
      [
        "error agents/helper/agent.yaml:4:10 unknown-skill: there is no skill ecko in this package (did you mean echo?)",
        "error agents/helper/agent.yaml:4:22 bad-reference: "Bad Name" is not the name of a skill (write name, or package:name for a skill of a dependency)",
        "error agents/helper/agent.yaml:4:32 unknown-dependency: other is not among the package’s dependencies (add it to dependencies in package.agent.json)",
        "error agents/helper/agent.yaml:4:53 unknown-skill: there is no skill missing in this package (there is: echo)",
        "error agents/helper/agent.yaml:4:69 unknown-dependency: constructor is not among the package’s dependencies (add it to dependencies in package.agent.json)",
        "error agents/helper/agent.yaml:5:12 unknown-command: there is no command walk in this package (there is: run)",
      ]
    `);
    const right = 'skills: [echo, "demo:echo", "base:x"]\ncommands: [run, "demo:run", "@acme/x:go"]\n';
    expect(await withAgent(AGENT + right, manifest)).toEqual([]);
  });

  it('may stand in one file, the older way', async () => {
    const files = {
      ...CLEAN,
      'agents/old.md': '---\ndescription: Old\ntools: Read, Write\ncolor: blue\n---\nBe old.\n',
      'agents/named.md': '---\nname: other\ndescription: Named\n---\nBe.\n',
    };
    expect(await findingsOf(files)).toEqual([]);
    await using pkg = await writePackage(files);
    expect((await readPackage(pkg.root)).agents).toMatchObject([
      { name: 'other', file: 'agents/named.md', promptFile: 'agents/named.md', prompt: 'Be.\n' },
      { name: 'old', definition: { value: { name: 'old', description: 'Old' } }, prompt: 'Be old.\n' },
    ]);
    expect(
      await findingsOf({ ...CLEAN, 'agents/a.md': '---\nname: A b\n---\nBe.\n', 'agents/b.md': 'Be.\n' }),
    ).toMatchInlineSnapshot(`
      [
        "error agents/a.md:2:1 missing-key: description is required",
        "error agents/a.md:2:7 wrong-value: name must start with a lower-case letter and hold only a-z, 0-9 and hyphens, 64 at most, not "A b"",
        "error agents/b.md:1:1 frontmatter: has no frontmatter (begin the file with a line ---, then lines of key: value, then a line ---)",
      ]
    `);
  });

  it('may stand at the root when the manifest says so', async () => {
    const manifest = {
      ...MANIFEST,
      permissions: {},
      artifacts: { agents: [{ name: 'helper', path: 'agent.yaml' }] },
    };
    const files = {
      ...CLEAN,
      'package.agent.json': manifest,
      'agent.yaml': AGENT,
      'system-prompt.md': PROMPT,
    };
    expect(await findingsOf(files)).toEqual([]);
  });

  it('has a name of its own', async () => {
    expect(
      await withAgent(AGENT, { 'agents/helper.md': '---\ndescription: Too\n---\nBe.\n' }),
    ).toMatchInlineSnapshot(`
      [
        "error agents/helper.md:2:1 duplicate-name: there is another sub-agent called helper, in agents/helper/agent.yaml (rename one of them)",
      ]
    `);
  });
});

describe('a command', () => {
  const withCommand = (lines: string, body = 'Run.\n') =>
    findingsOf({ ...CLEAN, 'commands/run.md': `---\n${lines}---\n${body}` });

  it('has a name', async () => {
    expect(await withCommand('description: Runs\n')).toMatchInlineSnapshot(`
      [
        "error commands/run.md:2:1 missing-key: name is required",
      ]
    `);
    expect(await withCommand('name: Run It\n')).toMatchInlineSnapshot(`
      [
        "error commands/run.md:2:7 wrong-value: name must start with a lower-case letter and hold only a-z, 0-9 and hyphens, 64 at most, not "Run It"",
      ]
    `);
    expect(await withCommand('name: run\n')).toEqual([]);
  });

  it('has variables of the right kind', async () => {
    expect(
      await withCommand(
        'name: run\nvariables:\n  - {name: a b}\n  - {required: "yes"}\n  - {name: c, enum: x, default: [1]}\n  - {name: d, typ: x}\n  - e\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        "error commands/run.md:4:12 wrong-value: variables[0].name must be an identifier, not "a b"",
        "error commands/run.md:5:5 missing-key: variables[1].name is required",
        "error commands/run.md:5:16 wrong-type: variables[1].required must be true or false, not a string ("yes")",
        "error commands/run.md:6:21 wrong-type: variables[2].enum must be a list, not a string ("x")",
        "error commands/run.md:6:33 wrong-type: variables[2].default must be a string, a number or true or false, not a list",
        "warning commands/run.md:7:15 unknown-key: variables[3].typ is not a known field",
        "error commands/run.md:8:5 wrong-type: variables[4] must be a map of keys, not a string ("e")",
      ]
    `);
    expect(await withCommand('name: run\nvariables: {a: b}\n')).toMatchInlineSnapshot(`
      [
        "error commands/run.md:3:12 wrong-type: variables must be a list, not a map of keys",
      ]
    `);
  });

  it('has defaults that are allowed, and each variable once', async () => {
    const variables =
      'name: run\nvariables:\n  - {name: a, enum: [x, y], default: z}\n  - {name: a}\n  - {name: b, enum: [1, 2], default: 2}\n';
    expect(await withCommand(variables)).toMatchInlineSnapshot(`
      [
        "error commands/run.md:4:38 wrong-value: the default z is not one of x, y",
        "error commands/run.md:5:12 duplicate-name: there is another variable called a (remove one of them)",
      ]
    `);
  });

  it('uses only variables that it declares', async () => {
    expect(await withCommand('name: run\n', 'Take {{file}}.\n')).toMatchInlineSnapshot(`
      [
        "warning commands/run.md:4:6 unknown-variable: {{file}} is not declared in variables (add  variables: [{ name: file }])",
      ]
    `);
    expect(
      await withCommand(
        'name: run\nvariables: [{name: file}]\n',
        '\n{{file}} {{ fiel }} {{other}} {{fiel}} {{ not a variable }}\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        "warning commands/run.md:6:10 unknown-variable: {{fiel}} is not declared in variables (did you mean file?)",
        "warning commands/run.md:6:21 unknown-variable: {{other}} is not declared in variables (there is: file)",
      ]
    `);
    expect(await withCommand('name: run\nvariables: [{name: file}]\n', '{{ file }}\n')).toEqual([]);
  });

  it('has a name of its own', async () => {
    const command = '---\nname: run\n---\nRun.\n';
    expect(
      await findingsOf({ ...CLEAN, 'commands/a.md': command, 'commands/b.md': command }),
    ).toMatchInlineSnapshot(`
      [
        "error commands/b.md:2:7 duplicate-name: there is another command called run, in commands/a.md (rename one of them)",
      ]
    `);
  });
});

describe('a rule', () => {
  const withRule = (text: string) => findingsOf({ ...CLEAN, 'rules/style/RULE.md': text });

  it('has a name, a description, a mode and a text', async () => {
    expect(await withRule('---\nversion: 1.0.0\n---\nText.\n')).toMatchInlineSnapshot(`
      [
        "error rules/style/RULE.md:2:1 missing-key: name is required",
        "error rules/style/RULE.md:2:1 missing-key: description is required",
        "error rules/style/RULE.md:2:1 missing-key: apply is required",
      ]
    `);
    expect(
      await withRule('---\nname: style\ndescription: Style\napply: {mode: always}\n---\n \n'),
    ).toMatchInlineSnapshot(`
      [
        "error rules/style/RULE.md empty-body: has no text after the frontmatter (write the rule there)",
      ]
    `);
    expect(await withRule('Text.\n')).toMatchInlineSnapshot(`
      [
        "error rules/style/RULE.md:1:1 frontmatter: has no frontmatter (begin the file with a line ---, then lines of key: value, then a line ---)",
      ]
    `);
    expect(
      await withRule('---\nname: style\ndescription: Style\napply: {mode: always}\n---\nText.\n'),
    ).toEqual([]);
  });

  it('has fields of the right kind', async () => {
    expect(
      await withRule(
        '---\nname: A\ndescription: Style\napply: {mode: sometimes, glob: x}\nagents: {claude: {enabled: 1}, gemini: {}}\nrefs: x\n---\nText.\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        "error rules/style/RULE.md:2:7 wrong-value: name must hold only a-z, 0-9 and hyphens, not "A"",
        "error rules/style/RULE.md:4:15 wrong-value: apply.mode must be always, intelligent, files or manual, not "sometimes"",
        "warning rules/style/RULE.md:4:26 unknown-key: apply.glob is not a known field (did you mean apply.globs?)",
        "error rules/style/RULE.md:5:28 wrong-type: agents.claude.enabled must be true or false, not a number (1)",
        "warning rules/style/RULE.md:5:32 unknown-key: agents.gemini is not a known field",
        "error rules/style/RULE.md:6:7 wrong-type: refs must be a list, not a string ("x")",
      ]
    `);
    expect(
      await withRule('---\nname: style\ndescription: Style\napply: {mode: files, globs: []}\n---\nText.\n'),
    ).toMatchInlineSnapshot(`
      [
        "error rules/style/RULE.md:4:8 wrong-value: apply with mode "files" must have globs",
      ]
    `);
    expect(
      await withRule(
        '---\nname: style\ndescription: Style\napply: {mode: files, globs: "*.ts"}\n---\nText.\n',
      ),
    ).toEqual([]);
  });

  it('may be written the way of the migration guide', async () => {
    const legacy = async (lines: string) => {
      await using pkg = await writePackage({ ...CLEAN, 'rules/old/RULE.md': `---\n${lines}---\nText.\n` });
      const { rules, diagnostics } = await readPackage(pkg.root);
      expect(diagnostics).toEqual([]);
      return rules[0]?.frontmatter?.value;
    };
    expect(await legacy('description: Old\nalwaysApply: true\n')).toMatchObject({
      name: 'old',
      apply: { mode: 'always' },
    });
    expect(await legacy('description: Old\nglobs: ["*.ts"]\n')).toMatchObject({
      apply: { mode: 'files', globs: ['*.ts'] },
    });
    expect(await legacy('name: x\ndescription: Old\nglobs:\nalwaysApply: false\n')).toMatchObject({
      name: 'x',
      apply: { mode: 'intelligent' },
    });
    expect(
      await findingsOf({
        ...CLEAN,
        'rules/old/RULE.md': '---\nglobs: 3\nalwaysApply: "yes"\nother: 1\n---\nText.\n',
      }),
    ).toMatchInlineSnapshot(`
      [
        "error rules/old/RULE.md:2:1 missing-key: description is required",
        "error rules/old/RULE.md:2:8 wrong-type: globs must be a list, a string or null, not a number (3)",
        "error rules/old/RULE.md:3:14 wrong-type: alwaysApply must be true or false, not a string ("yes")",
        "warning rules/old/RULE.md:4:1 unknown-key: other is not a known field",
      ]
    `);
  });

  it('has a name of its own that starts with a letter, wherever it stands', async () => {
    const rule = (name: string) => `---\nname: ${name}\ndescription: x\napply: {mode: manual}\n---\nText.\n`;
    expect(
      await findingsOf({
        ...CLEAN,
        'rules/a/RULE.md': rule('a'),
        'rules/b/c/RULE.md': rule('a'),
        '.aam/rules/a.rule.md': rule('a'),
        'rules/9.rule.md': rule('9x'),
      }),
    ).toMatchInlineSnapshot(`
      [
        "error .aam/rules/a.rule.md:2:7 duplicate-name: there is another rule called a, in rules/a/RULE.md (rename one of them)",
        "error rules/9.rule.md:2:7 wrong-value: the name 9x must start with a letter (rename it: in a package, names are referred to as package:name)",
        "error rules/b/c/RULE.md:2:7 duplicate-name: there is another rule called a, in rules/a/RULE.md (rename one of them)",
      ]
    `);
  });
});
