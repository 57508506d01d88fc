/** Who can serve what. */
import { describe, expect, it } from 'vitest';
import { kindOf, lacks, type WorkerFacts, type WorkerNeeds } from '../../src/model/needs.ts';
import { needsInWords } from '../../src/model/needs-words.ts';
import { commonVersion, whyNobody } from '../../src/pipeline/fleet-needs.ts';

const NEEDS: WorkerNeeds = {
  ...{ aam: '1.0.0', engine: 'claude-code', engineVersion: '2.1.3', sandbox: 'bubblewrap', network: false },
  providers: ['anthropic'],
  tags: ['gpu', 'linux'],
};

const WORKER: WorkerFacts = {
  ...{
    id: 'a',
    host: 'h',
    pid: 1,
    aam: '1.0.0',
    network: false,
    jobs: 2,
    active: 0,
    draining: false,
    trouble: null,
  },
  engines: { 'claude-code': '2.1.3', command: null },
  providers: ['anthropic', 'openai'],
  tags: ['linux', 'gpu', 'big'],
  sandboxes: ['bubblewrap'],
  since: '2026-01-01T00:00:00Z',
};

describe('what a worker lacks', () => {
  it.each<[string, Partial<WorkerFacts>, Partial<WorkerNeeds>, string[]]>([
    ['nothing', {}, {}, []],
    ['a range', {}, { engineVersion: '>=2.1 <3' }, []],
    ['any version', { engines: { 'claude-code': null } }, { engineVersion: null }, []],
    [
      'a version before its release',
      { engines: { 'claude-code': '2.2.0-beta.1' } },
      { engineVersion: '>=2.1' },
      [],
    ],
    ['another version', {}, { engineVersion: '2.1.4' }, ['it has claude-code 2.1.3, not 2.1.4']],
    [
      'no version',
      { engines: { 'claude-code': null } },
      {},
      ['it has claude-code without a version, not 2.1.3'],
    ],
    ['no engine', {}, { engine: 'codex' }, ['it has no codex']],
    [
      'an engine by a name of objects',
      {},
      { engine: 'toString', engineVersion: null },
      ['it has no toString'],
    ],
    ['another aam', { aam: '1.0.1' }, {}, ['it has aam 1.0.1, not 1.0.0']],
    ['keys', { providers: [] }, {}, ['it has no credentials for anthropic']],
    ['tags', { tags: ['big'] }, {}, ['it has no tag gpu', 'it has no tag linux']],
    ['a sandbox', { sandboxes: [] }, {}, ['it has no bubblewrap']],
    ['no sandbox', {}, { sandbox: 'none' }, ['it runs nothing without a sandbox (--allow-no-sandbox)']],
    ['network', {}, { network: true }, ['it gives no network to agents (--allow-network)']],
    ['time', { draining: true }, {}, ['it takes nothing more']],
    ['room', { trouble: 'the disk is full' }, {}, ['it could not run what it took last: the disk is full']],
  ])('%s', (_, worker, needs, found) => {
    expect(lacks({ ...WORKER, ...worker }, { ...NEEDS, ...needs })).toEqual(found);
  });
});

describe('a kind of needs', () => {
  it('is the same for the same needs, in whatever order they are written', () => {
    const { aam, ...rest } = NEEDS;
    expect(kindOf({ ...rest, aam, tags: ['linux', 'gpu'] })).toBe(kindOf(NEEDS));
    expect(kindOf(NEEDS)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is another one for any other need', () => {
    const others: Partial<WorkerNeeds>[] = [
      ...[{ aam: '2.0.0' }, { engine: 'codex' }, { engineVersion: null }, { engineVersion: '2.1.4' }],
      ...[{ providers: [] }, { providers: ['openai'] }, { tags: ['gpu'] }, { network: true }],
      ...[{ sandbox: 'none' as const }, { providers: ['gpu', 'linux'], tags: ['anthropic'] }],
    ];
    const kinds = [NEEDS, ...others.map((it) => ({ ...NEEDS, ...it }))].map(kindOf);
    expect(new Set(kinds).size).toBe(others.length + 1);
  });
});

describe('the version of a run', () => {
  const worker = (version: string, jobs: number, more: Partial<WorkerFacts> = {}): WorkerFacts => ({
    ...WORKER,
    ...{ jobs, engines: { 'claude-code': version }, ...more },
  });
  const any = { ...NEEDS, engineVersion: null };

  it('is the one that most agents could run with, then the newest', () => {
    expect(commonVersion([worker('2.1.9', 2), worker('2.1.10', 2)], any)).toBe('2.1.10');
    expect(commonVersion([worker('2.1.9', 1), worker('2.1.10', 3), worker('2.1.9', 3)], any)).toBe('2.1.9');
    expect(commonVersion([worker('2.1.9', 1), worker('2.1.10', 3, { tags: [] })], any)).toBe('2.1.9');
    expect(commonVersion([], any)).toBe(null);
  });
});

describe('why nobody can serve', () => {
  it('is told of each worker, but not of hundreds', () => {
    const workers = Array.from({ length: 11 }, (_, index) => ({ ...WORKER, id: `w${index}`, tags: ['gpu'] }));
    const { message, details } = whyNobody(workers, NEEDS);
    expect(message).toBe(`no worker can serve this run, which needs ${needsInWords(NEEDS)}`);
    expect(message).toContain('claude-code 2.1.3, credentials for anthropic, the tags gpu, linux, aam 1.0.0');
    expect(details).toHaveLength(9);
    expect(details[0]).toBe('w0: it has no tag linux');
    expect(details.at(-1)).toBe('and 3 more');
  });
});
