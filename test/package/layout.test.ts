import { describe, expect, it } from 'vitest';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { CLEAN, type Files, findingsOf, MANIFEST, skillText, writePackage } from '../helpers/package.ts';

const AGENT = 'name: helper\ndescription: Helps\nsystem_prompt: system-prompt.md\n';
const PROMPT = '---\ndescription: Helps\n---\nHelp.\n';
const COMMAND = '---\nname: run\n---\nRun.\n';
const RULE = '---\nname: style\ndescription: Style\napply: {mode: always}\n---\nBe tidy.\n';

async function names(files: Files) {
  await using written = await writePackage(files);
  const pkg = await readPackage(written.root);
  return {
    skills: pkg.skills.map(({ name, file }) => `${name} ${file}`),
    commands: pkg.commands.map(({ name, file }) => `${name} ${file}`),
    agents: pkg.agents.map(({ name, file }) => `${name} ${file}`),
    rules: pkg.rules.map(({ name, file }) => `${name} ${file}`),
    hooks: pkg.hooks?.file,
    mcp: pkg.mcp?.file,
  };
}

function manifest(fields: object): Files {
  return { 'package.agent.json': { ...MANIFEST, permissions: {}, ...fields } };
}

describe('artifacts are found in their folders', () => {
  it('skills, commands, sub-agents and rules in every spelling', async () => {
    const files = {
      ...CLEAN,
      'skills/README.md': '',
      'skills/.hidden/x': '',
      'skills/node_modules/x': '',
      'commands/run.md': COMMAND,
      'commands/README.md': '',
      'commands/notes.txt': '',
      'agents/helper/agent.yml': AGENT,
      'agents/helper/system-prompt.md': PROMPT,
      'agents/old.md': '---\ndescription: Old\ntools: Read\n---\nOld.\n',
      'agents/readme.md': '',
      'rules/a/b/RULE.md': RULE,
      'rules/tidy.rule.md': RULE.replace('style', 'tidy'),
      'rules/README.md': '',
      '.aam/rules/mine.rule.md': RULE.replace('style', 'mine'),
    };
    expect(await findingsOf(files)).toEqual([]);
    expect(await names(files)).toMatchObject({
      skills: ['echo skills/echo/SKILL.md'],
      commands: ['run commands/run.md'],
      agents: ['helper agents/helper/agent.yml', 'old agents/old.md'],
      rules: ['style rules/a/b/RULE.md', 'tidy rules/tidy.rule.md', 'mine .aam/rules/mine.rule.md'],
    });
  });

  it('folders without what makes them an artifact are reported', async () => {
    expect(
      await findingsOf({
        ...CLEAN,
        'skills/empty/x.txt': '',
        'skills/lower/skill.md': '',
        'agents/none/x.txt': '',
      }),
    ).toMatchInlineSnapshot(`
      [
        "error agents/none missing-file: is a sub-agent’s folder without an agent.yaml (add one, or move the folder elsewhere)",
        "error skills/empty missing-file: is a skill’s folder without a SKILL.md (add one, or move the folder elsewhere)",
        "error skills/lower missing-file: is a skill’s folder without a SKILL.md (rename skills/lower/skill.md to SKILL.md)",
      ]
    `);
  });

  it('files that nobody reads are pointed out', async () => {
    expect(
      await findingsOf({
        ...CLEAN,
        'rules/style.md': RULE,
        'rules/cursor.mdc': RULE,
        'agents/helper.yaml': AGENT,
        'evals/cases/a.json': '{}',
        'evals/cases/group/a.yaml': '',
        'skills/echo/tests/basic.yaml': '',
        'hooks/tests/cases/a.json': '{}',
      }),
    ).toMatchInlineSnapshot(`
      [
        "warning agents/helper.yaml not-read: is not read (sub-agents are agents/<name>/agent.yaml)",
        "warning evals/cases/a.json not-read: is not read (cases are evals/cases/*.yaml)",
        "warning evals/cases/group not-read: is not read (cases are evals/cases/*.yaml)",
        "warning hooks/tests/cases/a.json not-read: is not read (cases are hooks/tests/cases/*.yaml)",
        "warning rules/cursor.mdc not-read: is not read (rules are rules/<name>/RULE.md or <name>.rule.md)",
        "warning rules/style.md not-read: is not read (rules are rules/<name>/RULE.md or <name>.rule.md)",
        "warning skills/echo/tests/basic.yaml not-read: is not read (cases are skills/echo/tests/cases/*.yaml)",
      ]
    `);
  });

  it('a SKILL.md at the root is the skill of a package without others', async () => {
    const root = { ...manifest({}), 'SKILL.md': skillText('root') };
    expect(await findingsOf(root)).toEqual([]);
    expect((await names(root)).skills).toEqual(['root SKILL.md']);
    expect((await names({ ...root, ...CLEAN })).skills).toEqual(['echo skills/echo/SKILL.md']);
  });

  it('a folder without a manifest is a bare skill', async () => {
    expect(await findingsOf({ 'SKILL.md': skillText('lonely'), 'references/a.md': '' })).toEqual([]);
    expect(await findingsOf({ 'SKILL.md': '# Hi\n' })).toMatchInlineSnapshot(`
      [
        "error SKILL.md:1:1 frontmatter: has no frontmatter (begin the file with a line ---, then lines of key: value, then a line ---)",
      ]
    `);
  });
});

