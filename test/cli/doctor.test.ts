import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { type DoctorReport, doctorReport } from '../../src/model/doctor-report.ts';
import { runDoctor } from '../../src/pipeline/doctor.ts';
import { processesWith } from '../helpers/processes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const [NPM_CPU, TRIPLE] = arch() === 'arm64' ? ['arm64', 'aarch64'] : ['x64', 'x86_64'];
const CODEX_VENDOR = join(MODULES, `@openai/codex-linux-${NPM_CPU}/vendor/${TRIPLE}-unknown-linux-musl`);
const CLAUDE = `@anthropic-ai/claude-code-linux-${NPM_CPU}/claude`;

const folders: string[] = [];
afterAll(() => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

function folder(files: Record<string, string> = {}, parent = tmpdir()): string {
  const dir = mkdtempSync(join(parent, 'aam-doctor-'));
  folders.push(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text, { mode: 0o755 });
  }
  return dir;
}

/** Codex leaves alone a home below the folder for temporary files; to see what it writes, homes are elsewhere. */
function homeFolder(files: Record<string, string> = {}): string {
  return folder(files, '/var/tmp');
}

interface Options {
  readonly env?: Record<string, string>;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly install?: string;
}

/** A machine with nothing on PATH and nothing in HOME, but what the test adds. */
function start({ env = {}, args = [], cwd = folder(), install = ROOT }: Options): ChildProcess {
  return spawn(process.execPath, [join(install, 'bin/aam'), 'doctor', ...args], {
    cwd,
    env: { HOME: homeFolder(), PATH: folder(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ChildProcess) {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  const code = await new Promise<number | null>((settle) => child.on('close', settle));
  return { code, stdout, stderr };
}

const doctor = (options: Options) => ended(start(options));

/** Both ways of printing. */
async function findings(options: Options) {
  const [plain, json] = await Promise.all([doctor(options), reported(options)]);
  expect(plain.stderr).toBe('');
  expect(plain.code).toBe(json.code);
  return { report: json.report, plain: plain.stdout, all: plain.stdout + json.stdout };
}

async function reported(options: Options) {
  const { code, stdout, stderr } = await doctor({ ...options, args: ['--json'] });
  expect(stderr).toBe('');
  const report = doctorReport.strict().parse(JSON.parse(stdout));
  expect(code).toBe(report.ok ? 0 : 1);
  return { code, stdout, report };
}

function check({ checks }: DoctorReport, id: string) {
  return checks.find((it) => it.id === id);
}

/** Every path below a folder, with its content. */
function tree(dir: string): Record<string, string> {
  const entries = readdirSync(dir, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    entries.map((it) => {
      const path = join(it.parentPath, it.name);
      return [path, it.isFile() ? readFileSync(path, 'utf8') : 'folder'];
    }),
  );
}

test('a machine without any login: what is there, and the command for what is not', async () => {
  const home = homeFolder();
  const { report, plain } = await findings({ env: { HOME: home } });
  expect(Object.fromEntries(report.checks.map(({ id, state }) => [id, state]))).toMatchInlineSnapshot(`
    {
      "ANTHROPIC_API_KEY": "optional",
      "ANTHROPIC_AUTH_TOKEN": "optional",
      "ANTHROPIC_BASE_URL": "optional",
      "CLAUDE_CODE_OAUTH_TOKEN": "optional",
      "CODEX_API_KEY": "optional",
      "GEMINI_API_KEY": "optional",
      "GOOGLE_API_KEY": "optional",
      "GOOGLE_GENERATIVE_AI_API_KEY": "optional",
      "OPENAI_API_KEY": "optional",
      "OPENAI_BASE_URL": "optional",
      "aam": "ok",
      "claude-code": "ok",
      "claude-code-login": "missing",
      "codex": "ok",
      "codex-login": "missing",
      "git": "optional",
      "node": "ok",
      "sandbox": "ok",
      "system": "ok",
    }
  `);
  expect(report.ready).toEqual({ test: true, eval: [] });
  expect(check(report, 'claude-code-login')).toEqual({
    id: 'claude-code-login',
    state: 'missing',
    summary: 'not logged in',
    fix: `${join(MODULES, CLAUDE)}, then /login\nor: export ANTHROPIC_API_KEY=…`,
  });
  expect(check(report, 'codex-login')).toEqual({
    id: 'codex-login',
    state: 'missing',
    summary: 'not logged in',
    fix: `${CODEX_VENDOR}/bin/codex login\nor: export OPENAI_API_KEY=…`,
  });
  expect(check(report, 'claude-code')?.summary).toContain(`from node_modules (${join(MODULES, CLAUDE)})`);
  expect(check(report, 'claude-code')?.summary).toMatch(/^2\.\d+\.\d+ /);
  expect(check(report, 'codex')?.summary).toMatch(/^0\.\d+\.\d+ from node_modules /);
  expect(plain.split('\n').slice(-3).join('\n')).toMatchInlineSnapshot(`
    "aam test: ready
    aam eval: not ready: claude-code-login: not logged in; codex-login: not logged in
    "
  `);
  expect(tree(home)).toEqual({});
});

test('without bubblewrap on PATH, the one that Codex carries is started', async () => {
  const { report } = await reported({});
  expect(check(report, 'sandbox')).toEqual({
    id: 'sandbox',
    state: 'ok',
    summary: `bubblewrap built for Codex from codex package (${CODEX_VENDOR}/codex-resources/bwrap), starts a sandbox`,
  });
});

test('bubblewrap on PATH comes first', async () => {
  const path = folder();
  symlinkSync(join(CODEX_VENDOR, 'codex-resources/bwrap'), join(path, 'bwrap'));
  const { report } = await reported({ env: { PATH: path } });
  expect(check(report, 'sandbox')?.summary).toContain(`from PATH (${path}/bwrap)`);
});

test('a bubblewrap that cannot start a sandbox: neither test nor eval is ready', async () => {
  const env = { AAM_BWRAP_BIN: '/bin/false', ANTHROPIC_API_KEY: 'sk-fake-for-tests' };
  const { report, plain } = await findings({ env });
  expect(report.ready).toEqual({ test: false, eval: [] });
  expect(check(report, 'sandbox')?.state).toBe('problem');
  expect(check(report, 'sandbox')?.fix).toMatch(/^unset AAM_BWRAP_BIN\n.*sysctl/);
  expect(check(report, 'claude-code-login')?.state).toBe('ok');
  expect(plain).toContain('  unset AAM_BWRAP_BIN\n');
  expect(plain.split('\n').slice(-3).join('\n')).toMatchInlineSnapshot(`
    "aam test: not ready: sandbox: bubblewrap (/bin/false) cannot start a sandbox: bubblewrap ended without a word
    aam eval: not ready: it needs what aam test needs
    "
  `);
});

test('keys are told by name, never by value', async () => {
  const env = {
    ANTHROPIC_API_KEY: 'sk-fake-for-tests-1',
    ANTHROPIC_AUTH_TOKEN: 'sk-fake-for-tests-2',
    CLAUDE_CODE_OAUTH_TOKEN: 'sk-fake-for-tests-3',
    OPENAI_API_KEY: 'sk-fake-for-tests-4',
    CODEX_API_KEY: 'sk-fake-for-tests-5',
    GEMINI_API_KEY: 'sk-fake-for-tests-6',
    GOOGLE_API_KEY: 'sk-fake-for-tests-8',
    GOOGLE_GENERATIVE_AI_API_KEY: 'sk-fake-for-tests-7',
  };
  const { report, plain, all } = await findings({ env });
  expect(all).not.toContain('sk-fake');
  for (const id of Object.keys(env)) expect(check(report, id)).toEqual({ id, state: 'ok', summary: 'set' });
  expect(check(report, 'claude-code-login')?.summary).toBe('API key from ANTHROPIC_API_KEY');
  expect(check(report, 'codex-login')?.summary).toBe('API key from CODEX_API_KEY');
  expect(report.ready).toEqual({ test: true, eval: ['claude-code', 'codex'] });
  expect(plain).toContain('aam test: ready\naam eval: ready with claude-code, codex\n');
});

test('one engine with a key is enough', async () => {
  const { report, plain } = await findings({ env: { OPENAI_API_KEY: 'sk-fake-for-tests' } });
  expect(report.ok).toBe(true);
  expect(plain).toContain('aam eval: ready with codex\n');
});

test('a key of blanks is a problem, not a key', async () => {
  const { report, plain } = await findings({ env: { ANTHROPIC_API_KEY: ' \n', OPENAI_API_KEY: '' } });
  expect(check(report, 'ANTHROPIC_API_KEY')).toMatchInlineSnapshot(`
    {
      "fix": "unset ANTHROPIC_API_KEY",
      "id": "ANTHROPIC_API_KEY",
      "state": "problem",
      "summary": "set but empty",
    }
  `);
  expect(check(report, 'OPENAI_API_KEY')?.summary).toBe('set but empty');
  expect(check(report, 'claude-code-login')?.summary).toBe('not logged in');
  expect(report.ready.eval).toEqual([]);
  expect(plain).toContain('unset ANTHROPIC_API_KEY');
});

test('a Claude subscription is told by its kind, and its expired token is left alone', async () => {
  const home = homeFolder({
    '.claude/.credentials.json': JSON.stringify({
      claudeAiOauth: {
        accessToken: 'sk-fake-for-tests',
        refreshToken: 'sk-fake-for-tests',
        expiresAt: 1_000_000_000_000,
        scopes: ['user:inference', 'user:profile'],
        subscriptionType: 'max',
      },
    }),
    '.claude.json': JSON.stringify({
      oauthAccount: {
        emailAddress: 'someone@example.com',
        organizationName: 'Example Org',
        accountUuid: 'acc-1',
      },
    }),
  });
  const before = tree(home);
  const { report, all } = await findings({ env: { HOME: home } });
  expect(check(report, 'claude-code-login')).toEqual({
    id: 'claude-code-login',
    state: 'ok',
    summary: 'logged in with a Claude subscription (max)',
  });
  expect(report.ready.eval).toEqual(['claude-code']);
  expect(all).not.toMatch(/sk-fake|someone@|Example Org|acc-1/);
  expect(tree(home)).toEqual(before);
});

test('other logins of Claude Code', async () => {
  const login = async (files: Record<string, string>, env: Record<string, string> = {}) =>
    check((await reported({ env: { HOME: homeFolder(files), ...env } })).report, 'claude-code-login');
  const [stored, helper, cloud] = await Promise.all([
    login({ '.claude.json': '{"primaryApiKey":"sk-fake-for-tests"}' }),
    login({ '.claude/settings.json': '{"apiKeyHelper":"echo sk-fake-for-tests"}' }),
    login({}, { CLAUDE_CODE_USE_BEDROCK: '1' }),
  ]);
  expect(stored?.summary).toBe('logged in with an API key that /login made');
  expect(helper).toMatchObject({
    state: 'problem',
    summary: expect.stringContaining('set ANTHROPIC_API_KEY'),
  });
  expect(cloud?.state).toBe('problem');
});

test('logins of Codex, which prints parts of the key', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'none' })}.${part({ email: 'someone@example.com' })}.sig`;
  const byKey = homeFolder({ '.codex/auth.json': '{"OPENAI_API_KEY":"sk-fake-for-tests-0123456789"}' });
  const byChatGpt = homeFolder({
    '.codex/auth.json': JSON.stringify({
      tokens: { id_token: token, access_token: token, refresh_token: 'r', account_id: 'acc-1' },
      last_refresh: '2020-01-01T00:00:00Z',
    }),
  });
  const broken = homeFolder({ '.codex/config.toml': 'oops = [' });
  const before = [byKey, byChatGpt].map(tree);
  const [key, chatGpt, unknown] = await Promise.all(
    [byKey, byChatGpt, broken].map((HOME) => findings({ env: { HOME } })),
  );
  expect(key?.all).not.toContain('sk-fake');
  expect(check(key?.report as DoctorReport, 'codex-login')?.summary).toBe(
    'logged in with an API key that codex login saved',
  );
  expect(chatGpt?.all).not.toMatch(/someone@|acc-1/);
  expect(check(chatGpt?.report as DoctorReport, 'codex-login')?.summary).toBe('logged in with ChatGPT');
  expect(check(unknown?.report as DoctorReport, 'codex-login')).toEqual({
    id: 'codex-login',
    state: 'problem',
    summary: 'its login is unknown: codex login status failed with exit code 1',
    fix: `see what it says: ${CODEX_VENDOR}/bin/codex login status`,
  });
  expect([byKey, byChatGpt].map(tree)).toEqual(before);
});

test('of a base URL only scheme, host and port are shown', async () => {
  const env = {
    OPENAI_API_KEY: 'sk-fake-for-tests',
    ANTHROPIC_API_KEY: 'sk-fake-for-tests',
    ANTHROPIC_BASE_URL: 'https://user:hunter2@proxy.example:8443/secret-path?token=hunter3#hunter4',
    OPENAI_BASE_URL: 'user:hunter5@proxy.example',
  };
  const { report, plain, all } = await findings({ env });
  expect(check(report, 'ANTHROPIC_BASE_URL')?.summary).toBe('https://proxy.example:8443');
  expect(check(report, 'OPENAI_BASE_URL')).toMatchInlineSnapshot(`
    {
      "fix": "export OPENAI_BASE_URL=https://api.openai.com/v1
    or: unset OPENAI_BASE_URL",
      "id": "OPENAI_BASE_URL",
      "state": "problem",
      "summary": "not a URL that starts with http:// or https://",
    }
  `);
  expect(all).not.toMatch(/hunter|user:|secret-path/);
  expect(plain).toContain('aam eval: ready with claude-code\n');
});

test('an engine that was named wrongly is told, not passed over', async () => {
  const { report } = await reported({
    env: { AAM_CLAUDE_BIN: '/nowhere/claude', AAM_CODEX_BIN: '/bin/false' },
  });
  expect(check(report, 'claude-code')).toMatchInlineSnapshot(`
    {
      "fix": "unset AAM_CLAUDE_BIN
    or: npm install -g @anthropic-ai/claude-code",
      "id": "claude-code",
      "state": "problem",
      "summary": "from AAM_CLAUDE_BIN (/nowhere/claude): no program is there",
    }
  `);
  expect(check(report, 'codex')).toMatchInlineSnapshot(`
    {
      "fix": "unset AAM_CODEX_BIN
    or: npm install -g @openai/codex",
      "id": "codex",
      "state": "problem",
      "summary": "from AAM_CODEX_BIN (/bin/false): --version failed with exit code 1",
    }
  `);
  expect(check(report, 'claude-code-login')).toBeUndefined();
});

test('engines on PATH come before node_modules, and the launcher of npm is passed by', async () => {
  const path = folder({ claude: '#!/bin/sh\necho "9.8.7 (Claude Code)"\n' });
  symlinkSync(join(MODULES, '@openai/codex/bin/codex.js'), join(path, 'codex'));
  const { report } = await reported({ env: { PATH: path } });
  expect(check(report, 'claude-code')?.summary).toBe(`9.8.7 from PATH (${path}/claude)`);
  expect(check(report, 'claude-code-login')).toMatchObject({
    state: 'problem',
    summary: expect.stringContaining('claude auth status --json gave an answer that aam does not understand'),
    fix: 'see what it says: claude auth status --json',
  });
  expect(check(report, 'codex')?.summary).toContain(`from PATH (${CODEX_VENDOR}/bin/codex)`);
  expect(check(report, 'codex-login')?.fix).toMatch(/^codex login\n/);
});

test('a program that needs to write is run again as it is', async () => {
  const claude = '#!/bin/sh\necho x > "$HOME/state" || exit 1\necho 9.8.7\n';
  const { report } = await reported({ env: { PATH: folder({ claude }) } });
  expect(check(report, 'claude-code')?.summary).toMatch(/^9\.8\.7 from PATH/);
});

/** aam with its dependencies, but without Claude Code and Codex. */
function bareInstall(): string {
  const dir = folder();
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  mkdirSync(join(dir, 'node_modules'));
  for (const name of readdirSync(MODULES)) {
    if (!/^(\.|@anthropic-ai$|@openai$)/.test(name))
      symlinkSync(join(MODULES, name), join(dir, 'node_modules', name));
  }
  return dir;
}

test('engines and bubblewrap that are nowhere, with how to install them; the working folder is not searched', async () => {
  const cwd = folder({
    [`node_modules/${CLAUDE}`]: '#!/bin/sh\necho 6.6.6\n',
    claude: '#!/bin/sh\necho 6.6.6\n',
    '.claude/settings.json': '{"apiKeyHelper":"echo sk-fake-for-tests"}',
  });
  const { report, plain, all } = await findings({
    install: bareInstall(),
    cwd,
    env: { PATH: `${folder()}:.:` },
  });
  expect(check(report, 'claude-code')).toMatchInlineSnapshot(`
    {
      "fix": "npm install -g @anthropic-ai/claude-code",
      "id": "claude-code",
      "state": "missing",
      "summary": "not found",
    }
  `);
  expect(check(report, 'codex')).toMatchInlineSnapshot(`
    {
      "fix": "npm install -g @openai/codex",
      "id": "codex",
      "state": "missing",
      "summary": "not found",
    }
  `);
  expect(check(report, 'sandbox')).toMatchInlineSnapshot(`
    {
      "fix": "install it:  apt-get install bubblewrap   (or dnf, pacman, apk)
    or install Codex, which carries one:  npm install -g @openai/codex
    or run without isolation:  --sandbox none",
      "id": "sandbox",
      "state": "missing",
      "summary": "bubblewrap was not found, so nothing can be isolated",
    }
  `);
  expect(check(report, 'git')?.state).toBe('optional');
  expect(all).not.toContain('6.6.6');
  expect(plain).toContain('npm install -g @openai/codex');
});

test('settings of the working folder do not count as a login', async () => {
  const cwd = folder({ '.claude/settings.json': '{"apiKeyHelper":"echo sk-fake-for-tests"}' });
  const { report } = await reported({ cwd });
  expect(check(report, 'claude-code-login')?.summary).toBe('not logged in');
});

describe.each(['in the sandbox', 'without one'])('programs that hang, %s', (where) => {
  const marker = `9${process.pid}${where.length}`;
  const hanging = () => processesWith(`sleep ${marker}`);

  function ask(timeoutMs: number, signal = new AbortController().signal) {
    const hang = `#!/bin/sh\n/bin/sleep ${marker} &\nwait\n`;
    const env = {
      HOME: homeFolder(),
      PATH: folder({ claude: hang, codex: hang, git: hang }),
      ...(where === 'without one' && { AAM_BWRAP_BIN: '/bin/false' }),
    };
    return runDoctor({ host: { env, cwd: '/', home: env.HOME }, version: '0.0.0', signal, timeoutMs });
  }

  test('are ended', async () => {
    const report = await ask(1500);
    expect(check(report, 'claude-code')?.summary).toMatch(
      /--version did not end within 1\.\d s and was killed$/,
    );
    expect(check(report, 'codex')?.state).toBe('problem');
    expect(check(report, 'git')?.state).toBe('problem');
    await expect.poll(hanging).toEqual([]);
  });

  test('are asked all at once', async () => {
    const abort = new AbortController();
    const asked = ask(60_000, abort.signal).catch(() => null);
    // Of one program after the other there would be two at most: its version and its login.
    try {
      await expect.poll(() => hanging().length).toBeGreaterThan(2);
    } finally {
      abort.abort();
      await asked;
    }
    await expect.poll(hanging).toEqual([]);
  });
});

