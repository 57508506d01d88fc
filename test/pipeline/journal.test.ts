import { lutimes, readFile, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownName } from '../../src/host/owner.ts';
import type { TrialResult } from '../../src/model/trial.ts';
import { Journal } from '../../src/pipeline/journal.ts';
import { type JournalEntry, journalLine, readJournal } from '../../src/pipeline/journal-lines.ts';
import { type RunLock, takeRun } from '../../src/pipeline/run-lock.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { RECORD, reopened, result, setting } from './journals.ts';

const line = (entry: JournalEntry) => journalLine(entry, (value) => JSON.stringify(value));
const ran = (trial: string, more: Partial<TrialResult> = {}, session = 1, ms = 10) =>
  line({ session, ms, result: result(trial, more) });
const ended = () => line({ session: 1, ms: 30, end: { state: 'finished', report: '/r.json', exitCode: 0 } });

describe('lines of a journal', () => {
  it('are read as they were written', () => {
    const { results, end, damaged, workedMs } = readJournal(
      ran('a') + ran('b', { verdict: 'FAIL' }) + ended(),
    );
    expect([...results.values()]).toEqual([result('a'), result('b', { verdict: 'FAIL' })]);
    expect(end).toEqual({ state: 'finished', report: '/r.json', exitCode: 0 });
    expect([damaged, workedMs]).toEqual([0, 30]);
  });

  it('are lost alone when they are cut off, wherever that is', () => {
    const whole = ran('a');
    const last = ran('b');
    for (let length = 1; length < last.length - 1; length++) {
      const { results, damaged } = readJournal(whole + last.slice(0, length));
      expect([[...results.keys()], damaged]).toEqual([['a'], 1]);
    }
    expect([...readJournal(whole + last.trimEnd()).results.keys()]).toEqual(['a', 'b']);
  });

  it('are lost alone when anything in them changed', () => {
    const [first, second, third] = [ran('a'), ran('b'), ran('c')];
    fc.assert(
      fc.property(fc.nat(second.length - 2), fc.constantFrom('\0', 'x', '0', '"', ' '), (place, other) => {
        fc.pre(second[place] !== other);
        const changed = second.slice(0, place) + other + second.slice(place + 1);
        const { results, damaged } = readJournal(first + changed + third);
        expect([[...results.keys()], damaged]).toEqual([['a', 'c'], 1]);
      }),
    );
  });

  it('are lost when something was written behind them', () => {
    const { results, damaged } = readJournal(`${ran('a').trimEnd()}x\n${ran('b')}`);
    expect([[...results.keys()], damaged]).toEqual([['b'], 1]);
  });

  it.each(['\0'.repeat(4096), '{}', '[]', 'null', '{"session":1}', 'garbage', '\ufeff'])(
    'may stand beside garbage: %j',
    (garbage) => {
      const { results, damaged } = readJournal(`${ran('a')}${garbage}\n${ran('b')}`);
      expect([[...results.keys()], damaged]).toEqual([['a', 'b'], 1]);
    },
  );

  it('count once when they were written twice, and the last result of a trial counts', () => {
    const undecided = ran('a', { verdict: 'SKIP', errorKind: 'model-rate-limit' });
    const { results, superseded } = readJournal(undecided + undecided + ran('a', {}, 2));
    expect(results.get('a')?.verdict).toBe('PASS');
    expect(superseded.map(({ verdict }) => verdict)).toEqual(['SKIP']);
  });

  it('of what was interrupted are no result, and do not replace one', () => {
    const cut = { verdict: 'SKIP', errorKind: 'interrupted', costUsd: 2 } as const;
    const { results, superseded } = readJournal(ran('a', cut) + ran('b') + ran('b', cut, 2));
    expect([...results.values()].map(({ trial, verdict }) => [trial, verdict])).toEqual([['b', 'PASS']]);
    expect(superseded.map(({ costUsd }) => costUsd)).toEqual([2, 2]);
  });

  it('tell how long all processes worked together, and whether the last one came to its end', () => {
    const later = readJournal(ran('a', {}, 1, 500) + ended() + ran('b', {}, 2, 70) + ran('c', {}, 2, 60));
    expect([later.workedMs, later.end, later.session]).toEqual([570, null, 2]);
  });
});

