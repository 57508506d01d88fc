/** Packages and eval files of strangers: read in bounded time, told of clearly, and nothing outside is touched. */
import { execFileSync } from 'node:child_process';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startAam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writeFiles } from '../helpers/package.ts';
import { variable } from '../load/agentv/read.ts';
import { attempted } from './attempts.ts';
import { EVAL_FILES, escapes, FORMAT_NAMES, load, type Name, sourceFiles } from './sources.ts';

const OUTSIDE = 'text-from-outside';

const PATHS: Readonly<Record<string, string>> = {
  'steps upward': '../../outside/secret.txt',
  'steps upward in the middle': 'a/../../../outside/secret.txt',
  'an absolute path': '/etc/passwd',
  'a file URL': 'file:///etc/passwd',
  'somebody’s home': '~/.ssh/id_rsa',
  backslashes: '..\\..\\outside\\secret.txt',
  'a drive': 'C:\\secret.txt',
  'a NUL character': 'a\0b',
  'a line break': 'a\nb.txt',
  'terminal codes': '\u001b[2J\u001b]0;title\u0007',
  'a name of 5,000 letters': 'x'.repeat(5000),
  '3,000 folders': `${'a/'.repeat(3000)}b`,
  'the folder itself': '.',
  'a link out': 'out.txt',
  'a folder that leads out': 'out/secret.txt',
  'a link in a circle': 'circle',
  'a link to a device': 'zero',
  'a device of the system': '/dev/zero',
  'a process’s environment': '/proc/self/environ',
  'what git keeps': '.git/config',
};