describe('artifacts that the manifest lists', () => {
  const files = {
    'lib/a/SKILL.md': skillText('a'),
    'lib/b/SKILL.md': skillText('b'),
    'skills/unlisted/SKILL.md': '# broken, but not part of the package\n',
    'cmd/run.md': COMMAND,
    'bots/helper/agent.yaml': AGENT,
    'bots/helper/system-prompt.md': PROMPT,
    'bots/old.md': '---\nname: old\ndescription: Old\n---\nOld.\n',
  };
  const artifacts = {
    skills: [
      { name: 'a', path: './lib/a' },
      { name: 'b', path: 'lib/b/SKILL.md' },
    ],
    commands: [{ name: 'run', path: 'cmd/run.md' }],
    agents: [
      { name: 'helper', path: 'bots/helper/' },
      { name: 'old', path: 'bots/old.md' },
    ],
  };

  it('are read, and no others of their kind', async () => {
    const listed = { ...files, ...manifest({ artifacts }) };
    expect(await findingsOf(listed)).toEqual([]);
    expect(await names(listed)).toMatchObject({
      skills: ['a lib/a/SKILL.md', 'b lib/b/SKILL.md'],
      commands: ['run cmd/run.md'],
      agents: ['helper bots/helper/agent.yaml', 'old bots/old.md'],
    });
  });

  it('are read although another field of the manifest is wrong', async () => {
    const listed = { ...files, ...manifest({ artifacts, version: 'one' }), 'lib/b/SKILL.md': '# b\n' };
    expect(await findingsOf(listed)).toMatchInlineSnapshot(`
      [
        "error lib/b/SKILL.md:1:1 frontmatter: has no frontmatter (begin the file with a line ---, then lines of key: value, then a line ---)",
        "error package.agent.json:3:14 wrong-value: version must be a SemVer version such as 1.0.0, not "one"",
      ]
    `);
  });

  it('must be there, and be called what the list calls them', async () => {
    const wrong = {
      skills: [
        { name: 'a', path: 'lib/b' },
        { name: 'b', path: 'lib/a' },
        { name: 'c', path: 'lib/c' },
        { name: 'd', path: '/lib/a' },
        { name: 'E', path: 'lib/a', descripton: 'x' },
        { name: 'f' },
      ],
      commands: [
        { name: 'walk', path: 'cmd/run.md' },
        { name: 'run', path: 'cmd/rum.md' },
      ],
      agents: [
        { name: 'helper', path: 'bots' },
        { name: 'helper', path: 'bots/other/agent.yaml' },
      ],
    };
    expect(await findingsOf({ ...files, ...manifest({ artifacts: wrong }) })).toMatchInlineSnapshot(`
      [
        "error lib/a/SKILL.md:2:7 duplicate-name: this skill is listed twice under artifacts (remove one of the entries)",
        "error package.agent.json:8:17 name-mismatch: a is called b in lib/b/SKILL.md (use the same name in both)",
        "error package.agent.json:12:17 name-mismatch: b is called a in lib/a/SKILL.md (use the same name in both)",
        "error package.agent.json:17:17 missing-file: lib/c has no SKILL.md (correct the path, or remove the entry)",
        "error package.agent.json:20:17 name-mismatch: d is called a in lib/a/SKILL.md (use the same name in both)",
        "error package.agent.json:21:17 path-outside: the path "/lib/a" is absolute (paths are relative and stay inside the package)",
        "error package.agent.json:24:17 wrong-value: artifacts.skills[4].name must start with a lower-case letter and hold only a-z, 0-9 and hyphens, 64 at most, not "E"",
        "warning package.agent.json:26:9 unknown-key: artifacts.skills[4].descripton is not a known field (did you mean artifacts.skills[4].description?)",
        "error package.agent.json:28:7 missing-key: artifacts.skills[5].path is required",
        "error package.agent.json:34:17 name-mismatch: walk is called run in cmd/run.md (use the same name in both)",
        "error package.agent.json:39:17 missing-file: cmd/rum.md does not exist (correct the path, or remove the entry)",
        "error package.agent.json:45:17 missing-file: bots has no agent.yaml (correct the path, or remove the entry)",
        "error package.agent.json:49:17 missing-file: bots/other/agent.yaml does not exist (correct the path, or remove the entry)",
      ]
    `);
    const named = { skills: wrong.skills.slice(0, 2), commands: wrong.commands.slice(0, 1) };
    expect(await findingsOf({ ...files, ...manifest({ artifacts: named }) })).toMatchInlineSnapshot(`
      [
        "error package.agent.json:8:17 name-mismatch: a is called b in lib/b/SKILL.md (use the same name in both)",
        "error package.agent.json:12:17 name-mismatch: b is called a in lib/a/SKILL.md (use the same name in both)",
        "error package.agent.json:18:17 name-mismatch: walk is called run in cmd/run.md (use the same name in both)",
      ]
    `);
  });

  it('are none when the list is empty', async () => {
    expect(await names({ ...CLEAN, ...manifest({ artifacts: { skills: [] } }) })).toMatchObject({
      skills: [],
    });
  });
});