describe('a journal', () => {
  it('goes on after a torn line without losing the next one', async () => {
    await using folder = await temporaryFolder();
    const first = await Journal.create(folder.path, '2026-01-01T00:00:00Z', () => RECORD, setting());
    await Promise.all([first.append(result('a')), first.append(result('b'))]);
    await first[Symbol.asyncDispose]();
    const file = join(first.dir, 'journal.jsonl');
    await truncate(file, (await readFile(file)).length - 20);
    {
      await using second = await reopened(first.dir);
      expect([...second.before.results.keys()]).toEqual(['a']);
      await second.append(result('c'));
    }
    const { results, damaged } = readJournal(await readFile(file, 'utf8'));
    expect([[...results.keys()], damaged]).toEqual([['a', 'c'], 1]);
  });

  it('keeps the capture of a result until there is a later one', async () => {
    await using folder = await temporaryFolder();
    const capture = (output: string) => ({
      ...{ trial: 'a', command: [], exitCode: 0, ended: 'exited', output },
      ...{ stderr: '', events: [], hooks: [], files: [] },
    });
    const first = await Journal.create(folder.path, '2026-01-01T00:00:00Z', () => RECORD, setting());
    await first.append(result('a', { verdict: 'SKIP', capture: await first.capture(capture('one')) }));
    await first[Symbol.asyncDispose]();
    await using second = await reopened(first.dir);
    const path = await second.capture(capture('two'));
    expect(await readFile(join(first.dir, 'captures/a.json'), 'utf8')).toContain('"one"');
    expect(await readFile(join(first.dir, path), 'utf8')).toContain('"two"');
  });

  it('that failed keeps what is decided, and nothing that may be undecided for that reason', async () => {
    await using folder = await temporaryFolder();
    const failures: string[] = [];
    const onFailure = (error: Error) => void failures.push(error.message);
    const journal = await Journal.create(
      folder.path,
      '2026-01-01T00:00:00Z',
      () => RECORD,
      setting({ onFailure }),
    );
    journal.fail(new Error('first'));
    journal.fail(new Error('second'));
    await Promise.all([journal.append(result('a')), journal.append(result('b', { verdict: 'SKIP' }))]);
    await journal[Symbol.asyncDispose]();
    expect(failures).toEqual(['first']);
    const { results } = readJournal(await readFile(join(journal.dir, 'journal.jsonl'), 'utf8'));
    expect([...results.keys()]).toEqual(['a']);
  });
});

describe('the lock of a run', () => {
  const place = (name: string, part: number, other: string) =>
    name
      .split('.')
      .map((it, index) => (index === part ? other : it))
      .join('.');

  it('stays with the one who lives', async () => {
    await using folder = await temporaryFolder();
    using first = takeRun(folder.path) as RunLock;
    expect(first.session).toBe(1);
    expect(takeRun(folder.path)).toMatchObject({ session: 1, pid: process.pid, isLiving: true });
  });

  it.each([
    ['another process had its pid before', 1, '1'],
    ['before the last boot', 2, '00000000'],
  ])('is taken over: %s', async (_, part, other) => {
    await using folder = await temporaryFolder();
    await symlink(place(ownName(), part, other), join(folder.path, 'owner-1'));
    using lock = takeRun(folder.path) as RunLock;
    expect(lock.session).toBe(2);
    expect(takeRun(folder.path)).toMatchObject({ session: 2, isLiving: true });
  });

  it.each([
    ['container', 3, '1'],
    ['machine', 4, '00000000'],
  ])('is left to another %s as long as that one gives signs of life', async (_, part, other) => {
    await using folder = await temporaryFolder();
    const link = join(folder.path, 'owner-1');
    await symlink(place(ownName(), part, other), link);
    expect(takeRun(folder.path)).toMatchObject({ session: 1, isLiving: true });
    const longAgo = new Date(Date.now() - 120_000);
    await lutimes(link, longAgo, longAgo);
    using lock = takeRun(folder.path) as RunLock;
    expect(lock.session).toBe(2);
  });
});
