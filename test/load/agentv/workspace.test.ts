import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../../src/load/formats.ts';
import { writePackage } from '../../helpers/package.ts';
import { findingsOf, lines, onlyCase, read } from './read.ts';

const one = { tests: [{ id: 'a', input: 'Go', criteria: 'x' }] };

describe('a workspace', () => {
  it('has the files of its template, without those of git, beneath those of the test', async () => {
    const it = await onlyCase(
      { criteria: 'x', input: [{ role: 'user', content: [{ type: 'file', value: '../other/a.txt' }] }] },
      {
        'template/a.txt': 'A',
        'template/src/b.txt': 'B',
        'template/.git/config': '',
        'template/other/a.txt': 'old',
        'other/a.txt': 'new',
      },
      { workspace: { template: '../template' } },
    );
    expect(it.files.map(({ to }) => to)).toEqual(['a.txt', 'other/a.txt', 'src/b.txt']);
    expect(it.files.find(({ to }) => to === 'other/a.txt')?.from).toMatch(/[^e]\/other\/a\.txt$/);
    expect(it.setup).toBe(undefined);
  });

  it('may be a file, whose paths are relative to itself; the test counts first', async () => {
    const more = {
      'shared/workspace.yaml':
        'template: ./tree\nhooks:\n  before_each: {command: [echo, shared]}\n  after_each: {reset: fast}\n',
      'shared/tree/a.txt': 'A',
    };
    const suite = { workspace: '../shared/workspace.yaml' };
    const it = await onlyCase({ criteria: 'x' }, more, suite);
    expect(it.files.map(({ to }) => to)).toEqual(['a.txt']);
    expect(it.setup?.before).toMatchObject([
      { name: 'before_each', argv: ['echo', 'shared'], timeoutMs: 60_000 },
    ]);
    expect(it.setup?.before[0]?.cwd).toMatch(/\/shared$/);
    const own = {
      criteria: 'x',
      workspace: { hooks: { before_each: { command: 'echo own', timeout_ms: 7 } } },
    };
    const other = await onlyCase(own, more, suite);
    expect(other.setup?.before).toMatchObject([{ argv: ['sh', '-c', 'echo own'], timeoutMs: 7 }]);
    expect(other.files).toHaveLength(1);
  });

  it('runs hooks around each trial, which is told of those for all', async () => {
    const hooks = {
      after_all: { command: 'd' },
      after_each: { command: 'c', cwd: '..' },
      before_each: { command: 'b' },
      before_all: { command: 'a' },
    };
    const it = await onlyCase({ criteria: 'x' }, {}, { workspace: { hooks } });
    expect(it.setup?.before.map(({ name }) => name)).toEqual(['before_all', 'before_each']);
    expect(it.setup?.after.map(({ name, timeoutMs }) => [name, timeoutMs])).toEqual([
      ['after_each', 30_000],
      ['after_all', 30_000],
    ]);
    expect((await findingsOf({ criteria: 'x' }, {}, { workspace: { hooks } })).join()).toContain(
      'before_all runs for each trial',
    );
    const off = await onlyCase({ criteria: 'x' }, {}, { workspace: { hooks: { ...hooks, enabled: false } } });
    expect(off.setup).toBe(undefined);
  });

  it('has clones of repositories of this machine', async () => {
    await using folder = await writePackage({
      'repo/.git/HEAD': '',
      'x/evals/EVAL.yaml': '',
      '.git/HEAD': '',
    });
    const document = {
      ...one,
      workspace: {
        repos: [
          {
            path: './a',
            source: { type: 'local', path: '../../repo' },
            checkout: { ref: 'main', ancestor: 2 },
          },
          { path: 'b', source: { type: 'git', url: `file://${folder.root}/repo` }, clone: { depth: 1 } },
          { path: 'c', repo: '../../repo', base_commit: 'abc' },
        ],
      },
    };
    const { writeFiles } = await import('../../helpers/package.ts');
    await writeFiles(folder.root, { 'x/evals/EVAL.yaml': document });
    const loaded = await FORMATS.agentv.read(join(folder.root, 'x/evals/EVAL.yaml'));
    const from = join(folder.root, 'repo');
    expect(lines(loaded)).toEqual([]);
    expect(loaded.suite.cases[0]?.setup?.repositories).toEqual([
      { from, to: 'a', ref: 'main', ancestor: 2 },
      { from, to: 'b', ref: null, ancestor: 0 },
      { from, to: 'c', ref: 'abc', ancestor: 0 },
    ]);
  });

  it.each([
    [{ template: '../nowhere' }, 'error', 'the template folder "../nowhere" does not exist'],
    [{ template: '/etc' }, 'error', 'is outside'],
    [{ template: 'EVAL.yaml' }, 'error', 'is no folder'],
    ['../nowhere.yaml', 'error', 'the workspace file "../nowhere.yaml" does not exist'],
    [{ docker: { image: 'x' } }, 'error', 'docker is not used'],
    [{ mode: 'static', path: '/srv' }, 'error', 'mode: static'],
    [{ mode: 'pooled' }, 'warning', 'mode: pooled is not used'],
    [{ isolation: 'shared' }, 'warning', 'isolation: shared is not used'],
    [{ isolation: 'none' }, 'error', 'isolation must be one of'],
    [{ path: '/srv' }, 'error', 'path would let the agent work in your own folder'],
    [{ mode: 'shared' }, 'error', 'mode must be one of'],
    [{ hook: {} }, 'warning', 'did you mean hooks?'],
    [{ hooks: { before_each: { command: 3 } } }, 'error', 'a command must be a text'],
    [
      { repos: [{ path: 'a', source: { type: 'git', url: 'https://example.com/x.git' } }] },
      'error',
      'needs the network',
    ],
    [{ repos: [{ path: 'a', repo: 'owner/name' }] }, 'error', 'needs the network'],
    [
      { repos: [{ path: 'a', source: { path: './nowhere' } }] },
      'error',
      'there is no repository at ./nowhere',
    ],
    [{ repos: [{ path: '../a', source: { path: '..' } }] }, 'error', 'leads outside'],
    [{ repos: [{ path: 'a' }] }, 'error', 'needs a source'],
    [{ repos: [{ source: { path: '..' } }] }, 'error', 'needs a path in the workspace'],
  ])('%j gives a finding', async (workspace, severity, message) => {
    const found = await findingsOf({ criteria: 'x' }, {}, { workspace });
    expect(found.find((line) => line.includes(message))).toMatch(
      new RegExp(`^${severity} evals/EVAL.yaml:\\d+:\\d+ `),
    );
  });
});

