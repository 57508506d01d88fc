/** The tests of the queue need redis-server. Where it is missing it is installed, if that is allowed; else they are left out. */
import { spawnSync } from 'node:child_process';
import process from 'node:process';

const HOW = 'apt-get install redis-server';
const MAX_MS = 180_000;

if (!runs('redis-server', ['--version'])) {
  const mayInstall = process.getuid?.() === 0 && runs('apt-get', ['--version']);
  const isThere =
    mayInstall &&
    (install() || (runs('apt-get', ['update', '-qq']) && install())) &&
    runs('redis-server', ['--version']);
  console.log(
    isThere
      ? 'redis-server was installed for the tests of the queue'
      : `there is no redis-server, so that the tests of the queue are left out; to run them:  ${HOW}`,
  );
}

function install() {
  return runs('apt-get', ['install', '-qq', '-y', '--no-install-recommends', 'redis-server']);
}

function runs(program, args) {
  // No service is to be started by the installation.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return spawnSync(program, args, { env, stdio: 'ignore', timeout: MAX_MS }).status === 0;
}
