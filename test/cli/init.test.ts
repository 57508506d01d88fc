/** `aam init`, as its users run it: the real program in real folders. */
import { spawn, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AAM, type CliResult, aam as runAam } from '../helpers/cli.ts';

const ENV = { ...process.env, NO_COLOR: '1', CI: '' };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'aam-init-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a new package', () => {
  test.each([
    { engine: 'claude-code', flags: [] },
    { engine: 'codex', flags: ['--engine', 'codex', '--skill', 'null', '--name', '@my-org/notes'] },
  ])('validates without a warning and passes its tests ($engine)', async ({ engine, flags }) => {
    expect((await aam(['init', 'notes', '--yes', ...flags])).code).toBe(0);

    const validated = await aam(['validate', 'notes', '--strict', '--json']);
    expect(JSON.parse(validated.stdout)).toMatchObject({ ok: true, errors: [], warnings: [] });
    expect(validated.code).toBe(0);

    const tested = await aam(['test', 'notes', '--json']);
    const report = JSON.parse(tested.stdout);
    expect(report.summary).toEqual({ total: 5, passed: 5, failed: 0, skipped: 0, invalid: 0 });
    expect(report.packages[0].cases.flatMap((it: { notes: string[] }) => it.notes)).toEqual([]);
    expect(tested.code).toBe(0);

    expect(json('notes/evals/eval-config.json')).toEqual({ version: 1, engine, timeout: 120 });
  });

  test('is made of these files, the scripts executable', async () => {
    const { stdout } = await aam(['init', '--name', 'notes', '--skill', 'counting', '--json']);
    const { root, name, files } = JSON.parse(stdout);
    expect({ root, name }).toEqual({ root: dir, name: 'notes' });
    expect(files.toSorted()).toEqual(tree());
    expect(files).toContain('skills/counting/SKILL.md');
    const executable = files.filter((file: string) => statSync(join(dir, file)).mode & 0o100);
    expect(executable).toEqual(['skills/counting/scripts/count.mjs', 'hooks/scripts/protect-files.mjs']);
  });

  test('has the description it was given', async () => {
    await aam(['init', '--yes', '--description', 'Says "hello": twice']);
    expect(json('package.agent.json')).toMatchObject({ description: 'Says "hello": twice' });
    expect(readFileSync(join(dir, 'README.md'), 'utf8')).toContain('\nSays "hello": twice\n');
  });

  test('has an eval case that expects what the script counts', async () => {
    await aam(['init', '--yes']);
    const script = join(dir, 'skills/text-stats/scripts/count.mjs');
    const counted = spawnSync(script, ['evals/fixtures/release-notes.txt'], { cwd: dir, encoding: 'utf8' });
    const { words } = JSON.parse(counted.stdout).total;
    const evalCase = readFileSync(join(dir, 'evals/cases/keeps-within-limit.yaml'), 'utf8');
    expect(evalCase).toContain(`- "${words}"`);
    expect(evalCase).toContain(`${words - 100} words too long`);
  });

  test('names its schemas where the project has aam installed, and only there', async () => {
    writeFileSync(join(dir, 'package.json'), '{}');
    await aam(['init', 'without', '--yes']);
    mkdirSync(join(dir, 'node_modules/aam/schema'), { recursive: true });
    await aam(['init', 'with', '--yes']);

    const file = 'evals/cases/keeps-within-limit.yaml';
    expect(readFileSync(join(dir, 'without', file), 'utf8')).toMatch(/^name: /);
    expect(readFileSync(join(dir, 'with', file), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/\.\.\/\.\.\/node_modules\/aam\/schema\/eval-case\.schema\.json\nname: /,
    );
    expect(json('with/package.agent.json')).toHaveProperty(
      '$schema',
      './../node_modules/aam/schema/manifest.schema.json',
    );
    expect((await aam(['validate', 'with', '--strict'])).code).toBe(0);
  });

  test('says what was made and what to do next', async () => {
    const { stdout, stderr } = await aam(['init', 'my notes', '--yes']);
    expect(stderr).toBe('');
    expect(stdout).toMatchInlineSnapshot(`
      "✓ my-notes is made: 20 files in my notes

        package.agent.json  its name, its version, what it may do
        skills/text-stats/  a skill with a script and 2 tests
        hooks/              a hook that protects files, with 3 tests
        evals/              a case for a real agent
        README.md           what is where

      Next:
        cd 'my notes'
        aam validate   find mistakes
        aam test       run the tests, without a model
        aam eval       let a real agent work on the case
      "
    `);
  });
});

