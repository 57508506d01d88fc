/** Runs of fixtures that are interrupted, and what they may go on with. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { aam, startAam } from '../helpers/cli.ts';
import { fixtureCase, fixtureText, mocksOf } from '../helpers/fixture.ts';
import { writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';

/** Is ended while the program of its second case decides; from then on that program passes the case. */
async function interruptedRun() {
  const mark = `7${process.pid}${Math.floor(Math.random() * 1e6)}`;
  const program = `[ -e go ] || exec sleep ${mark}; echo '{"passed": true}'`;
  const pkg = await writePackage({
    'fixture.yaml': fixtureText([
      fixtureCase('one'),
      fixtureCase('two', { evaluator_config: { evaluator: 'process', process_cmd: ['sh', 'grade.sh'] } }),
    ]),
    'grade.sh': program,
    ...mocksOf({ one: 'noted', two: 'noted' }),
  });
  const { child, ended } = startAam(['eval', 'fixture.yaml', '--engine', 'mock', '-j1'], pkg.root);
  await expect.poll(() => processesWith(`sleep ${mark}`).length, { timeout: 30_000 }).toBeGreaterThan(0);
  child.kill('SIGINT');
  const { code } = await ended;
  await writeFile(join(pkg.root, 'go'), '');
  return {
    ...{ root: pkg.root, code, program },
    resume: () => aam(['eval', 'fixture.yaml', '--resume', '--json'], { cwd: pkg.root }),
    [Symbol.asyncDispose]: () => pkg[Symbol.asyncDispose](),
  };
}

describe('a run of a fixture', () => {
  it('that was interrupted while a program graded runs that case again', async () => {
    await using run = await interruptedRun();
    expect(run.code).toBe(130);
    const { code, stdout } = await run.resume();
    const { cases } = evalReport.parse(JSON.parse(stdout));
    expect([code, cases.map(({ name, verdict }) => [name, verdict])]).toEqual([
      0,
      [
        ['one', 'PASS'],
        ['two', 'PASS'],
      ],
    ]);
  });

  it('does not go on with other mocks or programs', async () => {
    await using run = await interruptedRun();
    const mocks = join(run.root, 'mocks/answers.json');
    const [[, before = '']] = Object.entries(mocksOf({ one: 'noted', two: 'noted' })) as [[string, string]];
    await writeFile(mocks, before.replace('noted', 'lost'));
    const other = await run.resume();
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('the case one has changed')]);
    await writeFile(mocks, before);
    await writeFile(join(run.root, 'grade.sh'), `${run.program}\n`);
    const again = await run.resume();
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('the case two has changed')]);
    expect(again.stderr).not.toContain('the case one');
  });
});
