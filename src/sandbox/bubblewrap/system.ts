/** The parts of the host every sandbox gets to see, read-only: programs, libraries, a small /etc. */
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Host } from '../../model/host.ts';

export const HOME = '/home/agent';

/** bwrap arguments that mount the system. */
export function systemArguments(etcDir: string): string[] {
  const args = ['--ro-bind', '/usr', '/usr'];
  for (const path of ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']) {
    if (!existsSync(path)) continue;
    if (lstatSync(path).isSymbolicLink()) args.push('--symlink', readlinkSync(path), path);
    else args.push('--ro-bind', path, path);
  }
  args.push('--ro-bind', etcDir, '/etc');
  // Hundreds of links: mounting them costs less than copying them.
  if (existsSync(ALTERNATIVES)) args.push('--ro-bind', ALTERNATIVES, ALTERNATIVES);
  return [...args, '--dir', '/run', '--dir', '/var'];
}

/** Mounts the other programs of PATH. They may lie below a folder in memory, so this comes after those. */
export function toolArguments(host: Host): string[] {
  const tools = toolRoots(host);
  const temporary = tools.some((path) => path.startsWith('/var/tmp'))
    ? []
    : ['--symlink', '/tmp', '/var/tmp'];
  return [...temporary, ...tools.flatMap((path) => ['--ro-bind', path, path])];
}

/** The host's PATH, without the folders that the sandbox does not have. */
export function sandboxPath(host: Host): string {
  const roots = ['/usr', '/bin', '/sbin', ...toolRoots(host)];
  const visible = pathFolders(host).filter((dir) =>
    roots.some((root) => dir === root || dir.startsWith(`${root}/`)),
  );
  return [...new Set([...visible, '/usr/local/bin', '/usr/bin', '/bin'])].join(':');
}

/** Folders in HOME that hold nothing but installed programs. Others (~/.cargo, ~/.local) hold credentials too. */
const VERSION_MANAGERS = new Set([
  '.pyenv',
  '.rbenv',
  '.nodenv',
  '.asdf',
  '.volta',
  '.jenv',
  '.goenv',
  '.plenv',
]);

/**
 * Where the programs of PATH live when that is not /usr: version managers below HOME, /opt, /nix.
 * The folder above a `bin` is taken with it, for the libraries beside it, unless it may hold more than programs.
 */
function toolRoots(host: Host): string[] {
  const elsewhere = pathFolders(host).filter(
    (dir) => !OWN_FOLDERS.test(`${dir}/`) && !dir.includes('/node_modules/') && existsSync(dir),
  );
  const roots = elsewhere.flatMap((dir) => {
    if (dir.startsWith('/nix/')) return ['/nix/store', dir];
    const above = dirname(dir);
    const inHome = dirname(above) === host.home && !VERSION_MANAGERS.has(basename(above));
    const tooWide = inHome || above === host.home || above === '/' || above === '/home';
    return ['bin', 'sbin', 'shims'].includes(basename(dir)) && !tooWide ? [above] : [dir];
  });
  const tooOpen = new Set(['/', '/home', '/root', host.home, realpath(host.home)]);
  const kept = [...new Set(roots)].filter((dir) => !tooOpen.has(dir));
  return kept.filter((dir) => !kept.some((other) => other !== dir && dir.startsWith(`${other}/`)));
}

/** Folders that the sandbox has of its own, or mounts anyway. */
const OWN_FOLDERS = /^\/(?:usr|bin|sbin|etc|dev|proc|sys|package|home\/agent)\//;

function pathFolders(host: Host): string[] {
  return (host.env['PATH'] ?? '').split(delimiter).filter((dir) => dir.startsWith('/'));
}

function realpath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Settings that programs need to start. Nothing here is a secret, a host name or a user of this machine. */
const ETC_COPIED = [
  'fonts',
  'java-11-openjdk',
  'java-17-openjdk',
  'java-21-openjdk',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'magic',
  'mime.types',
  'os-release',
  'perl',
  'protocols',
  'python3',
  'services',
  'terminfo',
];

const ALTERNATIVES = '/etc/alternatives';

/** With network: what name resolution and TLS need. */
const ETC_NETWORK = [
  '/etc/resolv.conf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/ca-certificates',
  '/etc/pki',
];

/** Writes the /etc of the sandbox, once for all its runs. */
export function writeEtc(dir: string): void {
  mkdirSync(join(dir, 'alternatives'), { recursive: true });
  const { uid, gid } = userInfo();
  const users = uid === 0 ? '' : 'root:x:0:0:root:/root:/bin/sh\n';
  const groups = gid === 0 ? '' : 'root:x:0:\n';
  writeFileSync(
    join(dir, 'passwd'),
    `${users}agent:x:${uid}:${gid}:agent:${HOME}:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`,
  );
  writeFileSync(join(dir, 'group'), `${groups}agent:x:${gid}:\nnogroup:x:65534:\n`);
  writeFileSync(join(dir, 'hosts'), '127.0.0.1 localhost\n::1 localhost\n');
  writeFileSync(join(dir, 'nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  for (const name of ETC_COPIED) {
    const from = join('/etc', name);
    if (existsSync(from)) copySync(from, join(dir, name));
  }
  for (const path of ETC_NETWORK) {
    if (!existsSync(path)) continue;
    const target = join(dir, path.slice('/etc/'.length));
    if (lstatSync(realpathSync(path)).isDirectory()) mkdirSync(target, { recursive: true });
    else {
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, '');
    }
  }
}

/** Links stay links. `cpSync` takes ten times as long for small trees. */
function copySync(from: string, to: string): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stats.isFile()) copyFileSync(from, to);
  else if (stats.isDirectory()) {
    mkdirSync(to);
    for (const name of readdirSync(from)) copySync(join(from, name), join(to, name));
  }
}

export function networkArguments(): string[] {
  return ETC_NETWORK.filter((path) => existsSync(path)).flatMap((path) => [
    '--ro-bind',
    realpathSync(path),
    path,
  ]);
}
