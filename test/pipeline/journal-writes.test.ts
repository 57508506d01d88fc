/** What a journal leaves on the disk, and when. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunRecord } from '../../src/model/run.ts';
import type { Capture } from '../../src/model/trial.ts';
import { Journal, type JournalSetting } from '../../src/pipeline/journal.ts';
import { readJournal } from '../../src/pipeline/journal-lines.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { RECORD, reopened, result, setting } from './journals.ts';

const CAPTURE: Capture = {
  ...{ trial: 'a', command: [], exitCode: 0, ended: 'exited', output: '' },
  ...{ stderr: '', events: [], hooks: [], files: [] },
};

function created(aam: string, more: Partial<JournalSetting> = {}): Promise<Journal> {
  return Journal.create(aam, '2026-01-01T10:20:30Z', () => RECORD, setting(more));
}

const textOf = (journal: Journal) => readFile(join(journal.dir, 'journal.jsonl'), 'utf8');
const trialsIn = (text: string) => [...readJournal(text).results.keys()];
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a new run', () => {
  it('has a folder for its owner alone, named after its start, that git overlooks', async () => {
    await using folder = await temporaryFolder();
    const aam = join(folder.path, '.aam');
    const describeRun = (id: string) => ({ version: 1, id }) as unknown as RunRecord;
    await using journal = await Journal.create(aam, '2026-01-01T10:20:30Z', describeRun, setting());
    expect(journal.id).toMatch(/^2026-01-01T10-20-30Z-[0-9a-f]{6}$/);
    expect(journal.dir).toBe(join(aam, 'runs', journal.id));
    const record = await readFile(join(journal.dir, 'run.json'), 'utf8');
    expect(record).toBe(`{\n  "version": 1,\n  "id": "${journal.id}"\n}\n`);
    expect(await readFile(join(aam, '.gitignore'), 'utf8')).toBe('*\n');
    const capture = await journal.capture(CAPTURE);
    for (const place of ['..', '.', 'captures']) expect(await modeOf(join(journal.dir, place))).toBe(0o700);
    for (const place of ['run.json', 'journal.jsonl', capture])
      expect(await modeOf(join(journal.dir, place))).toBe(0o600);
  });

  it('knows nothing yet, and leaves a .gitignore as its owner wrote it', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, '.gitignore'), 'runs\n');
    await using journal = await created(folder.path);
    expect(journal.before).toEqual(readJournal(''));
    expect(await textOf(journal)).toBe('');
    expect(await readFile(join(folder.path, '.gitignore'), 'utf8')).toBe('runs\n');
  });
});

describe('a line', () => {
  it('is on the disk when that is told, with the time that was worked until then', async () => {
    await using folder = await temporaryFolder();
    await using journal = await created(folder.path, { started: performance.now() - 1e9 });
    await journal.append(result('a'));
    const { results, workedMs } = readJournal(await textOf(journal));
    expect([...results.keys()]).toEqual(['a']);
    expect(workedMs).toBeGreaterThanOrEqual(1e9);
  });

  it('stands directly below the one before, whichever process wrote it', async () => {
    await using folder = await temporaryFolder();
    const first = await created(folder.path);
    await first.append(result('a'));
    await first.append(result('b'));
    await first[Symbol.asyncDispose]();
    await using second = await reopened(first.dir);
    await second.append(result('c'));
    const text = await textOf(second);
    expect(trialsIn(text)).toEqual(['a', 'b', 'c']);
    expect(text.split('\n')).toHaveLength(4);
    expect(text).not.toMatch(/^\n|\n\n/);
  });

  it('is the first one where a process was killed before it made the file', async () => {
    await using folder = await temporaryFolder();
    await using journal = await reopened(folder.path);
    expect(journal.before).toEqual(readJournal(''));
    await journal.append(result('a'));
    expect(trialsIn(await textOf(journal))).toEqual(['a']);
  });

  it('that nobody waited for is written before the journal closes, which gives up the run', async () => {
    await using folder = await temporaryFolder();
    const released: string[] = [];
    const lock = { session: 1, [Symbol.dispose]: () => void released.push('x') };
    const journal = await Journal.reopen('x', folder.path, lock, setting());
    await journal.append(result('a'));
    void journal.append(result('b'));
    expect(released).toEqual([]);
    await journal[Symbol.asyncDispose]();
    expect(released).toEqual(['x']);
    expect(trialsIn(await textOf(journal))).toEqual(['a', 'b']);
    await expect(journal.append(result('c'))).rejects.toThrow();
  });
});

describe('while the clock stands still', () => {
  afterEach(() => void vi.useRealTimers());

  /** One line is written, and the next one waits for company. */
  async function waiting(aam: string): Promise<{ journal: Journal; second: Promise<void> }> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: 0 });
    vi.advanceTimersByTime(1000);
    const journal = await created(aam);
    await journal.append(result('a'));
    const second = journal.append(result('b'));
    await setImmediate();
    expect(vi.getTimerCount()).toBe(1);
    expect(trialsIn(await textOf(journal))).toEqual(['a']);
    return { journal, second };
  }

  it('lines wait for more, and go to the disk together', async () => {
    await using folder = await temporaryFolder();
    const { journal, second } = await waiting(folder.path);
    await using _ = journal;
    const third = journal.append(result('c'));
    vi.advanceTimersByTime(99);
    await setImmediate();
    expect(trialsIn(await textOf(journal))).toEqual(['a']);
    vi.advanceTimersByTime(1);
    await Promise.all([second, third]);
    expect(trialsIn(await textOf(journal))).toEqual(['a', 'b', 'c']);
  });

  it('a run that is in a hurry does not wait, and leaves no timer', async () => {
    await using folder = await temporaryFolder();
    const { journal, second } = await waiting(folder.path);
    await using _ = journal;
    journal.hurry();
    await second;
    expect(trialsIn(await textOf(journal))).toEqual(['a', 'b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('nor when it hurries while the line before is being written', async () => {
    await using folder = await temporaryFolder();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: 0 });
    vi.advanceTimersByTime(1000);
    await using journal = await created(folder.path);
    const first = journal.append(result('a'));
    // Now it is at the disk, and whatever comes goes with the next one.
    await setImmediate();
    const second = journal.append(result('b'));
    journal.hurry();
    await Promise.all([first, second]);
    await journal.end({ state: 'finished', report: '/r.json', exitCode: 0 });
    const { results, end } = readJournal(await textOf(journal));
    expect([[...results.keys()], end?.state]).toEqual([['a', 'b'], 'finished']);
    expect(vi.getTimerCount()).toBe(0);
    // Whatever comes then has time again.
    void journal.append(result('c'));
    await setImmediate();
    expect(vi.getTimerCount()).toBe(1);
  });

  it('the end of a run does not wait either', async () => {
    await using folder = await temporaryFolder();
    const { journal } = await waiting(folder.path);
    await using _ = journal;
    const end = { state: 'finished', report: '/r.json', exitCode: 1 } as const;
    await journal.end(end);
    const { results, end: told } = readJournal(await textOf(journal));
    expect([[...results.keys()], told]).toEqual([['a', 'b'], end]);
  });
});

