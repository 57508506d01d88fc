/** `aam eval --evidence` and `aam evidence verify`, as people use them. */
import { execFile } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type EvidenceManifest, evidenceCheck, evidenceManifest } from '../../src/model/evidence.ts';
import { evalReport, REPORT_MARK } from '../../src/model/report.ts';
import { AAM, aam } from '../helpers/cli.ts';
import {
  commandScript,
  evalCase,
  HOST_KEY,
  PACKAGE,
  runEval,
  runOwnAgent,
  withOwnAgent,
} from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { skillText, writePackage } from '../helpers/package.ts';
import { END, entry, gzipped, header } from '../helpers/tar.ts';

const exec = promisify(execFile);

const OWN = {
  ...withOwnAgent('cat input.txt; echo VALUE-OF-$EVAL_SECRET | wc -c', {
    env: { EVAL_SECRET: 'hidden-value' },
  }),
  'evals/cases/a.yaml': evalCase('a', {
    input: {
      prompt: 'Read it.',
      files: ['files/in.txt'],
      'workspace-files': ['input.txt', 'made-empty.txt'],
    },
    expected: { contains: ['the input'] },
  }),
  'evals/cases/b.yaml': evalCase('b', { expected: { contains: ['never'] } }),
  'evals/files/in.txt': 'given',
  'evals/fixtures/input.txt': 'the input\n',
};

/** A key pair in a folder of its own. */
async function writeKeys(folder: string, name = 'key'): Promise<{ key: string; pub: string }> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [key, pub] = [join(folder, `${name}.pem`), join(folder, `${name}.pub.pem`)];
  await writeFile(key, pemOf(privateKey));
  await writeFile(pub, publicKey.export({ format: 'pem', type: 'spki' }));
  return { key, pub };
}

function pemOf(privateKey: KeyObject, more = {}): string {
  return privateKey.export({ format: 'pem', type: 'pkcs8', ...more }).toString();
}

/** Unpacked by another program than ours. */
async function unpacked(file: string, to: string): Promise<{ manifest: EvidenceManifest; names: string[] }> {
  await mkdir(to);
  await exec('tar', ['-xzf', file, '-C', to]);
  const entries = await readdir(to, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name).slice(to.length + 1));
  const manifest = evidenceManifest.parse(JSON.parse(await readFile(join(to, 'manifest.json'), 'utf8')));
  return { manifest, names: names.sort() };
}

