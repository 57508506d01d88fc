/** Where a run writes, on machines that are not as usual. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import {
  commandScript,
  ENGINE_NAMES,
  evalCase,
  PACKAGE,
  runEval,
  runOwnAgent,
  withOwnAgent,
} from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';

describe('a package that cannot be written', () => {
  // A file in the place of a folder stops everybody, also root.
  const pkg = async (blocked: string) => {
    const made = await writePackage({
      ...withOwnAgent('echo fine'),
      'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['fine'] } }),
    });
    await writeFile(join(made.root, blocked), '');
    return made;
  };

  it.each(['evals/reports', '.aam'])('is told before anything runs: %s', async (blocked) => {
    await using it = await pkg(blocked);
    const { code, stdout, stderr } = await aam(['eval'], { cwd: it.root });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      `the package folder cannot be written: ${join(it.root, blocked)} is not a folder`,
    );
    expect(stderr).toContain('aam eval -o FILE');
  });

  it('can be evaluated all the same, with the report and the records elsewhere', async () => {
    await using it = await pkg('.aam');
    await using elsewhere = await temporaryFolder();
    const file = join(elsewhere.path, 'report.json');
    const { report } = await runOwnAgent(it.root, ['-o', file], { XDG_STATE_HOME: elsewhere.path });
    const capture = report.cases[0]?.capture ?? '';
    expect(capture.startsWith(join(elsewhere.path, 'aam', 'runs'))).toBe(true);
    expect(isAbsolute(capture) && JSON.parse(await readFile(capture, 'utf8'))).toMatchObject({
      output: 'fine',
    });
    expect(JSON.parse(await readFile(file, 'utf8')).id).toBe(report.id);
  });
});

it('without a sandbox, instructions above the folder for temporary files are not read', async () => {
  await using folder = await temporaryFolder();
  const temporary = join(folder.path, 'tmp');
  await mkdir(temporary);
  await writeFile(join(folder.path, 'CLAUDE.md'), 'HOST-LEAK');
  await using pkg = await writePackage({ ...PACKAGE, 'evals/cases/a.yaml': evalCase('a') });
  const { requests, report } = await runEval(
    pkg.root,
    'claude-code',
    [{ text: 'Done.' }],
    ['--sandbox', 'none'],
    { TMPDIR: temporary },
  );
  expect(report.cases[0]?.error_kind).toBe('no-judge');
  expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain('HOST-LEAK');
});

describe.each(ENGINE_NAMES)('a long path of the folder for temporary files, with %s', (engine) => {
  it('does not keep agents and hooks from their sockets', async () => {
    await using folder = await temporaryFolder();
    const long = join(folder.path, 'x'.repeat(120));
    await mkdir(long);
    await using pkg = await writePackage({
      ...PACKAGE,
      'hooks/hooks.json': {
        version: 1,
        hooks: { 'pre-tool-use': [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }] },
      },
      'evals/cases/a.yaml': evalCase('a', { expected: { 'agent-blocked': true } }),
    });
    const { report } = await runEval(pkg.root, engine, commandScript(engine, 'echo 1'), [], { TMPDIR: long });
    expect(report.cases[0]?.deterministic_checks).toEqual({ agent_blocked: 'PASS' });
    expect(await readdir(long)).toEqual([]);
  });
});
