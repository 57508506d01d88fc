/** `aam clean`: what dead processes left behind, and nothing else. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { ownName } from '../../src/host/owner.ts';
import { type CleanReport, cleanReport } from '../../src/model/run-list.ts';
import { aam } from '../helpers/cli.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { begunRuns, numberedPackage } from '../helpers/runs.ts';

/** The name of this process with one part changed. */
function named(part: number, other: string): string {
  return ownName()
    .split('.')
    .map((it, index) => (index === part ? other : it))
    .join('.');
}

const DEAD = named(1, '1');

async function cleanIn(root: string, temporary: string, ...args: string[]): Promise<CleanReport> {
  const { stdout } = await aam(['clean', '--json', ...args], { cwd: root, env: { TMPDIR: temporary } });
  const report = cleanReport.parse(JSON.parse(stdout));
  // Other programs of the machine may have left something as well.
  const isOurs = (path: string) => path.startsWith(root) || path.startsWith(temporary);
  return { ...report, folders: report.folders.filter(isOurs).sort(), files: report.files.filter(isOurs) };
}

describe('aam clean', () => {
  it('removes the folders of dead processes, never those of others', async () => {
    await using pkg = await writePackage(numberedPackage(1, 'echo hi'));
    await using folder = await temporaryFolder();
    const make = async (name: string, owner: string | null, filled = true) => {
      await mkdir(join(folder.path, name, 'deep'), { recursive: filled });
      if (owner !== null) await symlink(owner, join(folder.path, name, 'owner'));
    };
    await make('aam-eval_dead01', DEAD);
    await make('aam-box_dead02', named(2, '00000000'));
    await mkdir(join(folder.path, 'aam-s_empty1'));
    const kept = [
      'aam-eval_live01',
      'aam-eval_othpid',
      'aam-eval_othbox',
      'aam-eval_noname',
      'aam-eval_strnge',
      'other',
    ];
    await make('aam-eval_live01', ownName());
    await make('aam-eval_othpid', named(3, '1'));
    await make('aam-eval_othbox', named(4, '00000000'));
    await make('aam-eval_noname', null);
    await make('aam-eval_strnge', 'somewhere');
    await make('other', DEAD);
    const gone = ['aam-box_dead02', 'aam-eval_dead01', 'aam-s_empty1'].map((name) => join(folder.path, name));
    expect(await cleanIn(pkg.root, folder.path, '--dry-run')).toMatchObject({ dry_run: true, folders: gone });
    expect(await readdir(folder.path)).toHaveLength(kept.length + gone.length);
    expect(await cleanIn(pkg.root, folder.path)).toMatchObject({ dry_run: false, folders: gone });
    expect((await readdir(folder.path)).sort()).toEqual(kept.sort());
    expect(await cleanIn(pkg.root, folder.path)).toMatchObject({ folders: [] });
  });

  it('ends the sandboxes of dead processes, never those of living ones', async () => {
    await using pkg = await writePackage(numberedPackage(1, 'echo hi'));
    await using folder = await temporaryFolder();
    const start = async (name: string, owner: string) => {
      await mkdir(join(folder.path, name));
      await symlink(owner, join(folder.path, name, 'owner'));
      const child = spawn('sleep', ['600'], { env: { PATH: process.env['PATH'], AAM_SANDBOX: name } });
      return { child, ended: new Promise((settle) => child.on('exit', (_, signal) => settle(signal))) };
    };
    const dead = await start('aam-box_dead03', DEAD);
    const living = await start('aam-box_live03', ownName());
    try {
      expect((await cleanIn(pkg.root, folder.path, '--dry-run')).processes).toContain(dead.child.pid);
      expect(dead.child.signalCode).toBe(null);
      const { processes } = await cleanIn(pkg.root, folder.path);
      expect(processes).toContain(dead.child.pid);
      expect(processes).not.toContain(living.child.pid);
      expect(await dead.ended).toBe('SIGKILL');
      expect(living.child.signalCode).toBe(null);
    } finally {
      living.child.kill('SIGKILL');
      dead.child.kill('SIGKILL');
    }
  });

  it('removes half-written files and runs that never began, and old runs only on request', async () => {
    await using pkg = await writePackage(numberedPackage(1, 'echo hi'));
    await using folder = await temporaryFolder();
    await aam(['eval', '--no-judge', '--sandbox', 'none'], { cwd: pkg.root });
    const [id = ''] = await begunRuns(pkg.root);
    const run = join(pkg.root, '.aam/runs', id);
    const unbegun = join(pkg.root, '.aam/runs', 'never-begun');
    await mkdir(join(unbegun, 'captures'), { recursive: true });
    await symlink(DEAD, join(unbegun, 'owner-1'));
    const half = join(pkg.root, 'evals/reports', `x.json.${DEAD}.abcdef.tmp`);
    const living = join(pkg.root, 'evals/reports', `x.json.${ownName()}.abcdef.tmp`);
    await writeFile(half, '{');
    await writeFile(living, '{');
    expect(await cleanIn(pkg.root, folder.path)).toMatchObject({
      folders: [unbegun],
      files: [half],
      runs: [],
    });
    expect([existsSync(half), existsSync(living), existsSync(unbegun)]).toEqual([false, true, false]);
    expect((await cleanIn(pkg.root, folder.path, '--runs', '1')).runs).toEqual([]);
    expect((await cleanIn(pkg.root, folder.path, '--runs', '0.000001', '--dry-run')).runs).toEqual([run]);
    expect((await cleanIn(pkg.root, folder.path, '--runs', '0.000001')).runs).toEqual([run]);
    expect(existsSync(run)).toBe(false);
    expect((await aam(['runs'], { cwd: pkg.root })).stdout).toBe(
      'there are no runs of this package; start one:  aam eval\n',
    );
  });
});