/** A folder in a folder: what is beside it is outside. */
async function writeSource(name: Name, files: Parameters<typeof writeFiles>[1]) {
  const folder = await temporaryFolder();
  const root = join(folder.path, 'root');
  await writeFiles(folder.path, { 'outside/secret.txt': OUTSIDE });
  await writeFiles(root, { ...files, '.git/config': OUTSIDE });
  const beside = dirname(join(root, EVAL_FILES[name]));
  for (const dir of new Set([root, beside, join(root, 'evals')])) {
    await mkdir(dir, { recursive: true });
    await symlink(join(folder.path, 'outside/secret.txt'), join(dir, 'out.txt'));
    await symlink(join(folder.path, 'outside'), join(dir, 'out'));
    await symlink('circle', join(dir, 'circle'));
    await symlink('/dev/zero', join(dir, 'zero'));
  }
  return { root, folder: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe.each(FORMAT_NAMES)('%s', (name) => {
  it.for(Object.entries(PATHS))('gives no agent what stands at %s', async ([, path], context) => {
    attempted(context);
    await using source = await writeSource(name, sourceFiles(name, { path }));
    const { cases, told } = await load(name, source.root);
    expect(escapes(cases, source.root)).toEqual([]);
    expect(JSON.stringify(cases)).not.toContain(OUTSIDE);
    expect(JSON.stringify(cases)).not.toContain('root:x:0');
    expect(told).not.toBe('');
    expect(told.split('\n').length).toBeLessThan(30);
  });

  it.for([
    ...['../../../x', '/etc/x', '..', '.', 'a/../../../b', 'a\0b', 'a\nb', '\u001b[2J', 'CON', '-rf'],
    'x'.repeat(10_000),
  ])('makes no path of the id %j', async (id, context) => {
    attempted(context);
    await using source = await writeSource(name, sourceFiles(name, { id }));
    const { cases, told } = await load(name, source.root);
    for (const it of cases) expect(it.name).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/);
    if (cases.length === 0) expect(told).not.toBe('');
  });

  const isJson = EVAL_FILES[name].endsWith('.json');
  const bombs: Readonly<Record<string, string>> = {
    '10,000 lists in lists': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    '10,000 maps in maps': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    '10,000 maps in a case': deepCase(name),
    'a million brackets': '['.repeat(1_000_000),
    'a million items': `[${'0,'.repeat(1_000_000)}0]`,
    'more than 4 MiB': JSON.stringify({
      schema_version: 1,
      cases: [],
      tests: [],
      evals: [],
      x: 'x'.repeat(5_000_000),
    }),
    ...(!isJson && { 'a billion laughs': laughs() }),
    ...(!isJson && { 'an anchor that holds itself': 'tests: &a [*a]\ncases: *a\nname: *a\n' }),
    'a key that is no key':
      '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
  };
  it.for(Object.entries(bombs))('is not stopped by %s', async ([, text], context) => {
    attempted(context);
    await using source = await writeSource(name, sourceFiles(name, {}, text));
    const { cases, told } = await load(name, source.root);
    expect(cases).toEqual([]);
    expect(told).not.toBe('');
    expect(told.length).toBeLessThan(100_000);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('a package whose files are no files', () => {
  it.for([
    ['a pipe for an eval file', 'evals/evals.json', ['eval', 'evals/evals.json', '--dry-run']],
    ['a pipe for variables', '.env', ['eval', 'evals/EVAL.yaml', '--dry-run']],
    ['a pipe for answers of an agent', 'mocks/answers.json', ['test', 'fixture.yaml']],
    ['a pipe for a skill', 'skills/echo/SKILL.md', ['validate']],
    ['a pipe for a config', 'evals/eval-config.json', ['eval', '--dry-run']],
    ['a pipe for a case', 'evals/cases/a.yaml', ['eval', '--dry-run']],
    ['a pipe that is called like a tape', 'notes.jsonl', ['eval', 'evals/evals.json', '--tape', 'replay']],
  ] as const)('is not waited for: %s', async ([, path, args], context) => {
    attempted(context);
    await using folder = await temporaryFolder();
    const named = {
      tests: [{ id: 'a', input: variable('NAME'), assertions: [{ type: 'contains', value: 'x' }] }],
    };
    const kinds = {
      ...sourceFiles('uaaps'),
      ...sourceFiles('agentcarousel'),
      ...sourceFiles('agent-skills'),
    };
    await writeFiles(folder.path, { ...kinds, 'evals/EVAL.yaml': JSON.stringify(named) });
    execFileSync('/bin/sh', [
      '-c',
      'mkdir -p "$(dirname "$1")" && rm -f "$1" && mkfifo "$1"',
      'sh',
      join(folder.path, path),
    ]);
    const { child, ended } = startAam([...args], folder.path);
    const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const { code, stdout, stderr } = await ended;
    clearTimeout(timer);
    expect([0, 1, 2]).toContain(code);
    expect(stdout + stderr).not.toMatch(/^ {4}at /m);
  });

  it('has nothing of the host in what agents get: a hard link is as good as a copy, and told nowhere', async (context) => {
    attempted(context);
    await using source = await writeSource('uaaps', sourceFiles('uaaps', { path: 'hard.txt' }));
    // Whoever can make one can read the file: nothing is gained by it. It must not be written through.
    await link(join(source.folder, 'outside/secret.txt'), join(source.root, 'evals/hard.txt'));
    await writeFile(join(source.root, 'evals/other.txt'), 'x');
    const { cases } = await load('uaaps', source.root);
    expect(escapes(cases, source.root)).toEqual([]);
  });
});

function deepCase(name: Name): string {
  const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
  const list = { uaaps: 'input', 'agent-skills': 'evals', agentv: 'tests', agentcarousel: 'cases' }[name];
  return `{"${list}": [${deep}]}`;
}

/** Ten times ten times ten… */
function laughs(): string {
  const lines = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
  for (let index = 1; index < 10; index++)
    lines.push(
      `a${index}: &a${index} [${Array(10)
        .fill(`*a${index - 1}`)
        .join(', ')}]`,
    );
  return `${lines.join('\n')}\ntests: *a9\ncases: *a9\nname: *a9\n`;
}
