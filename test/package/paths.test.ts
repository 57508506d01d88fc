import { symlink, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLEAN, type Files, findings, findingsOf, MANIFEST, writePackage } from '../helpers/package.ts';

const CASE = 'name: a\ninput:\n  prompt: Hi\njudge:\n  criteria: Good\n';
const HOOK_CASE = 'name: a\nevent: stop\nexpected: {exit-code: 0}\n';
const HOOKS = { version: 1, hooks: { stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } };

function manifest(fields: object): Files {
  return { 'package.agent.json': { ...MANIFEST, permissions: {}, ...fields } };
}

/** Every field that holds a path: a package with it, and where the field stands. */
const FIELDS: Readonly<Record<string, { files: (path: string) => Files; at: string }>> = {
  skills: { files: (path) => manifest({ skills: path }), at: 'package.agent.json:5:13' },
  commands: { files: (path) => manifest({ commands: path }), at: 'package.agent.json:5:15' },
  agents: { files: (path) => manifest({ agents: path }), at: 'package.agent.json:5:13' },
  rules: { files: (path) => manifest({ rules: path }), at: 'package.agent.json:5:12' },
  hooks: { files: (path) => manifest({ hooks: path }), at: 'package.agent.json:5:12' },
  mcp: { files: (path) => manifest({ mcp: path }), at: 'package.agent.json:5:10' },
  'artifacts.skills': {
    files: (path) => manifest({ artifacts: { skills: [{ name: 'x', path }] } }),
    at: 'package.agent.json:9:17',
  },
  'artifacts.commands': {
    files: (path) => manifest({ artifacts: { commands: [{ name: 'x', path }] } }),
    at: 'package.agent.json:9:17',
  },
  'artifacts.agents': {
    files: (path) => manifest({ artifacts: { agents: [{ name: 'x', path }] } }),
    at: 'package.agent.json:9:17',
  },
  'quality.evals.path': {
    files: (path) => manifest({ quality: { evals: [{ name: 'x', path }] } }),
    at: 'package.agent.json:9:17',
  },
  system_prompt: {
    files: (path) => ({ 'agents/x/agent.yaml': `name: x\ndescription: x\nsystem_prompt: '${path}.md'\n` }),
    at: 'agents/x/agent.yaml:3:16',
  },
  'eval input.files': {
    files: (path) => ({ 'evals/cases/a.yaml': CASE.replace('judge', `  files: ['${path}']\njudge`) }),
    at: 'evals/cases/a.yaml:4:11',
  },
  'workspace-files': {
    files: (path) => ({
      'evals/cases/a.yaml': CASE.replace('judge', `  workspace-files: ['${path}']\njudge`),
    }),
    at: 'evals/cases/a.yaml:4:21',
  },
  'files-created': {
    files: (path) => ({ 'evals/cases/a.yaml': `${CASE}expected:\n  files-created: ['${path}']\n` }),
    at: 'evals/cases/a.yaml:7:19',
  },
  'writable-paths': {
    files: (path) => ({
      'evals/eval-config.json': { version: 1, engine: 'codex', sandbox: { 'writable-paths': [path] } },
    }),
    at: 'evals/eval-config.json:6:7',
  },
  'skill test input.files': {
    files: (path) => ({
      'skills/echo/tests/cases/a.yaml': `name: a\ninput:\n  command: x\n  files: ['${path}']\n`,
    }),
    at: 'skills/echo/tests/cases/a.yaml:4:11',
  },
  'hook test input.fixture': {
    files: (path) => ({
      'hooks/hooks.json': HOOKS,
      'hooks/tests/cases/a.yaml': `${HOOK_CASE}input:\n  fixture: '${path}'\n`,
    }),
    at: 'hooks/tests/cases/a.yaml:5:12',
  },
};

const ESCAPES: readonly [string, string][] = [
  ['/etc/passwd', 'is absolute'],
  ['C:/windows', 'is absolute'],
  ['C:\\windows', 'is absolute'],
  ['../secret', 'leads outside with ".."'],
  ['a/../../secret', 'leads outside with ".."'],
  ['a\\b', 'has a backslash: use forward slashes'],
];

describe.each(Object.entries(FIELDS))('the path in %s', (name, { files, at }) => {
  it.each(ESCAPES)('may not be %s', async (path, problem) => {
    const written = JSON.stringify(name === 'system_prompt' ? `${path}.md` : path);
    expect(await findingsOf({ ...CLEAN, ...files(path) })).toContain(
      `error ${at} path-outside: the path ${written} ${problem} (paths are relative and stay inside the package)`,
    );
  });
});

/** Files that a document names, and which a link could replace. */
const LINKED: Readonly<Record<string, Files>> = {
  'evals/fixtures/a.txt': { 'evals/cases/a.yaml': CASE.replace('judge', '  files: [fixtures/a.txt]\njudge') },
  'skills/echo/tests/fixtures/a.txt': {
    'skills/echo/tests/cases/a.yaml': 'name: a\ninput: {command: x, files: [tests/fixtures/a.txt]}\n',
  },
  'hooks/tests/fixtures/a.json': {
    'hooks/hooks.json': HOOKS,
    'hooks/tests/cases/a.yaml': `${HOOK_CASE}input: {fixture: fixtures/a.json}\n`,
  },
};

describe.each(Object.entries(LINKED))('%s', (path, files) => {
  const [document = ''] = Object.keys(files).slice(-1);

  it('may not be a link out of the package', async () => {
    await using pkg = await writePackage({ ...CLEAN, ...files, [path]: '' });
    expect(await findings(pkg.root)).toEqual([]);
    await using outside = await writePackage({ secret: '' });
    await unlink(join(pkg.root, path));
    await symlink(join(outside.root, 'secret'), join(pkg.root, path));
    const found = await findings(pkg.root);
    expect(found).toHaveLength(2);
    expect(found).toContain(
      `error ${path} link-outside: is a link that leads out of the package, to ${outside.root}/secret (copy the file into the package)`,
    );
    expect(found.find((line) => line.startsWith(`error ${document}:`))).toContain(
      `link-outside: ${path} is a link that leads out of the package`,
    );
  });

  it('may not stand in a folder that leads out of the package', async () => {
    await using outside = await writePackage({ 'a.txt': '', 'a.json': '' });
    await using pkg = await writePackage({ ...CLEAN, ...files });
    await symlink(outside.root, join(pkg.root, dirname(path)));
    const found = await findings(pkg.root);
    expect(found.find((line) => line.startsWith(`error ${document}:`))).toContain(
      `missing-file: ${path} does not exist`,
    );
    expect(found.find((line) => line.startsWith(`error ${dirname(path)} `))).toContain('link-outside');
  });

  it('may not be a link to nothing', async () => {
    await using pkg = await writePackage({ ...CLEAN, ...files, [`${dirname(path)}/other`]: '' });
    await symlink('nowhere', join(pkg.root, path));
    const found = await findings(pkg.root);
    expect(found.find((line) => line.startsWith(`error ${document}:`))).toContain(
      `missing-file: ${path} does not exist`,
    );
    expect(found.find((line) => line.startsWith(`error ${path} `))).toContain('broken-link');
  });

  it('may be a link inside the package', async () => {
    await using pkg = await writePackage({ ...CLEAN, ...files, [`${dirname(path)}/real`]: '' });
    await symlink('real', join(pkg.root, path));
    expect(await findings(pkg.root)).toEqual([]);
  });
});
