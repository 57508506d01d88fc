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