describe('what cannot be written', () => {
  it('stops the run once, harms no line that was there, and is written when it can be', async () => {
    await using folder = await temporaryFolder();
    const failures: Error[] = [];
    const journal = await created(folder.path, { onFailure: (error) => void failures.push(error) });
    await journal.append(result('a'));
    expect(journal.failure).toBeNull();
    const before = await textOf(journal);
    // A line must not be there without its capture.
    const path = join(journal.dir, await journal.capture(CAPTURE));
    const text = await readFile(path, 'utf8');
    await rm(path);
    await expect(journal.append(result('b'))).rejects.toThrow('ENOENT');
    await expect(journal.append(result('c'))).rejects.toThrow('ENOENT');
    expect(failures).toEqual([journal.failure]);
    expect(await textOf(journal)).toBe(before);
    await writeFile(path, text);
    await journal[Symbol.asyncDispose]();
    const after = await textOf(journal);
    expect(trialsIn(after)).toEqual(['a', 'b', 'c']);
    expect(after).not.toContain('\n\n');
  });

  it('is told of a capture too', async () => {
    await using folder = await temporaryFolder();
    await using journal = await created(folder.path);
    await rm(join(journal.dir, 'captures'), { recursive: true });
    expect(() => journal.capture(CAPTURE)).toThrow('ENOENT');
    expect(journal.failure?.message).toContain('ENOENT');
    await mkdir(join(journal.dir, 'captures'));
    expect(journal.capture(CAPTURE)).toBe(join('captures', 'a.json'));
  });
});
