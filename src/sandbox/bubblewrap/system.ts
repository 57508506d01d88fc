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
import { basename, delimiter, dirname, join, normalize } from 'node:path';
import { getgid, getuid } from 'node:process';
import type { Host } from '../../model/host.ts';

export const HOME = '/home/agent';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** bwrap arguments that mount the system. */
export function systemArguments(etcDir: string): string[] {
  const args: string[] = [];
  for (const path of SYSTEM) {
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

/** Folders of the host that are there under their own path, all of what is in them. */
export function shownFolders(host: Host): string[] {
  const own = SYSTEM.filter((path) => existsSync(path) && !lstatSync(path).isSymbolicLink());
  return [...own, ...toolRoots(host)];
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
const VERSION_MANAGERS = /^\.(?:pyenv|rbenv|nodenv|asdf|volta|jenv|goenv|plenv|nvm|fnm|sdkman|mise)$/;

/**
 * Where the programs of PATH live when that is not /usr: version managers in HOME, /opt, /nix, elsewhere.
 * Of a version manager and of /opt the folder above a `bin` is taken, for the libraries beside it; of all others only
 * the folder itself, since beside it may lie anything.
 */
function toolRoots(host: Host): string[] {
  const home = realpath(host.home);
  const roots = pathFolders(host)
    .filter((dir) => !OWN_FOLDERS.test(`${dir}/`) && !dir.includes('/node_modules/') && existsSync(dir))
    .flatMap((dir) => (dir.startsWith('/nix/') ? ['/nix/store', dir] : [withLibraries(dir, home)]));
  const tooOpen = new Set(['/', '/home', '/root', '/tmp', '/var', '/var/tmp', '/run', '/srv', '/mnt', home]);
  const kept = [...new Set(roots)].filter((dir) => !tooOpen.has(dir) && !home.startsWith(`${dir}/`));
  return kept.filter((dir) => !kept.some((other) => other !== dir && dir.startsWith(`${other}/`)));
}

function withLibraries(dir: string, home: string): string {
  const [manager = '', ...inside] = dir.startsWith(`${home}/`) ? dir.slice(home.length + 1).split('/') : [];
  const isKnown = (VERSION_MANAGERS.test(manager) && inside.length > 0) || /^\/opt\/[^/]+\//.test(dir);
  return isKnown && ['bin', 'sbin', 'shims'].includes(basename(dir)) ? dirname(dir) : dir;
}

/** Folders that the sandbox has of its own, or mounts anyway. */
const OWN_FOLDERS = /^\/(?:usr|bin|sbin|etc|dev|proc|sys|package|aam|workspace|agent|home\/agent)\//;

/** Without `//`, `..` and a slash at the end: what is compared must be spelled alike. */
export function pathFolders(host: Host): string[] {
  const folders = (host.env['PATH'] ?? '').split(delimiter).filter((dir) => dir.startsWith('/'));
  return folders.map((dir) => normalize(dir).replace(/(.)\/+$/, '$1'));
}

function realpath(path: string): string {
  return existsSync(path) ? realpathSync(path) : normalize(path);
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
  // Not by name: in a container the user may have none.
  const [uid, gid] = [getuid?.() ?? 0, getgid?.() ?? 0];
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