describe('evidence of a run', () => {
  it('holds all that was run and what came of it, and can be proven', async () => {
    await using pkg = await writePackage(OWN);
    await using folder = await temporaryFolder();
    const { key, pub } = await writeKeys(folder.path);
    const file = join(folder.path, 'run.tar.gz');
    const { report, code } = await runOwnAgent(pkg.root, ['a', '--evidence', file, '--sign', key]);
    expect([code, report.summary]).toMatchObject([3, { total: 1, skipped: 1 }]);

    const to = join(folder.path, 'out');
    const { manifest, names } = await unpacked(file, to);
    expect(names).toEqual([
      'captures/a.command.with.1.json',
      'cases.json',
      'config.json',
      'environment.json',
      'manifest.json',
      'manifest.sig',
      'report.json',
      'suite/evals/cases/a.yaml',
      'suite/evals/files/in.txt',
      'suite/evals/fixtures/input.txt',
    ]);
    expect(manifest.entries.map(({ path }) => path)).toEqual(
      names.filter((it) => !it.startsWith('manifest.')),
    );
    expect(manifest).toMatchObject({ run: report.id, timestamp: report.timestamp });
    const text = (name: string) => readFile(join(to, name), 'utf8');
    const json = async (name: string) => JSON.parse(await text(name));
    expect(evalReport.parse(await json('report.json'))).toEqual(report);
    expect((await json('captures/a.command.with.1.json')).output).toContain('the input');
    expect(await json('cases.json')).toEqual([
      {
        name: 'a',
        hash: report.cases[0]?.case_hash,
        line: 1,
        definition: 'suite/evals/cases/a.yaml',
        sources: [],
        files: [
          { to: 'files/in.txt', entry: 'suite/evals/files/in.txt' },
          { to: 'input.txt', entry: 'suite/evals/fixtures/input.txt' },
          { to: 'made-empty.txt', entry: null },
        ],
      },
    ]);
    expect(await json('config.json')).toMatchObject({
      engine: 'command',
      env: ['EVAL_SECRET'],
      no_judge: true,
    });
    for (const name of ['config.json', 'report.json', 'environment.json'])
      expect(await text(name)).not.toContain('hidden-value');
    expect(await json('environment.json')).toMatchObject({ ...report.environment, package: report.package });

    const given = await aam(['evidence', 'verify', 'run.tar.gz', '--key', pub], { cwd: folder.path });
    const { fingerprint } = manifest.signer ?? {};
    expect([given.code, given.stdout]).toEqual([
      0,
      `✓ run.tar.gz: all 8 files as listed (${report.id})\n✓ signed with the given key, ${fingerprint}\n`,
    ]);
    const unknown = await aam(['evidence', 'verify', 'run.tar.gz'], { cwd: folder.path });
    expect([unknown.code, unknown.stdout.split('\n')[1]]).toEqual([
      0,
      `– signed by an unknown key, ${fingerprint}: name the key you trust with --key`,
    ]);
    const other = await writeKeys(folder.path, 'other');
    expect((await aam(['evidence', 'verify', file, '--key', other.pub])).code).toBe(1);
    // Whoever does not have aam can check it as well.
    const openssl = [
      'pkeyutl',
      '-verify',
      '-pubin',
      '-inkey',
      pub,
      '-rawin',
      '-in',
      join(to, 'manifest.json'),
    ];
    await exec('openssl', [...openssl, '-sigfile', join(to, 'manifest.sig')]);
    const sums = manifest.entries.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
    await writeFile(join(folder.path, 'sums'), sums);
    await exec('sha256sum', ['--check', '--strict', join(folder.path, 'sums')], { cwd: to });
  });

  it('does not hold keys, wherever they stand, and says what it took out', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'evals/cases/a.yaml': evalCase('a', {
        input: { prompt: 'Do it.', 'workspace-files': ['note.bin'] },
        description: `For ${HOST_KEY}`,
      }),
      'evals/fixtures/note.bin': Buffer.concat([
        Buffer.from([0xff, 0]),
        Buffer.from(HOST_KEY),
        Buffer.from([0xfe]),
      ]),
    });
    await using folder = await temporaryFolder();
    const { key } = await writeKeys(folder.path);
    const file = join(folder.path, 'run.tar.gz');
    // Without a sandbox an agent can read the signing key.
    const script = commandScript('claude-code', `cat ${key} note.bin`);
    const args = ['--sandbox', 'none', '--evidence', file, '--sign', key];
    await runEval(pkg.root, 'claude-code', script, args);
    const to = join(folder.path, 'out');
    const { manifest, names } = await unpacked(file, to);
    const secret = (await readFile(key, 'utf8')).split('\n')[1] ?? '';
    expect(secret).toHaveLength(64);
    for (const name of names) {
      const content = await readFile(join(to, name), 'latin1');
      expect(content).not.toContain(HOST_KEY);
      expect(content).not.toContain(secret);
    }
    expect(await readFile(join(to, 'suite/evals/fixtures/note.bin'), 'latin1')).toBe('\xff\0[key]\xfe');
    const redacted = manifest.entries.filter((it) => it.redacted).map(({ path }) => path);
    // Captures were written without them.
    expect(redacted).toEqual(['suite/evals/cases/a.yaml', 'suite/evals/fixtures/note.bin']);
    expect((await aam(['evidence', 'verify', file])).code).toBe(0);
  });

  it('holds the files of a skill’s evals, those from outside too', async () => {
    await using repository = await writePackage({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'shared/data.csv': 'a,b\n',
      'skill/SKILL.md': skillText('echo'),
      'skill/evals/prompts/long.md': 'Read shared/data.csv.',
      'skill/evals/evals.json': {
        skill_name: 'echo',
        evals: [
          {
            id: 'one',
            prompt_file: 'long.md',
            files: ['shared/data.csv'],
            assertions: [{ type: 'contains', value: 'x' }],
          },
          {
            id: 'lost',
            prompt: 'Hm?',
            files: ['nowhere.csv'],
            assertions: [{ type: 'contains', value: 'x' }],
          },
        ],
      },
      'skill/evals/eval-config.json': { version: 1, engine: 'command', command: ['/bin/echo', 'x'] },
    });
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'run.tar.gz');
    await runOwnAgent(join(repository.root, 'skill'), ['evals/evals.json', '--evidence', file]);
    const { names, manifest } = await unpacked(file, join(folder.path, 'out'));
    expect(manifest.signer).toBeNull();
    expect(names.filter((it) => it.startsWith('suite'))).toEqual([
      expect.stringMatching(/^suite-elsewhere\/[0-9a-f]{12}\/data\.csv$/),
      'suite/evals/evals.json',
      'suite/evals/prompts/long.md',
    ]);
    const cases = JSON.parse(await readFile(join(folder.path, 'out/cases.json'), 'utf8'));
    expect(cases).toMatchObject([
      { name: 'one', sources: ['suite/evals/prompts/long.md'], files: [{ to: 'shared/data.csv' }] },
      { name: 'lost', files: [] },
    ]);
  });

  it('is written also for a run that failed, and its line is told', async () => {
    await using pkg = await writePackage(OWN);
    const args = ['eval', '--no-judge', '--evidence', 'out/run.tar.gz'];
    const { code, stdout } = await aam(args, { cwd: pkg.root });
    expect(code).toBe(1);
    expect(stdout).toContain('evidence: out/run.tar.gz (10 files, not signed)');
    expect((await aam(['evidence', 'verify', 'out/run.tar.gz'], { cwd: pkg.root })).stdout).toMatch(
      /^✓ out\/run\.tar\.gz: all 10 files as listed \(eval-run-.*\)\n– not signed: anybody could have made it\n$/,
    );
  });

  it('that lies in a package is not shown to agents', async () => {
    await using pkg = await writePackage({
      ...withOwnAgent('ls -R /package; find / -name "*.tar.gz" -not -path "/proc/*" 2>/dev/null'),
      'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['x'] } }),
    });
    await runOwnAgent(pkg.root, ['--evidence', 'skills/echo/run.tar.gz']);
    const { report } = await runOwnAgent(pkg.root);
    expect(report.cases[0]?.agent_output_snippet).not.toContain('run.tar.gz');
    expect(report.warnings).toContain(
      'skills/echo/run.tar.gz is a report of aam eval, so agents do not get it',
    );
  });

  it('is not written when a case changed while it ran', async () => {
    await using pkg = await writePackage(OWN);
    const config = JSON.parse(await readFile(join(pkg.root, 'evals/eval-config.json'), 'utf8'));
    config.command[2] = `echo changed >> ${pkg.root}/evals/fixtures/input.txt`;
    await writeFile(join(pkg.root, 'evals/eval-config.json'), JSON.stringify(config));
    const args = ['eval', 'a', '--no-judge', '--sandbox', 'none', '--evidence', 'run.tar.gz'];
    const { code, stderr, stdout } = await aam(args, { cwd: pkg.root });
    // The verdict stays the verdict.
    expect(code).toBe(1);
    expect(stdout).toContain('report: evals/reports/');
    expect(stderr).toContain('suite/evals/fixtures/input.txt is not what it was when the run began');
    expect(await readdir(pkg.root)).not.toContain('run.tar.gz');
  });
});