test('the hook stops what it should, and whatever it cannot understand', async () => {
  await aam(['init', '--yes']);
  symlinkSync('/etc', join(dir, 'link'));
  const run = (input: string) =>
    spawnSync(join(dir, 'hooks/scripts/protect-files.mjs'), { input, cwd: dir, encoding: 'utf8' });

  const patch = '*** Begin Patch\\n*** Add File: a.txt\\n+.env\\n';
  const allowed = [
    '{"toolInput":{"file_path":"src/environment.ts"}}',
    '{"toolInput":{"file_path":".env.example"}}',
    `{"toolInput":{"command":"${patch}"}}`,
  ];
  for (const call of allowed) expect(run(call), call).toMatchObject({ status: 0, stdout: '', stderr: '' });

  const stopped = [
    '{"toolInput":{"file_path":"a/.env"}}',
    '{"tool_input":{"file_path":"/x/.ENV.local"}}',
    '{"toolInput":{"notebook_path":"/etc/x.ipynb"}}',
    '{"cwd":"/usr","toolInput":{"file_path":"lib/../../etc/hosts"}}',
    '{"toolInput":{"file_path":"link/new-file"}}',
    `{"toolInput":{"command":"${patch}*** Update File: .env\\n"}}`,
    '{"toolInput":{"file_path":7}}',
    '{}',
    'null',
    '{"toolInput":',
    '',
  ];
  for (const call of stopped) {
    const { status, stderr } = run(call);
    expect(status, call).toBe(2);
    expect(stderr, call).toMatch(/^Blocked: .+\n$/);
  }
});

describe('the name', () => {
  test.each([
    ['My Tools (2)', 'my-tools-2'],
    ['2024 Übersicht', 'ubersicht'],
    ['--dashes--', 'dashes'],
    ['a_b.c', 'a-b-c'],
    ['x'.repeat(100), 'x'.repeat(64)],
  ])('of the folder %s gives %s', async (folder, name) => {
    expect((await aam(['init', '--yes', '--', folder])).code).toBe(0);
    expect(json(join(folder, 'package.agent.json'))).toMatchObject({ name });
    expect((await aam(['validate', '--strict', '--', folder])).code).toBe(0);
  });

  test('cannot be made from every folder', async () => {
    expect(await refused(['init', '日本', '--yes'])).toContain('give one:  aam init --name my-package');
  });

  test('must follow the rules', async () => {
    expect(await refused(['init', '--name', 'My Tools'])).toMatchInlineSnapshot(`
      "error: --name "My Tools" must be name or @scope/name in lower case (a-z, 0-9, hyphens), each part 64 at most; the name begins with a letter
        for example:  --name my-tools
      "
    `);
    expect(await refused(['init', '--name', '@My Org/1. Tools'])).toContain('--name @my-org/tools\n');
    expect(await refused(['init', '--name', ''])).toContain('--name "" must be');
    expect(await refused(['init', '--yes', '--skill', '../../x'])).toContain(
      '--skill "../../x" must start with',
    );
    expect(await refused(['init', '--yes', '--description', 'x'.repeat(1025)])).toContain('must be 1024');
    expect(await refused(['init', '--yes', '--engine', 'cursor'])).toContain(
      'choices are claude-code, codex',
    );
  });

  test('must be given where there is nobody to ask', async () => {
    expect(await refused(['init'])).toMatchInlineSnapshot(`
      "error: the package needs a name, and there is nobody to ask
        take the folder’s name:  aam init --yes
        or give one:  aam init --name my-package
      "
    `);
  });
});

describe('what is there already', () => {
  test('a package stays as it is', async () => {
    await aam(['init', '--yes']);
    writeFileSync(join(dir, 'README.md'), 'mine');
    expect(await refused(['init', '--yes'])).toMatchInlineSnapshot(`
      "error: this folder is a package already: it has a package.agent.json
        look for mistakes in it:  aam validate
        or make a new one elsewhere:  aam init path/to/package
      "
    `);
    expect(readFileSync(join(dir, 'README.md'), 'utf8')).toBe('mine');
  });

  test('files and links are all named, and nothing is written', async () => {
    mkdirSync(join(dir, 'hooks'));
    writeFileSync(join(dir, 'hooks/hooks.json'), '{}');
    writeFileSync(join(dir, 'skills'), '');
    symlinkSync('nowhere', join(dir, 'evals'));
    expect(await refused(['init', '--yes'])).toMatchInlineSnapshot(`
      "error: init never overwrites, and these are in the way:
          skills (not a folder)
          evals (not a folder)
          hooks/hooks.json
        move them, or make the package in a new folder:  aam init path/to/package
      "
    `);
  });

  test('the README and .gitignore of a fresh clone are kept', async () => {
    writeFileSync(join(dir, 'README.md'), 'mine');
    writeFileSync(join(dir, '.gitignore'), 'node_modules/\n');
    const { code, stdout } = await aam(['init', '--yes', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).kept).toEqual(['README.md', '.gitignore']);
    expect(readFileSync(join(dir, 'README.md'), 'utf8')).toBe('mine');
  });

  test('other files do not matter', async () => {
    writeFileSync(join(dir, 'LICENSE'), 'mine');
    expect((await aam(['init', '--yes'])).code).toBe(0);
    expect(readFileSync(join(dir, 'LICENSE'), 'utf8')).toBe('mine');
  });
});

