/** Which cases start first, as their agent tells. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evalCase, runOwnAgent, withOwnAgent } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';

const SLOW = 4;
const SCRIPT = `echo $1 >> "$STARTED"; [ $1 = ${SLOW} ] && sleep 0.5; echo done`;
const CASES = Object.fromEntries(
  Array.from({ length: 6 }, (_, index) => [
    `evals/cases/c-${index}.yaml`,
    evalCase(`c-${index}`, { input: { prompt: String(index) } }),
  ]),
);

describe('cases that took long before', () => {
  it('start first where several run at once, and the report keeps its order', async () => {
    await using log = await temporaryFolder();
    const started = join(log.path, 'started');
    const command = ['/bin/sh', '-c', SCRIPT, 'agent', '{prompt}'];
    await using pkg = await writePackage({
      ...withOwnAgent('', { command, env: { STARTED: started } }),
      ...CASES,
    });
    const run = async (jobs: string) => {
      await rm(started, { force: true });
      const { report } = await runOwnAgent(pkg.root, ['--sandbox', 'none', '-j', jobs]);
      const starts = (await readFile(started, 'utf8')).trim().split('\n').map(Number);
      return { starts, names: report.cases.map(({ name }) => name) };
    };
    const first = await run('2');
    expect(first.starts.slice(0, 2).toSorted()).toEqual([0, 1]);
    const second = await run('2');
    expect(second.starts.slice(0, 2)).toContain(SLOW);
    expect(second.names).toEqual(first.names);
    const alone = await run('1');
    expect(alone.starts).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('an earlier report', () => {
  it('that is broken is no reason not to run', async () => {
    await using log = await temporaryFolder();
    const started = join(log.path, 'started');
    const command = ['/bin/sh', '-c', SCRIPT, 'agent', '{prompt}'];
    const broken = [
      '{',
      'null',
      JSON.stringify({ config: { engine: 'command' }, cases: 7 }),
      JSON.stringify({
        config: { engine: 'command' },
        cases: [null, { name: 'c-0', trials: [null, 7, {}] }],
      }),
    ].map((text, index) => [`evals/reports/2030-01-0${index + 1}T00-00-00Z.json`, text]);
    await using pkg = await writePackage({
      ...withOwnAgent('', { command, env: { STARTED: started } }),
      ...CASES,
      ...Object.fromEntries(broken),
    });
    await runOwnAgent(pkg.root, ['--sandbox', 'none', '-j', '2']);
    const starts = (await readFile(started, 'utf8')).trim().split('\n').map(Number);
    expect(starts.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('agents', () => {
  it('run one after the other as their cases are written, however long they are made ready', async () => {
    await using folder = await temporaryFolder();
    const log = join(folder.path, 'log');
    const command = ['/bin/sh', '-c', 'echo $1 >> "$LOG"; echo done', 'agent', '{prompt}'];
    const cases = Array.from({ length: 8 }, (_, index) => [
      `evals/cases/c-${index}.yaml`,
      evalCase(`c-${index}`, {
        input: {
          prompt: String(index),
          // Too large to be read again: its workspace waits for the clock of the disk.
          ...(index % 2 === 0 && { files: ['fixtures/large.txt'] }),
        },
      }),
    ]);
    await using pkg = await writePackage({
      ...withOwnAgent('', { command, env: { LOG: log } }),
      'evals/fixtures/large.txt': 'x'.repeat(2_000_000),
      ...Object.fromEntries(cases),
    });
    await runOwnAgent(pkg.root, ['--sandbox', 'none', '-j', '1']);
    expect((await readFile(log, 'utf8')).trim().split('\n').map(Number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  const LOGGED = 'echo + >> "$LOG"; sleep 0.3; echo - >> "$LOG"; echo done';

  it.each([1, 2, 3])('run %i at a time and no more, and do not wait on their own time', async (jobs) => {
    await using folder = await temporaryFolder();
    const log = join(folder.path, 'log');
    const command = ['/bin/sh', '-c', LOGGED];
    await using pkg = await writePackage({ ...withOwnAgent('', { command, env: { LOG: log } }), ...CASES });
    const begun = performance.now();
    const { report } = await runOwnAgent(pkg.root, ['--sandbox', 'none', '-j', String(jobs)]);
    const tookMs = performance.now() - begun;
    const signs = (await readFile(log, 'utf8')).trim().split('\n');
    let running = 0;
    const counts = signs.map((sign) => {
      running += sign === '+' ? 1 : -1;
      return running;
    });
    expect(Math.max(...counts)).toBe(jobs);
    const ownSeconds = report.cases.reduce((sum, it) => sum + it.duration_seconds, 0);
    expect(ownSeconds).toBeGreaterThan(6 * 0.3);
    expect(ownSeconds).toBeLessThan((1.3 * jobs * tookMs) / 1000);
  });
});
