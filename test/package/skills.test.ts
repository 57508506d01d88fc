import { describe, expect, it } from 'vitest';
import { CLEAN, type Files, findingsOf, MANIFEST, skillText } from '../helpers/package.ts';

/** What is found in the small package when its skill has these lines of frontmatter, and this body. */
function withSkill(lines: string, body = 'Do it.\n', files: Files = {}): Promise<string[]> {
  const text = `---\nname: echo\ndescription: Echoes.\n${lines}---\n${body}`;
  return findingsOf({ ...CLEAN, 'skills/echo/SKILL.md': text, ...files });
}

describe('the frontmatter of a skill', () => {
  it('is there, and is YAML without tabs', async () => {
    const skill = (text: string) => findingsOf({ ...CLEAN, 'skills/echo/SKILL.md': text });
    expect(await skill('Just text.\n')).toMatchInlineSnapshot(`
      [
        "error skills/echo/SKILL.md:1:1 frontmatter: has no frontmatter (begin the file with a line ---, then lines of key: value, then a line ---)",
      ]
    `);
    expect(await skill('---\nname: echo\ndescription: a: b\n---\nBody.\n')).toMatchInlineSnapshot(`
      [
        "error skills/echo/SKILL.md:3:14 syntax: there is a second "key: value" on this line (put the value in quotes if it contains a colon)",
      ]
    `);
    expect(await skill('---\nname: echo\nmetadata:\n\ta: b\n---\nBody.\n')).toMatchInlineSnapshot(`
      [
        "error skills/echo/SKILL.md:4:1 frontmatter: tabs must not be used for indentation (use spaces)",
      ]
    `);
    expect(await skill('---\r\nname: echo\r\ndescription: Echoes.\r\n---\r\nBody.\r\n')).toEqual([]);
  });

  it('has a name and a description', async () => {
    const skill = (text: string) =>
      findingsOf({ ...CLEAN, 'skills/echo/SKILL.md': `---\n${text}---\nBody.\n` });
    expect(await skill('license: MIT\n')).toMatchInlineSnapshot(`
      [
        "error skills/echo/SKILL.md:2:1 missing-key: name is required",
        "error skills/echo/SKILL.md:2:1 missing-key: description is required",
      ]
    `);
    expect(await skill('name: Echo_1\ndescription: "  "\n')).toMatchInlineSnapshot(`
      [
        "error skills/echo/SKILL.md:2:7 wrong-value: name must hold only a-z, 0-9 and hyphens, 1 to 64 of them, not "Echo_1"",
        "error skills/echo/SKILL.md:3:14 wrong-value: description must not be empty",
      ]
    `);
    expect(await skill(`name: ${'a'.repeat(65)}\ndescription: ${'b'.repeat(1025)}\n`)).toMatchInlineSnapshot(`
      [
        "error skills/echo/SKILL.md:2:7 wrong-value: name must hold only a-z, 0-9 and hyphens, 1 to 64 of them, not "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…",
        "error skills/echo/SKILL.md:3:14 wrong-value: description must be 1024 characters at most, not 1025",
      ]
    `);
  });

  it('has fields of the right kind', async () => {
    expect(
      await withSkill(
        'license: 3\ncompatibility: {requires: python}\nmetadata: {a: {b: c}}\nallowed-tools: {Read: true}\ndisable-model-invocation: "yes"\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        "error skills/echo/SKILL.md:4:10 wrong-type: license must be a string, not a number (3) (put it in quotes)",
        "error skills/echo/SKILL.md:5:27 wrong-type: compatibility.requires must be a list, not a string ("python")",
        "error skills/echo/SKILL.md:6:15 wrong-type: metadata.a must be a string, a number or true or false, not a map of keys",
        "error skills/echo/SKILL.md:7:16 wrong-type: allowed-tools must be a string or a list, not a map of keys",
        "error skills/echo/SKILL.md:8:27 wrong-type: disable-model-invocation must be true or false, not a string ("yes")",
      ]
    `);
    expect(
      await withSkill(
        'compatibility: Needs git\nmetadata: {version: 1.5}\nallowed-tools: Read Bash(git:*)\n',
      ),
    ).toEqual([]);
  });

  it('may have fields of others, which are pointed out', async () => {
    expect(
      await withSkill('licence: MIT\nallowed_tools: Read\nfoo: bar\nx-acme: 1\n'),
    ).toMatchInlineSnapshot(`
      [
        "warning skills/echo/SKILL.md:4:1 unknown-key: licence is not a known field (did you mean license?)",
        "warning skills/echo/SKILL.md:5:1 unknown-key: allowed_tools is not a known field (did you mean allowed-tools?)",
        "warning skills/echo/SKILL.md:6:1 unknown-key: foo is not a known field",
      ]
    `);
  });

  it('may name a context that is not known yet', async () => {
    expect(await withSkill('context: inline\n')).toMatchInlineSnapshot(`
      [
        "warning skills/echo/SKILL.md:4:10 unknown-value: "inline" is not known here (known: fork)",
      ]
    `);
    expect(await withSkill('context: fork\n')).toEqual([]);
  });

  it('names a sub-agent of the package when the package has some', async () => {
    const agent = { 'agents/reader.md': '---\ndescription: Reads\n---\nRead.\n' };
    expect(await withSkill('agent: raeder\n', 'Do it.\n', agent)).toMatchInlineSnapshot(`
      [
        "warning skills/echo/SKILL.md:4:8 unknown-agent: there is no sub-agent raeder in this package (did you mean reader?)",
      ]
    `);
    expect(await withSkill('agent: reader\n', 'Do it.\n', agent)).toEqual([]);
    expect(await withSkill('agent: Explore\n')).toEqual([]);
  });

  it('names packages that are dependencies', async () => {
    const manifest = (fields: object) => ({
      'package.agent.json': { ...MANIFEST, permissions: {}, ...fields },
    });
    const needs = 'compatibility:\n  packages: [base, "@acme/x", constructor]\n';
    expect(
      await withSkill(needs, 'Do it.\n', manifest({ dependencies: { base: '*' } })),
    ).toMatchInlineSnapshot(`
      [
        "error skills/echo/SKILL.md:5:20 unknown-dependency: @acme/x is not among the package’s dependencies (add it to dependencies in package.agent.json)",
        "error skills/echo/SKILL.md:5:31 unknown-dependency: constructor is not among the package’s dependencies (add it to dependencies in package.agent.json)",
      ]
    `);
    const all = {
      dependencies: { base: '*' },
      optionalDependencies: { '@acme/x': '*' },
      peerDependencies: { constructor: '*' },
    };
    expect(await withSkill(needs, 'Do it.\n', manifest(all))).toEqual([]);
    expect(await findingsOf({ 'SKILL.md': `---\nname: a\ndescription: b\n${needs}---\nBody.\n` })).toEqual(
      [],
    );
  });
});

describe('the body of a skill', () => {
  it('says something, and not too much', async () => {
    expect(await withSkill('', ' \n\n')).toMatchInlineSnapshot(`
      [
        "warning skills/echo/SKILL.md empty-body: has no text after the frontmatter (write there what the agent should do)",
      ]
    `);
    expect(await withSkill('', 'line\n'.repeat(500))).toEqual([]);
    expect(await withSkill('', 'line\n'.repeat(501))).toMatchInlineSnapshot(`
      [
        "warning skills/echo/SKILL.md long-skill: has 501 lines; 500 at most are recommended (move details into references/)",
      ]
    `);
    expect(await withSkill('', 'word '.repeat(4000))).toEqual([]);
    expect(await withSkill('', 'word '.repeat(4001))).toMatchInlineSnapshot(`
      [
        "warning skills/echo/SKILL.md long-skill: has about 5001 tokens; 5000 at most are recommended (move details into references/)",
      ]
    `);
  });

  it('links to files that are there, relative, with forward slashes', async () => {
    const files = { 'skills/echo/references/a b.md': '', 'docs/x.md': '', 'skills/echo/assets/logo.png': '' };
    const body = [
      '# Title',
      'See [a](references/missing.md) and [b](references/a%20b.md#part).',
      '![logo](assets/logo.png "Logo"), ![other](assets/other.png "Other").',
      '[abs](/etc/passwd), [win](C:/x.md), [back](references\\a.md), [out](../../../x.md), [root](../../docs/x.md).',
      '[web](https://example.com/x.md), [mail](mailto:a@example.com), [here](#title), [var]({{file}}), [dir](references/).',
      'In code `[x](nowhere.md)` and in a block:',
      '```md',
      '[x](nowhere.md)',
      '```',
      '[angle](<references/missing.md>)',
    ].join('\n');
    expect(await withSkill('', body, files)).toMatchInlineSnapshot(`
      [
        "warning skills/echo/SKILL.md:6:9 broken-reference: the link references/missing.md leads to a file that does not exist (links are relative to the skill’s folder)",
        "warning skills/echo/SKILL.md:7:43 broken-reference: the link assets/other.png leads to a file that does not exist (links are relative to the skill’s folder)",
        "warning skills/echo/SKILL.md:8:7 broken-reference: the link /etc/passwd is absolute (links are relative to the skill’s folder)",
        "warning skills/echo/SKILL.md:8:27 broken-reference: the link C:/x.md is absolute (links are relative to the skill’s folder)",
        "warning skills/echo/SKILL.md:8:44 broken-reference: the link references\\a.md has a backslash: use forward slashes (links are relative to the skill’s folder)",
        "warning skills/echo/SKILL.md:8:68 broken-reference: the link ../../../x.md leads out of the package (links are relative to the skill’s folder)",
        "warning skills/echo/SKILL.md:14:10 broken-reference: the link references/missing.md leads to a file that does not exist (links are relative to the skill’s folder)",
      ]
    `);
  });

  it('has its lines counted from the top of the file', async () => {
    const text = '---\r\nname: echo\r\ndescription: Echoes.\r\n---\r\n\r\nSee [a](b.md).\r\n';
    expect(await findingsOf({ ...CLEAN, 'skills/echo/SKILL.md': text })).toMatchInlineSnapshot(`
      [
        "warning skills/echo/SKILL.md:6:9 broken-reference: the link b.md leads to a file that does not exist (links are relative to the skill’s folder)",
      ]
    `);
  });
});

