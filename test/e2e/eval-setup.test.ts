/** What a case wants done before its agent starts: repositories and commands, in the real sandbox. */
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { Case, CaseSetup, Repository, SetupCommand } from '../../src/model/case.ts';
import { evalCase, withOwnAgent } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { type PlannedOptions, runPlanned } from '../helpers/plan.ts';

/** Runs a case with this setup; its agent is a shell script. */
async function run(setup: Partial<CaseSetup>, script: string, options: Partial<PlannedOptions> = {}) {
  await using pkg = await writePackage({
    ...withOwnAgent(script),
    'evals/cases/a.yaml': evalCase('a', { input: { prompt: 'Do it.' }, expected: { contains: ['done'] } }),
  });
  const change = (it: Case): Case => ({
    ...it,
    criteria: [],
    metadata: { level: 3 },
    setup: { repositories: [], before: [], after: [], ...setup },
  });
  const { report, captures } = await runPlanned({ root: pkg.root, change, ...options });
  const [result] = report.cases;
  if (!result) throw new Error('no case ran');
  return { result, capture: captures[0] ?? null };
}

function command(script: string, more: Partial<SetupCommand> = {}): SetupCommand {
  return { name: 'prepare', argv: ['/bin/sh', '-c', script], cwd: null, timeoutMs: 20_000, ...more };
}

describe('commands before the agent', () => {
  it('make files that the agent finds and has not made', async () => {
    const { result, capture } = await run(
      {
        before: [
          command('mkdir data; echo one > data/a.txt; echo old > b.txt'),
          command('cat data/a.txt >> b.txt'),
        ],
      },
      'cat b.txt; echo new > b.txt; echo done',
    );
    expect(result.verdict).toBe('PASS');
    expect(capture?.output).toBe('old\none\ndone');
    expect(capture?.files).toMatchObject([{ path: 'b.txt', change: 'modified' }]);
    expect(capture?.files[0]?.diff).toContain('-old\n-one\n+new\n');
  });

  it('are told which case it is', async () => {
    const { capture } = await run({ before: [command('cat > told.json')] }, 'cat told.json; echo; echo done');
    expect(JSON.parse(capture?.output.split('\n')[0] ?? '')).toMatchObject({
      workspace_path: '/workspace',
      test_id: 'a',
      eval_run_id: expect.stringMatching(/^2/),
      case_input: 'Do it.',
      case_metadata: { level: 3 },
    });
  });

  it('see their folder, which they cannot change, and have no network', async () => {
    await using folder = await temporaryFolder();
    await writeFile(
      join(folder.path, 'make.sh'),
      '#!/bin/sh\ncp part.txt "$1"; touch here || echo locked > "$1.lock"; grep -c : /proc/net/dev >> "$1.lock"\n',
    );
    await chmod(join(folder.path, 'make.sh'), 0o755);
    await writeFile(join(folder.path, 'part.txt'), 'a part\n');
    const argv = ['./make.sh', '/workspace/copy.txt'] as const;
    const { result, capture } = await run(
      { before: [command('', { argv, cwd: folder.path })] },
      `cat copy.txt copy.txt.lock; ls ${folder.path} || echo done`,
    );
    expect(result.verdict).toBe('PASS');
    expect(capture?.output).toContain('a part\nlocked\n1\n');
    expect(await readdir(folder.path)).toEqual(['make.sh', 'part.txt']);
  });

  it.each([
    [
      'fails',
      command('echo no luck >&2; exit 3'),
      'the setup command prepare failed with exit code 3: no luck',
    ],
    [
      'hangs',
      command('exec tail -f /dev/null', { timeoutMs: 300 }),
      /^the setup command prepare did not end within .* s and was killed$/,
    ],
    [
      'is missing',
      command('', { argv: ['no-such-tool'] }),
      'the setup command prepare could not be started: there is no program no-such-tool in the sandbox',
    ],
    [
      'breaks what is tested',
      command('rm -r .agents'),
      /^the setup of the case changed .agents\/\S+, which the package brings$/,
    ],
  ])('leave the case undecided when one %s', async (_, before, error) => {
    const { result } = await run({ before: [before] }, 'echo done');
    expect(result).toMatchObject({ verdict: 'SKIP', error_kind: 'setup-failed', capture: null });
    expect(result.error).toMatch(error);
  });

  it('are made anew for every trial', async () => {
    const { result } = await run(
      { before: [command('echo x >> count.txt')] },
      '[ "$(cat count.txt)" = x ] && echo done',
      { runs: 3 },
    );
    expect(result.statistics).toMatchObject({ total: 3, passed: 3 });
  });
});