describe('execution', () => {
  it('says how often, how much and how many at once', async () => {
    const execution = {
      threshold: 0.6,
      workers: 4,
      total_budget_usd: 5,
      trials: { count: 4, strategy: 'pass_at_k', cost_limit_usd: 2 },
    };
    const { suite } = await read({ ...one, execution });
    expect(suite.settings).toMatchObject({ runs: 4, passThreshold: 0.25, maxCostUsd: 2, jobs: 4 });
    expect(suite.cases[0]?.scoring).toEqual({ mode: 'score', threshold: 0.6 });
  });

  it('names targets for all tests, or for one', async () => {
    const { targetsOf } = await read({
      execution: { targets: ['a', { name: 'b' }, 'a'] },
      tests: [
        { id: 'one', input: 'x', criteria: 'y' },
        { id: 'two', input: 'x', criteria: 'y', execution: { target: 'c' } },
      ],
    });
    expect([...(targetsOf ?? [])]).toEqual([
      ['one', ['a', 'b']],
      ['two', ['c']],
    ]);
    const short = await read({ ...one, target: 'd' });
    expect(short.targetsOf?.get('a')).toEqual(['d']);
  });

  it.each([
    [{ trials: { count: 3, strategy: 'mean' } }, 'warning', 'the strategy mean is not known here'],
    [{ trials: { count: 3, strategy: 'luck' } }, 'error', 'strategy must be one of'],
    [{ trials: { count: 0 } }, 'error', 'count must be a whole number from 1'],
    [{ threshold: 2 }, 'error', 'threshold must be a number above 0 up to 1'],
    [{ threshold: 0 }, 'error', 'threshold must be a number above 0 up to 1'],
    [{ cache: true }, 'warning', 'answers are never cached'],
    [{ fail_on_error: true }, 'warning', 'fail_on_error'],
    [{ wokers: 3 }, 'warning', 'did you mean workers?'],
    [{ targets: [{ name: 'a', hooks: { before_each: { command: 'x' } } }] }, 'error', 'hooks of a target'],
  ])('%j gives a finding', async (execution, severity, message) => {
    const found = lines(await read({ ...one, execution }));
    expect(found.find((line) => line.includes(message))).toMatch(
      new RegExp(`^${severity} evals/EVAL.yaml:\\d+:\\d+ `),
    );
  });

  it('of a test cannot say what counts for the file', async () => {
    const found = await findingsOf({ criteria: 'x', execution: { trials: { count: 3 } } });
    expect(found.join()).toContain('trials: it counts for a whole file, not for one test');
  });

  it('with a mistake of the suite keeps all from being run', async () => {
    const loaded = await read({ ...one, execution: { threshold: 'high' } });
    expect(loaded.diagnostics.filter((it) => it.severity === 'error')).toHaveLength(1);
    expect(loaded.broken).toEqual([]);
  });
});