test('a program that floods its output does not fill the memory', async () => {
  const claude = '#!/bin/sh\necho 9.8.7\nexec /usr/bin/head -c 50000000 /dev/zero\n';
  const { report, all } = await findings({ env: { PATH: folder({ claude }) } });
  expect(check(report, 'claude-code')?.summary).toMatch(/^9\.8\.7 from PATH/);
  expect(all.length).toBeLessThan(20_000);
});

test('Ctrl-C ends it, and what it started', async () => {
  const marker = `9${process.pid}99`;
  const dir = folder({ claude: `#!/bin/sh\n/bin/sleep ${marker}\n` });
  const child = start({ env: { PATH: dir } });
  const end = ended(child);
  while (processesWith(`sleep ${marker}`).length === 0) await sleep(20);
  child.kill('SIGINT');
  expect(await end).toEqual({ code: 130, stdout: '', stderr: '' });
  await expect.poll(() => processesWith(`sleep ${marker}`)).toEqual([]);
});

test('a flag that does not exist is the only way to exit code 2', async () => {
  const { code, stderr } = await doctor({ args: ['--jsn'] });
  expect(code).toBe(2);
  expect(stderr).toContain('--jsn');
});

test('a missing folder for temporary files is told', async () => {
  const { report } = await reported({ env: { TMPDIR: join(tmpdir(), 'aam-nowhere') } });
  expect(check(report, 'sandbox')).toMatchObject({
    state: 'problem',
    fix: expect.stringContaining('TMPDIR'),
  });
  expect(report.ready.test).toBe(false);
});
