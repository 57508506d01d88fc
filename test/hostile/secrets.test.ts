/** Fake keys in every place there is; then everything that a run leaves behind is searched for them. */
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, type TestContext } from 'vitest';
import { aam } from '../helpers/cli.ts';
import { evalCase, HOST_KEY, judgeSays, modelEnv, PACKAGE, shell, withOwnAgent } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { modelServer } from '../helpers/model-server.ts';
import { type Files, writePackage } from '../helpers/package.ts';
import { attempted, leaked } from './attempts.ts';

/** Made up: nobody has ever had one of these. */
const SHAPED = {
  anthropic: 'sk-ant-api03-Zq7Xw2Vb9Nm4Kj6Hg1Fd3Sa5Po8Iu0Yt',
  openai: 'sk-proj-Lk9Jh8Gf7Ds6Aq5Wz4Xe3Cr2Vt1By0Nu',
  github: 'ghp_Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh8Ii9Jj0Kk1Ll2',
  aws: 'AKIAQ2W3E4R5T6Y7U2I3',
  jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.Zk3vQ9xLr2Pw8Tn5Ys1Bc6Df4Gh7',
  url: 'W9x8V7u6T5s4',
};
const PRIVATE = `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE KEY-----`;
/** Of no known shape: only the machine knows them. */
const TOKEN = 'q8Zt3Lw6Vr1Xn9Kp4Sd7Fh2Jm5';
const LATER = 'Mz4Xc7Vb1Nq9Wl2Ks5Jd8Hf3Ga6';
const SAID = [...Object.values(SHAPED), PRIVATE, TOKEN, LATER, HOST_KEY];

/** The forms in which a secret would still be one. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  const lines = secret.includes('\n') ? [secret.split('\n')[1] ?? ''] : [secret];
  return [
    ...lines,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    base64,
    base64.replaceAll('=', ''),
  ];
}

/** In base64 only those are known that belong to this machine: a stranger's is just letters. */
const FORMS = [
  ...new Set([
    ...SAID.flatMap((secret) => formsOf(secret).slice(0, 3)),
    ...[TOKEN, LATER, HOST_KEY].flatMap(formsOf),
  ]),
];

const WORDS = `keys: ${Object.values(SHAPED).slice(0, 5).join(' ')} https://me:${SHAPED.url}@host.invalid/x\n${PRIVATE}\n${TOKEN} ${LATER} ${HOST_KEY}`;
const ENCODED = [TOKEN, LATER, HOST_KEY].map((it) => Buffer.from(it).toString('base64')).join(' ');

const ENV = {
  DEPLOY_TOKEN: TOKEN,
  SOME_SERVICE_PASSWORD: LATER,
  ANTHROPIC_AUTH_TOKEN: SHAPED.anthropic,
  GITHUB_TOKEN: SHAPED.github,
};

describe('what a run leaves behind holds no secret', () => {
  it('of an agent of the user’s own, without a gateway', async (context) => {
    await using room = await makeRoom();
    const script = `cat said.txt; cat said.txt >&2; cp said.txt copy.txt; echo '${ENCODED}'; base64 -w0 said.txt; env; exit 1`;
    await using pkg = await writePackage({
      ...withOwnAgent(script, { env: { DEPLOY_TOKEN: TOKEN, HOST_KEY } }),
      ...caseFiles(),
    });
    await evaluate(pkg.root, room, ['--sandbox', 'none'], { ...ENV, ANTHROPIC_API_KEY: HOST_KEY });
    await search(context, pkg.root, room);
  });

  it.for(['claude-code', 'codex'] as const)(
    'of %s, its model, its judge and its tapes',
    async (engine, context) => {
      await using room = await makeRoom();
      await using pkg = await writePackage({
        ...PACKAGE,
        'evals/eval-config.json': { version: 1, engine, timeout: 60, env: { DEPLOY_TOKEN: TOKEN } },
        ...caseFiles(),
        'evals/cases/b.yaml': evalCase('b', { input: { prompt: 'Fail.' } }),
        'evals/cases/c.yaml': evalCase('c', {
          input: { prompt: 'Say nothing of it.', 'workspace-files': ['said.txt'] },
          expected: { contains: ['nothing like it'] },
        }),
      });
      await using server = await modelServer(
        ({ turn, body }) => {
          const asked = JSON.stringify(body);
          if (asked.includes('Say nothing of it.'))
            return turn === 0 ? { tools: [shell(engine, 'cat said.txt; env')] } : { text: 'Done.' };
          if (asked.includes('Fail.'))
            return {
              status: 401,
              message: `Incorrect API key provided: ${WORDS}`,
              headers: { 'x-echo': HOST_KEY },
            };
          if (turn === 0)
            return {
              text: WORDS,
              tools: [shell(engine, `cat said.txt; cp said.txt copy.txt; env; echo '${ENCODED}' ${TOKEN}`)],
            };
          return { text: `${WORDS} ${ENCODED}` };
        },
        {
          judge: (request) =>
            judgeSays(
              'FAIL',
              JSON.stringify(request.body).includes('Say nothing') ? ['Done.'] : [TOKEN],
            )(request),
        },
      );
      const args = ['--engine', engine, '--model', engine === 'codex' ? 'gpt-5.4' : 'claude-sonnet-5-5'];
      const env = { ...ENV, ...modelEnv(server.url) };
      await evaluate(
        pkg.root,
        room,
        [...args, '--judge', 'claude-sonnet-5-5', '--judge-all', '--tape', 'record'],
        env,
      );
      await search(context, pkg.root, room);
      // What the model said to the others holds a secret, so there is no tape of them.
      expect(await readdir(join(pkg.root, 'evals/tapes'))).toEqual([`c.${engine}.with.1.jsonl`]);
    },
  );
});

