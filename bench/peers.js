/**
 * `npm run bench:peers`: installs other tools into a temporary folder, lets them do the same work as aam, interleaved, and
 * writes bench/peers.json. `npm run bench:peers -- FOLDER` takes those that are installed in a folder already.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { MODELS, ran, withModel } from './agent-cases.js';
import { aamArguments, allPassed } from './command-cases.js';
import { machine } from './machine.js';
import { compare } from './measure.js';
import { writeAgentv, writePlugin, writePromptfoo } from './peer-suites.js';
import {
  AAM,
  assert,
  caseFiles,
  caseLines,
  forgetRuns,
  here,
  inFolder,
  putAside,
  writePackage,
} from './places.js';
import { table } from './table.js';

const PEERS = { agentv: '4.42.4', promptfoo: '0.121.20' };
const SIZES = [
  { cases: 100, rounds: 5 },
  { cases: 1000, rounds: 3 },
];
const AGENTS = { cases: 20, rounds: 5 };
const CLAUDE = here('../node_modules/.bin/claude');

const [given] = process.argv.slice(2);
await inFolder(async (dir) => {
  const tools = given ?? install(join(dir, 'tools'));
  const rows = [];
  for (const size of SIZES) rows.push(await commands(tools, size));
  rows.push(await agents(AGENTS));
  const { versions, ...where } = machine();
  const peers = { ...where, versions: { ...versions, ...installed(tools) }, rows };
  console.table(table({ peers }));
  writeFileSync(here('./peers.json'), `${JSON.stringify({ version: 1, benches: { peers } }, null, 2)}\n`);
});

function install(dir) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'package.json'), '{"private":true}');
  const wanted = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...wanted], { cwd: dir, stdio: 'inherit' });
  return dir;
}

function installed(tools) {
  const version = (name) =>
    JSON.parse(readFileSync(join(tools, 'node_modules', name, 'package.json'), 'utf8')).version;
  return Object.fromEntries(Object.keys(PEERS).map((name) => [name, version(name)]));
}

/** The peers have no sandbox for commands, so aam goes without one too, and once with it. */
function commands(tools, { cases, rounds }) {
  return inFolder(async (root) => {
    const [own, agentv, promptfoo] = ['own', 'agentv', 'promptfoo'].map((name) => join(root, name));
    writePackage(own, caseLines(cases));
    const { count: agentvPassed } = writeAgentv(agentv, cases);
    const { count: promptfooPassed } = writePromptfoo(promptfoo, cases);
    const forget = (dir, ...names) => {
      for (const name of names) putAside(join(dir, name));
    };
    const bin = (name) => [process.execPath, join(tools, 'node_modules', '.bin', name)];
    const env = quiet(root);
    const aam = (sandbox) => ({
      argv: aamArguments(own, sandbox),
      before: () => forgetRuns(own),
      check: (result) => allPassed(result, cases),
    });
    const all = (count, name) => (result) =>
      assert(count() === cases, `${name} passed ${count()} of ${cases}: ${result.stdout}${result.stderr}`);
    const measured = await compare(
      {
        'bare loop': {
          argv: [process.execPath, here('./bare-loop.js'), 'command', 'none', String(cases), '2'],
          check: ({ stdout, stderr }) => assert(stdout.trim() === String(cases), `bare loop: ${stderr}`),
        },
        'aam eval -j2 --sandbox none': aam('none'),
        'aam eval -j2': aam('bubblewrap'),
        'agentv eval --workers 2': {
          argv: [...bin('agentv'), 'eval', 'run', 'bench.eval.yaml', '--workers', '2', '-o', 'out'],
          cwd: agentv,
          env,
          before: () => forget(agentv, 'out'),
          check: all(agentvPassed, 'agentv'),
        },
        'promptfoo eval -j 2': {
          argv: [
            ...[...bin('promptfoo'), 'eval', '-c', 'promptfooconfig.json', '-j', '2', '-o', 'out.json'],
            ...['--no-cache', '--no-write', '--no-table', '--no-progress-bar'],
          ],
          cwd: promptfoo,
          env,
          before: () => forget(promptfoo, 'out.json'),
          check: all(promptfooPassed, 'promptfoo'),
        },
      },
      rounds,
    );
    return { bench: `${cases.toLocaleString('en')} commands`, rounds, cases, measured };
  });
}

function agents({ cases, rounds }) {
  return withModel(async ({ root, socket, env }) => {
    const [own, plugin] = ['own', 'plugin'].map((name) => join(root, name));
    writePackage(own, caseFiles('claude-code', cases));
    const { count } = writePlugin(plugin, cases);
    const measured = await compare(
      {
        'bare loop': {
          argv: [
            ...[process.execPath, here('./bare-loop.js'), 'claude-code', 'bubblewrap'],
            ...[String(cases), '2', socket],
          ],
          check: ({ stdout, stderr }) => assert(stdout.trim() === String(cases), `bare loop: ${stderr}`),
        },
        'aam eval -j2': {
          argv: [...AAM, 'eval', '-j2', '--json', '--no-judge', '-C', own, '--model', MODELS['claude-code']],
          env,
          check: ran,
        },
        'claude plugin eval -j 2': {
          argv: [
            ...[CLAUDE, 'plugin', 'eval', '.', '--trust-plugin', '--no-publish', '--ablation', 'none'],
            ...['--runs', '1', '-j', '2', '--mocks', 'off', '--json', 'out.json'],
            ...['--model', MODELS['claude-code']],
          ],
          cwd: plugin,
          env: { ...env, ...quiet(root) },
          before: () => rmSync(join(plugin, 'out.json'), { force: true }),
          check: ({ stdout, stderr }) =>
            assert(count() === cases, `claude plugin eval passed ${count()}: ${stdout}${stderr}`),
        },
      },
      rounds,
    );
    return { bench: `${cases} cases, real claude`, rounds, cases, measured };
  });
}

/** Nothing of the user's, and nothing that is told to anybody. */
function quiet(root) {
  const home = join(root, 'home');
  const temporary = join(root, 'tmp');
  for (const dir of [home, temporary]) mkdirSync(dir, { recursive: true });
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: temporary,
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    PROMPTFOO_CONFIG_DIR: join(home, 'promptfoo'),
    PROMPTFOO_DISABLE_TELEMETRY: '1',
    PROMPTFOO_DISABLE_UPDATE: '1',
    PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  };
}