describe('commands after the agent', () => {
  it('see what it left, and warn when they fail', async () => {
    const after = [command('cat made.txt >&2; exit 1', { name: 'tidy' }), command('test -e made.txt')];
    const { result } = await run({ after }, 'echo left behind > made.txt; echo done');
    expect(result).toMatchObject({
      verdict: 'PASS',
      warnings: ['the command tidy after the case failed with exit code 1: left behind'],
    });
  });
});

describe('repositories', () => {
  it('are cloned at the commit that is wanted, with nothing that came later', async () => {
    await using source = await repository();
    const { result, capture } = await run(
      { repositories: [from(source.path, { ancestor: 1 })] },
      `cd app; cat file.txt; git log --format=%s; git status --short; git cat-file -e ${head(source.path)} || echo done`,
    );
    expect([result.verdict, result.error]).toEqual(['PASS', undefined]);
    expect(capture?.output).toContain('second\nsecond\nfirst\n');
    expect(capture?.files).toEqual([]);
  });

  it('are cloned without a sandbox too, before the commands run', async () => {
    await using source = await repository();
    const setup = { repositories: [from(source.path)], before: [command('cp app/file.txt copy.txt')] };
    const { result, capture } = await run(setup, 'cat copy.txt; echo done', { sandbox: 'none' });
    expect([result.verdict, capture?.output]).toEqual(['PASS', 'third\ndone']);
  });

  it('are cloned by branch or tag, also into the workspace itself, beside what is there', async () => {
    await using source = await repository();
    const { result, capture } = await run(
      { repositories: [from(source.path, { ref: 'v1', to: '.' }), from(source.path, { ref: 'side' })] },
      'cat file.txt app/side.txt; ls .agents/skills; git log --format=%s; echo more > app/file.txt; git -C app -c user.name=A -c user.email=a@example.com commit -qam x; echo done',
    );
    expect([result.verdict, result.error]).toEqual(['PASS', undefined]);
    expect(capture?.output).toContain('first\non the side\necho\nfirst\n');
    expect(capture?.files).toMatchObject([{ path: 'app/file.txt', change: 'modified' }]);
  });

  it.each([
    [
      'without the commit',
      { ref: 'nowhere' },
      /could not be cloned: git failed with exit code 1: there is no nowhere in it$/,
    ],
    ['with too short a history', { ancestor: 9 }, /there is no HEAD~9 in it$/],
    ['that is an option', { ref: '--output=/workspace/x' }, /there is no --output=\/workspace\/x in it$/],
    ['outside the workspace', { to: '../out' }, /^the folder "\.\.\/out" for a repository /],
  ])('leave the case undecided: one %s', async (_, more, error) => {
    await using source = await repository();
    const { result } = await run({ repositories: [from(source.path, more)] }, 'echo done');
    expect(result).toMatchObject({ verdict: 'SKIP', error_kind: 'setup-failed' });
    expect(result.error).toMatch(error);
  });

  it('leave the case undecided: a folder that is none', async () => {
    await using folder = await temporaryFolder();
    const { result } = await run({ repositories: [from(folder.path)] }, 'echo done');
    expect(result).toMatchObject({ verdict: 'SKIP', error_kind: 'setup-failed' });
    expect(result.error).toContain('not a git repository');
  });

  it('run nothing that the repository or its user has set up', async () => {
    await using source = await repository();
    await mkdir(join(source.path, '.git', 'hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction'])
      await writeFile(join(source.path, '.git', 'hooks', hook), `#!/bin/sh\ntouch /workspace/${hook}\n`, {
        mode: 0o755,
      });
    const { capture } = await run(
      { repositories: [from(source.path)] },
      'ls; ls app/.git/hooks 2>/dev/null; echo done',
    );
    expect(capture?.output).not.toMatch(/post-|reference/);
  });
});

function from(path: string, more: Partial<Repository> = {}): Repository {
  return { from: path, to: 'app', ref: null, ancestor: 0, ...more };
}

function head(path: string): string {
  return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: path, encoding: 'utf8' }).trim();
}

/** Three commits on main, of which the first is tagged v1, and a branch "side" from there. */
async function repository() {
  const folder = await temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'], HOME: tmpdir(), GIT_CONFIG_GLOBAL: '/dev/null' },
      stdio: 'pipe',
    });
  const commit = async (file: string, text: string, message: string) => {
    await writeFile(join(folder.path, file), `${text}\n`);
    git('add', '.');
    git('commit', '-qm', message);
  };
  git('init', '-q', '-b', 'main');
  await commit('file.txt', 'first', 'first');
  git('tag', 'v1');
  git('checkout', '-qb', 'side');
  await commit('side.txt', 'on the side', 'aside');
  git('checkout', '-q', 'main');
  await commit('file.txt', 'second', 'second');
  await commit('file.txt', 'third', 'third');
  return folder;
}