describe('a write that fails leaves nothing behind', () => {
  test('below a file', async () => {
    writeFileSync(join(dir, 'file'), '');
    expect(await refused(['init', 'file/a/b', '--yes'])).toContain('the package cannot be written: ENOTDIR');
    expect(await refused(['init', 'file', '--yes'])).toContain('file is a file, not a folder');
  });

  test('in a folder that is not there', async () => {
    expect(await refused(['init', 'notes', '--yes', '-C', 'nowhere'])).toContain(
      '-C nowhere: there is no such folder',
    );
  });

  test('with a name that is too long', async () => {
    expect(await refused(['init', 'x'.repeat(300), '--yes'])).toContain('ENAMETOOLONG');
  });

  test('midway', async () => {
    const limited = ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, AAM, 'init', 'a/b', '--yes'];
    const { status, stderr } = spawnSync('/bin/sh', limited, { cwd: dir, env: ENV, encoding: 'utf8' });
    expect(stderr).toContain('the package cannot be written: EFBIG');
    expect(status).toBe(2);
    expect(readdirSync(dir)).toEqual([]);
  });
});

const PSEUDO_TERMINAL = 'script';
const hasScript = spawnSync(PSEUDO_TERMINAL, ['--version'], { encoding: 'utf8' }).stdout?.includes(
  'util-linux',
);
describe.skipIf(!hasScript)('on a terminal', () => {
  test('asks what the flags leave open', async () => {
    const { code, output } = await onTerminal(
      ['init', 'Odd Name', '--engine', 'codex'],
      [
        ['What is the package called?', '\r'],
        ['What is it for?', 'Weighs words\r'],
        ['first skill', 'Bad\r'],
        ['Try bad: it must start', '\x7f\x7f\x7fgood\r'],
      ],
    );
    expect(output).toContain('odd-name is made');
    expect(output).not.toContain('Which agent');
    expect(code).toBe(0);
    expect(json('Odd Name/package.agent.json')).toMatchObject({
      name: 'odd-name',
      description: 'Weighs words',
    });
    expect(readdirSync(join(dir, 'Odd Name/skills'))).toEqual(['good']);
  });

  test.each([
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ])('%s ends it with nothing written', async (_, key) => {
    const { code, output } = await onTerminal(
      ['init', 'notes'],
      [
        ['What is the package called?', '\r'],
        ['What is it for?', key],
      ],
    );
    expect(output).toContain('Nothing was written.');
    expect(code).toBe(130);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('--yes asks nothing', async () => {
    expect((await onTerminal(['init', 'notes', '--yes'], [])).code).toBe(0);
    expect(json('notes/package.agent.json')).toMatchObject({ name: 'notes' });
  });
});

function aam(args: string[]): Promise<CliResult> {
  return runAam(args, { cwd: dir });
}

/** What `aam` says when it refuses, after making sure that it changed nothing. */
async function refused(args: string[]): Promise<string> {
  const before = tree();
  const { code, stdout, stderr } = await aam(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(tree()).toEqual(before);
  return stderr;
}

/** Runs `aam` on a pseudo terminal and types each answer when its question shows up. */
function onTerminal(
  args: string[],
  answers: readonly (readonly [string, string])[],
): Promise<{ code: number | null; output: string }> {
  const command = [process.execPath, AAM, ...args].map((word) => `'${word}'`).join(' ');
  // Without a width every character would stand on a line of its own.
  const child = spawn(PSEUDO_TERMINAL, ['-qec', `stty cols 100 rows 40; ${command}`, '/dev/null'], {
    cwd: dir,
    env: { ...ENV, TERM: 'xterm' },
    timeout: 30_000,
  });
  const waiting = [...answers];
  let output = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    const [question, answer] = waiting[0] ?? [];
    if (question === undefined || !output.includes(question, seen)) return;
    waiting.shift();
    seen = output.length;
    child.stdin.write(answer);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, output }));
  });
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(join(dir, path), 'utf8'));
}

/** Every file below the folder, sorted. */
function tree(): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}
