/** A queue that is protected as docs/fleet.md says: TLS with a private authority, and a user with only the rights that are needed. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { which } from '../../src/host/programs.ts';
import { evalReport } from '../../src/model/report.ts';
import { aam } from '../helpers/cli.ts';
import { numberedSkill, startWorker } from '../helpers/fleet.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { findRedis, NO_REDIS, startRedis } from '../helpers/redis.ts';

const OPENSSL = 'openssl';
const hasOpenssl = which(OPENSSL, process.env) !== null;
if (findRedis() === null) console.warn(NO_REDIS);
else if (!hasOpenssl) console.warn('skipped the test of TLS: there is no openssl on PATH');

const PASSWORD = 'fake-password-of-a-test';
const RIGHTS = ['~aam:*', '&aam:*', '+@all', '-@dangerous', '+info'];

/** For `localhost`, for a day. */
function makeCertificate(folder: string) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate, '-days', '1', ...names];
  execFileSync(OPENSSL, ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files], { stdio: 'ignore' });
  return { key, certificate };
}

describe.skipIf(findRedis() === null || !hasOpenssl)('a queue with TLS and rights', () => {
  it('serves those who know its authority and its password, and nobody else', async () => {
    await using folder = await temporaryFolder();
    const { key, certificate } = makeCertificate(folder.path);
    await using server = await startRedis((port) => [
      ...['--port', '0', '--tls-port', `${port}`, '--tls-auth-clients', 'no'],
      ...['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate],
      ...['--user', 'aam', 'on', `>${PASSWORD}`, ...RIGHTS, '--user', 'default', 'off'],
    ]);
    const address = (word: string) => `rediss://aam:${word}@localhost:${server.options.port}`;
    const trusting = { NODE_EXTRA_CA_CERTS: certificate, TMPDIR: folder.path };
    const url = address(PASSWORD);
    const worker = await startWorker(url, ['-j', '2'], trusting);
    try {
      await using pkg = await writePackage(numberedSkill({ cases: 5, agent: 'echo "number $1"' }));
      const run = (queue: string, env: NodeJS.ProcessEnv) =>
        aam(['eval', 'evals/evals.json', '--no-judge', '--json', '--queue', queue], { cwd: pkg.root, env });
      const { stdout, stderr, code } = await run(url, trusting);
      expect(stderr).not.toContain(PASSWORD);
      expect(evalReport.parse(JSON.parse(stdout)).summary).toMatchObject({ total: 5, passed: 5 });
      expect(code).toBe(0);
      const status = await aam(['queue', 'status', '--queue', url], { env: trusting });
      expect(status.stdout).toContain('1 worker for 2 agents at a time');

      const stranger = await run(url, { TMPDIR: folder.path });
      expect(stranger.code).toBe(2);
      expect(stranger.stderr).toMatch(/cannot be reached: .*certificate/);
      const guessed = await run(address('fake-guess'), trusting);
      expect(guessed.code).toBe(2);
      expect(guessed.stderr).toMatch(/cannot be reached: .*WRONGPASS/);
      const open = await run(`redis://localhost:${server.options.port}`, trusting);
      expect(open.code).toBe(2);
      for (const { stdout: said, stderr: complained } of [stranger, guessed, open])
        expect(said + complained).not.toMatch(/fake-/);
    } finally {
      await worker.end();
    }
  });
});