describe('what cannot work is told before a case runs', () => {
  async function refusal(args: (folder: string) => Promise<string[]> | string[]): Promise<string> {
    await using pkg = await writePackage(OWN);
    await using folder = await temporaryFolder();
    const given = (await args(folder.path)).map((it) => it.replaceAll('ROOT', pkg.root));
    const { code, stderr, stdout } = await aam(['eval', '--no-judge', ...given], { cwd: pkg.root });
    expect([code, stdout]).toEqual([2, '']);
    expect(await readdir(pkg.root)).not.toContain('.aam');
    return stderr.replaceAll(folder.path, 'FOLDER').replaceAll(pkg.root, 'ROOT').split('\n')[0] ?? '';
  }

  const signedWith = (pem: string) => async (folder: string) => {
    await writeFile(join(folder, 'k.pem'), pem);
    return ['--evidence', join(folder, 'e.tar.gz'), '--sign', join(folder, 'k.pem')];
  };

  it('a place that cannot be written', async () => {
    expect(await refusal((folder) => ['--evidence', folder])).toBe(
      'error: the evidence archive FOLDER cannot be written: FOLDER is a folder',
    );
    expect(await refusal(() => ['--evidence', 'package.agent.json/e.tar.gz'])).toMatch(
      /^error: the evidence archive ROOT\/package\.agent\.json\/e\.tar\.gz cannot be written: /,
    );
    expect(await refusal(() => ['--evidence', '/proc/e.tar.gz'])).toMatch(
      /^error: the evidence archive \/proc\/e\.tar\.gz cannot be written: /,
    );
  });

  it('a key that cannot sign', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const publicPem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    expect(await refusal(signedWith(publicPem))).toBe(
      'error: FOLDER/k.pem is a public key: signing needs the private one',
    );
    expect(await refusal(signedWith(pemOf(rsa.privateKey)))).toBe(
      'error: FOLDER/k.pem is a key of type rsa: ed25519 is needed',
    );
    expect(await refusal(signedWith(pemOf(privateKey, { cipher: 'aes-256-cbc', passphrase: 'x' })))).toBe(
      'error: FOLDER/k.pem is encrypted, and aam does not ask for passphrases',
    );
    expect(await refusal(signedWith('x'.repeat(70_000)))).toBe('error: FOLDER/k.pem is too large for a key');
    expect(
      await refusal((folder) => ['--evidence', join(folder, 'e'), '--sign', join(folder, 'none')]),
    ).toMatch(/^error: the key FOLDER\/none cannot be read: ENOENT/);
    expect(await refusal((folder) => ['--evidence', join(folder, 'e'), '--sign', folder])).toMatch(
      /^error: the key FOLDER cannot be read: EISDIR/,
    );
    expect(await refusal(() => ['--sign', 'k.pem'])).toBe('error: --sign has nothing to sign');
  });

  it('a key in the wrong place', async () => {
    await using pkg = await writePackage(OWN);
    const { key } = await writeKeys(pkg.root);
    const inside = await aam(['eval', '--evidence', 'e.tar.gz', '--sign', 'key.pem'], { cwd: pkg.root });
    expect(inside.stderr).toContain('where agents may read it');
    await using folder = await temporaryFolder();
    const other = await writeKeys(folder.path);
    const both = await aam(['eval', '--evidence', other.key, '--sign', other.key], { cwd: pkg.root });
    expect([both.code, both.stderr]).toEqual([
      2,
      `error: the archive would replace the signing key ${other.key}\n`,
    ]);
    expect(await readFile(other.key, 'utf8')).toContain('BEGIN PRIVATE KEY');
    expect(await readFile(key, 'utf8')).toContain('BEGIN PRIVATE KEY');
  });
});