function caseFiles(): Files {
  return {
    'evals/fixtures/said.txt': `${WORDS}\n`,
    'evals/cases/a.yaml': evalCase('a', {
      input: { prompt: 'Do it.', 'workspace-files': ['said.txt'] },
      expected: { contains: ['nothing like it'] },
    }),
  };
}

async function makeRoom() {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, 'tmp'));
  await mkdir(join(folder.path, 'out'));
  await mkdir(join(folder.path, 'home'));
  return folder;
}

async function evaluate(
  root: string,
  room: { readonly path: string },
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const at = (name: string) => join(room.path, 'out', name);
  const files = [
    '-o',
    'report.json',
    '--junit',
    'junit.xml',
    '--markdown',
    'report.md',
    '--html',
    'report.html',
  ];
  const more = ['--jsonl', 'all.jsonl', '--benchmark-json', 'benchmark.json', '--evidence', 'run.tar.gz'];
  const named = [...files, ...more].map((it) => (it.startsWith('-') ? it : at(it)));
  const isJudged = args.includes('--judge');
  const { stdout, stderr, code } = await aam(
    ['eval', ...(isJudged ? [] : ['--no-judge']), ...args, ...named],
    { cwd: root, env: { ...env, HOME: join(room.path, 'home'), TMPDIR: join(room.path, 'tmp') } },
  );
  await writeFile(at('printed.txt'), stdout + stderr);
  expect([1, 2, 3], stdout + stderr).toContain(code);
}

/** Everything but what the author wrote into the package. */
async function search(context: TestContext, root: string, room: { readonly path: string }): Promise<void> {
  const files = [
    ...(await filesBelow(join(root, '.aam'))),
    ...(await filesBelow(join(root, 'evals/reports'))),
    ...(await filesBelow(join(root, 'evals/tapes'))),
    ...(await filesBelow(room.path)),
  ];
  const names = files.map((file) => relative(file.startsWith(root) ? root : room.path, file));
  expect(
    names.filter((name) =>
      /journal\.jsonl|run\.json|captures\/|report\.|run\.tar\.gz|junit|printed/.test(name),
    ).length,
  ).toBeGreaterThan(8);
  const leaks: string[] = [];
  for (const [index, file] of files.entries()) {
    const bytes = await readFile(file);
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    // The evidence holds the author's own files; of those only keys of this machine are taken out.
    const sought = file.endsWith('.gz') ? [TOKEN, LATER, HOST_KEY].flatMap(formsOf) : FORMS;
    leaks.push(...sought.filter((form) => text.includes(form)).map((form) => `${names[index]}: ${form}`));
  }
  attempted(context, FORMS.length);
  leaked(context, leaks);
  expect(leaks).toEqual([]);
  await expectPrivate(join(root, '.aam/runs'));
  expect(await readdir(join(room.path, 'tmp'))).toEqual([]);
}

async function expectPrivate(folder: string): Promise<void> {
  const open: string[] = [];
  for (const path of [folder, ...(await filesBelow(folder, true))]) {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) open.push(`${path} ${(mode & 0o777).toString(8)}`);
  }
  expect(open).toEqual([]);
}

/** Not links: they say whose a run is. */
async function filesBelow(folder: string, withFolders = false): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((it) => it.isFile() || (withFolders && it.isDirectory()))
    .map((it) => join(it.parentPath, it.name));
}