describe('folders that the manifest names', () => {
  const files = {
    'lib/skills/echo/SKILL.md': skillText('echo'),
    'lib/cmd/run.md': COMMAND,
    'lib/bots/helper/agent.yaml': AGENT,
    'lib/bots/helper/system-prompt.md': PROMPT,
    'lib/laws/style/RULE.md': RULE,
    'lib/h.json': { version: 1, hooks: {} },
    'lib/m.json': { servers: {} },
    'lib/tests/cases/a.yaml': 'name: a\nevent: stop\nexpected: {exit-code: 0}\n',
  };
  const folders = {
    skills: './lib/skills/',
    commands: 'lib/cmd',
    agents: './lib/bots',
    rules: 'lib//laws',
    hooks: './lib/h.json',
    mcp: 'lib/m.json',
  };
  const expected = {
    skills: ['echo lib/skills/echo/SKILL.md'],
    commands: ['run lib/cmd/run.md'],
    agents: ['helper lib/bots/helper/agent.yaml'],
    rules: ['style lib/laws/style/RULE.md'],
    hooks: 'lib/h.json',
    mcp: 'lib/m.json',
  };

  it('are read instead of the usual ones, also when another field is wrong', async () => {
    expect(await names({ ...files, ...manifest(folders) })).toEqual(expected);
    expect(await names({ ...files, ...manifest({ ...folders, version: 'one' }) })).toEqual(expected);
  });

  it('move the tests of the hooks along', async () => {
    expect(await findingsOf({ ...files, ...manifest(folders) })).toMatchInlineSnapshot(`
      [
        "error lib/tests/cases/a.yaml:2:8 unknown-event: lib/h.json has no hook for stop (the package has no hooks)",
      ]
    `);
  });

  it('must be there, and be of the right kind', async () => {
    const wrong = {
      skills: './skils',
      commands: 'lib/h.json',
      agents: '../agents',
      rules: '',
      hooks: './lib',
      mcp: './',
    };
    expect(await findingsOf({ ...files, ...CLEAN, ...manifest(wrong) })).toMatchInlineSnapshot(`
      [
        "error package.agent.json:5:13 missing-file: the folder skils does not exist (usual is skills)",
        "error package.agent.json:6:15 not-a-folder: lib/h.json is a file, not a folder (usual is commands)",
        "error package.agent.json:7:13 path-outside: the path "../agents" leads outside with ".." (paths are relative and stay inside the package)",
        "error package.agent.json:8:12 path-outside: the path "" is empty (paths are relative and stay inside the package)",
        "error package.agent.json:9:12 not-a-file: lib is a folder, not a file (usual is hooks/hooks.json)",
        "error package.agent.json:10:10 not-a-file: . is a folder, not a file (usual is mcp/servers.json)",
      ]
    `);
    expect(await findingsOf({ ...files, ...CLEAN, ...manifest({ ...wrong, version: 'one' }) })).toHaveLength(
      7,
    );
  });

  it('may be the package itself', async () => {
    const flat = {
      ...manifest({ skills: '.', rules: './' }),
      'echo/SKILL.md': skillText('echo'),
      'docs/a.md': '',
      'tidy.rule.md': RULE,
    };
    expect(await findingsOf(flat)).toEqual([]);
    expect(await names(flat)).toMatchObject({
      skills: ['echo echo/SKILL.md'],
      rules: ['style tidy.rule.md'],
    });
  });
});