it('a key may come from a pipe, so that it need not lie on a disk', async () => {
  await using pkg = await writePackage(OWN);
  await using folder = await temporaryFolder();
  const { key, pub } = await writeKeys(folder.path);
  const file = join(folder.path, 'e.tar.gz');
  const line = `"$0" "$1" eval a --no-judge --evidence "$2" --sign <(cat "$3")`;
  const run = await exec('bash', ['-c', `${line} || true`, process.execPath, AAM, file, key], {
    cwd: pkg.root,
  });
  expect(run.stderr).toBe('');
  expect((await aam(['evidence', 'verify', file, '--key', pub])).code).toBe(0);
});

describe('aam evidence verify', () => {
  async function written(root: string, folder: string): Promise<string> {
    const file = join(folder, 'run.tar.gz');
    await runOwnAgent(root, ['a', '--evidence', file]);
    return file;
  }

  it('tells what it found for machines, and writes nothing', async () => {
    await using pkg = await writePackage(OWN);
    await using folder = await temporaryFolder();
    await using empty = await temporaryFolder();
    const file = await written(pkg.root, folder.path);
    const { key, pub } = await writeKeys(folder.path);
    const before = await Promise.all([readdir(folder.path), readFile(file)]);
    const settings = { cwd: empty.path, env: { TMPDIR: empty.path, HOME: empty.path } };
    const { code, stdout } = await aam(['evidence', 'verify', file, '--json', '--key', pub], settings);
    expect(code).toBe(1);
    const unsigned = 'it is not signed, so nothing shows that it comes from the given key';
    expect(evidenceCheck.parse(JSON.parse(stdout))).toMatchObject({
      ok: false,
      file,
      entries: 8,
      signature: { state: 'none', fingerprint: null },
      problems: [{ kind: 'signature', entry: null, message: unsigned }],
    });
    expect(await Promise.all([readdir(folder.path), readFile(file)])).toEqual(before);
    expect(await readdir(empty.path)).toEqual([]);
    expect((await aam(['evidence', 'verify', file, '--key', key], settings)).stderr).toBe(
      `error: ${key} is a private key: --key takes the public one, which you can give away\n  get it:  openssl pkey -in ${key} -pubout -out public.pem\n`,
    );
  });

  it('ends with 1 for what is damaged and with 2 for what cannot be read', async () => {
    await using pkg = await writePackage(OWN);
    await using folder = await temporaryFolder();
    const file = await written(pkg.root, folder.path);
    const bytes = await readFile(file);
    const verify = async (content: Buffer | string) => {
      await writeFile(join(folder.path, 'x'), content);
      const { code, stdout, stderr } = await aam(['evidence', 'verify', 'x'], { cwd: folder.path });
      return [code, (stdout + stderr).replaceAll(folder.path, 'FOLDER')];
    };
    expect(await verify(bytes.subarray(0, -100))).toEqual([1, '✗ it is cut off\n\nx is not proven\n']);
    expect(await verify(Buffer.concat([bytes, Buffer.from('more')]))).toEqual([
      1,
      '✗ something stands after the end of the compressed data\n\nx is not proven\n',
    ]);
    expect(await verify('no archive')).toEqual([
      2,
      'error: FOLDER/x is no evidence archive that aam can read: it is not a gzip file\n',
    ]);
    await rm(join(folder.path, 'x'));
    await exec('mkfifo', [join(folder.path, 'x')]);
    const read = (name: string) => aam(['evidence', 'verify', name], { cwd: folder.path });
    expect(await read('x')).toMatchObject({ code: 2, stderr: `error: ${folder.path}/x is not a file\n` });
    expect(await read('.')).toMatchObject({ code: 2, stderr: `error: ${folder.path} is not a file\n` });
    expect(await read('/dev/zero')).toMatchObject({ code: 2, stderr: 'error: /dev/zero is not a file\n' });
    expect(await read('none')).toMatchObject({ code: 2 });
  });

  it('refuses a bomb and names that act on a terminal', async () => {
    await using folder = await temporaryFolder();
    const read = async (tar: Buffer) => {
      await writeFile(join(folder.path, 'x'), gzipped(tar, { comment: REPORT_MARK }));
      const { code, stdout, stderr } = await aam(['evidence', 'verify', 'x'], { cwd: folder.path });
      return [code, (stdout + stderr).replaceAll(folder.path, 'FOLDER')];
    };
    const gigabyte = `${(2 ** 30).toString(8).padStart(11, '0')}\0`;
    expect(await read(Buffer.concat([header({ name: 'report.json', size: gigabyte }), END]))).toEqual([
      2,
      'error: FOLDER/x is no evidence archive that aam can read: report.json is larger than 268435456 bytes\n',
    ]);
    expect(await read(Buffer.concat([entry('\x1b[2Ja\n✓ proven'), END]))).toEqual([
      1,
      '✗ the name ␛[2Ja␊✓ proven has a control character\n\nx is not proven\n',
    ]);
  });
});
