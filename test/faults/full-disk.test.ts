/** Disks that fill up: a small file system in a sandbox around all of aam. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { findBubblewrap } from '../../src/sandbox/bubblewrap/find.ts';
import { AAM, aam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { normalised, numberedPackage } from '../helpers/runs.ts';

const CASES = 20;
const files = numberedPackage(CASES, 'echo "number $1"', (index) => ({
  contains: [index % 2 ? 'number' : 'word'],
}));
const EVAL = `"$NODE" "$AAM" eval --no-judge --sandbox none -j2`;

describe('a disk that is full', () => {
  it('with the records: stops the run, keeps what finished, and the rest runs when there is room', async () => {
    await using pkg = await writePackage(files);
    const disk = join(pkg.root, '.aam');
    await mkdir(disk);
    const { stdout, stderr } = await onSmallDisk(pkg.root, disk, 400_000, {}, [
      'head -c 330000 /dev/zero > .aam/filler',
      `${EVAL} >/dev/null; echo "code $?"`,
      `grep -c '"result":' .aam/runs/*/journal.jsonl`,
      'rm .aam/filler',
      `${EVAL} --resume --json`,
    ]);
    expect(stderr).toMatch(/error: the run was stopped, because the disk is full: ENOSPC/);
    expect(stderr).toMatch(/run the rest: {2}\S*aam eval --resume \S+\n/);
    const [code, kept, ...json] = stdout.split('\n');
    expect(code).toBe('code 2');
    expect(Number(kept)).toBeGreaterThan(0);
    expect(Number(kept)).toBeLessThan(CASES);
    expect(normalised(evalReport.parse(JSON.parse(json.join('\n'))))).toEqual(await unbroken());
  });

  it('with the workspaces: no agent is blamed for it', async () => {
    await using pkg = await writePackage(
      numberedPackage(
        CASES,
        'mkdir -p "$TMPDIR/x" && head -c 150000 /dev/zero > "$TMPDIR/x/$1" && echo "number $1"',
        () => ({
          contains: ['number'],
        }),
      ),
    );
    await using disk = await temporaryFolder();
    const { stdout, stderr } = await onSmallDisk(pkg.root, disk.path, 1_600_000, { TMPDIR: disk.path }, [
      `${EVAL} >/dev/null; echo "code $?"`,
      `grep '"result":' .aam/runs/*/journal.jsonl | grep -c '"verdict":"FAIL"'`,
      `grep -c '"errorKind":"no-judge"' .aam/runs/*/journal.jsonl`,
    ]);
    expect(stderr).toMatch(/error: the run was stopped, because the disk is full: /);
    const [code, failed, kept] = stdout.split('\n');
    expect([code, failed]).toEqual(['code 2', '0']);
    expect(Number(kept)).toBeGreaterThan(0);
    expect(Number(kept)).toBeLessThan(CASES);
  });

  it('with the report: the old one stays whole, and no case runs again for the new one', async () => {
    await using pkg = await writePackage(files);
    await using disk = await temporaryFolder();
    const { stdout, stderr } = await onSmallDisk(pkg.root, disk.path, 16_384, { DISK: disk.path }, [
      'echo old > $DISK/report.json; head -c 8000 /dev/zero > $DISK/filler',
      `${EVAL} -o $DISK/report.json >/dev/null; echo "code $?"`,
      'cat $DISK/report.json; ls $DISK',
      `${EVAL} --resume -o report.json >/dev/null; echo "code $?"`,
      `grep -c '"result":' .aam/runs/*/journal.jsonl`,
    ]);
    expect(stderr).toMatch(/error: the report \S+ could not be written: ENOSPC/);
    expect(stderr).toMatch(/no case has to run again: {2}\S*aam eval --resume/);
    // The verdict stays the verdict, also where its report could not be written.
    expect(stdout.split('\n')).toEqual(['code 1', 'old', 'filler', 'report.json', 'code 1', '20', '']);
    const report = JSON.parse(await readFile(join(pkg.root, 'report.json'), 'utf8')) as EvalReport;
    expect(normalised(report)).toEqual(await unbroken());
  });
});

async function unbroken(): Promise<unknown> {
  await using pkg = await writePackage(files);
  const args = ['eval', '--json', '--no-judge', '--sandbox', 'none', '-j2'];
  const { stdout } = await aam(args, { cwd: pkg.root });
  return normalised(evalReport.parse(JSON.parse(stdout)));
}

/** Runs a script where one folder is a disk of its own. That needs no privileges. */
async function onSmallDisk(
  cwd: string,
  disk: string,
  bytes: number,
  env: NodeJS.ProcessEnv,
  script: readonly string[],
): Promise<{ stdout: string; stderr: string }> {
  const bwrap = findBubblewrap({ env: process.env, cwd, home: homedir() })?.path ?? 'bwrap';
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'script.sh');
  await writeFile(file, script.join('\n'));
  const args = ['--dev-bind', '/', '/', '--size', String(bytes), '--tmpfs', disk, '--chdir', cwd];
  const all = { ...process.env, NO_COLOR: '1', NODE: process.execPath, AAM, ...env };
  return await new Promise((settle) => {
    execFile(bwrap, [...args, '/bin/sh', file], { env: all, maxBuffer: 1e8 }, (_, stdout, stderr) =>
      settle({ stdout, stderr }),
    );
  });
}