describe('the name of a skill', () => {
  it('is that of its folder, is its own, and starts with a letter', async () => {
    expect(
      await findingsOf({
        ...CLEAN,
        'skills/other/SKILL.md': skillText('echo'),
        'skills/3d/SKILL.md': skillText('3d'),
        'skills/-x/SKILL.md': skillText('-x'),
      }),
    ).toMatchInlineSnapshot(`
      [
        "error skills/-x/SKILL.md:2:7 wrong-value: the name -x must start with a letter (rename it: in a package, names are referred to as package:name)",
        "error skills/3d/SKILL.md:2:7 wrong-value: the name 3d must start with a letter (rename it: in a package, names are referred to as package:name)",
        "error skills/other/SKILL.md:2:7 duplicate-name: there is another skill called echo, in skills/echo/SKILL.md (rename one of them)",
        "warning skills/other/SKILL.md:2:7 name-mismatch: the skill is called echo but its folder other (give both the same name: agents look a skill up by its folder)",
      ]
    `);
    expect(await findingsOf({ 'SKILL.md': skillText('3d') })).toEqual([]);
  });

  it('is that of the folder when the file cannot be read', async () => {
    const files = {
      ...CLEAN,
      'skills/broken/SKILL.md': 'x',
      'evals/cases/a.yaml': 'name: a\ntarget: skill:broken\ninput: {prompt: Hi}\njudge: {criteria: Good}\n',
    };
    expect(await findingsOf(files)).toMatchInlineSnapshot(`
      [
        "error skills/broken/SKILL.md:1:1 frontmatter: has no frontmatter (begin the file with a line ---, then lines of key: value, then a line ---)",
      ]
    `);
  });
});
