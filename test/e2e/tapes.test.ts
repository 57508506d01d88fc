/** Recorded against a scripted model, replayed without one: by the real CLIs, in the real sandbox. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { aam, type CliResult } from '../helpers/cli.ts';
import { type AgentEngine, ENGINE_NAMES, evalCase, HOST_KEY, modelEnv, PACKAGE } from '../helpers/eval.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type ModelRequest, modelServer, type Script, type Turn, verdicts } from '../helpers/model-server.ts';
import { packageOnce } from '../helpers/once.ts';
import { type Files, skillText, writePackage } from '../helpers/package.ts';
import { sandboxWithout } from '../helpers/sandbox-without.ts';
import { SESSION_FILES, SESSION_SCRIPTS } from './session.ts';

const MODELS: Readonly<Record<AgentEngine, string>> = { 'claude-code': 'claude-opus-5-5', codex: 'gpt-5.5' };

/** One that ends well, and one whose check fails. */
const FILES: Files = {
  ...SESSION_FILES,
  'evals/cases/b.yaml': evalCase('b', { expected: { contains: ['Never said.'] } }),
};

/** Where it does not matter what the agent does. */
const PLAIN: Files = {
  ...PACKAGE,
  'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['All done.'] } }),
};
const SAY_IT: Script = [{ text: 'All done.' }];

/** The machine of someone who has nothing: no key, no login, no model to be reached. */
const NOTHING = {
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  ANTHROPIC_API_KEY: undefined,
  OPENAI_API_KEY: undefined,
  HOME: '/nonexistent',
};

async function recorded(
  root: string,
  engine: AgentEngine,
  args: readonly string[] = [],
  script = SESSION_SCRIPTS[engine],
) {
  await using server = await modelServer(script, { judge });
  const all = ['eval', '--json', '--engine', engine, '--model', MODELS[engine], '--tape', 'record', ...args];
  const result = await aam(all, { cwd: root, env: modelEnv(server.url) });
  const requestBytes = server.requests.reduce((sum, { body }) => sum + JSON.stringify(body).length, 0);
  return { ...result, report: read(result), requestBytes };
}

/** Each test has a copy: tapes hold elsewhere too. */
const RECORDED = {
  'claude-code': packageOnce(FILES, (root) => recorded(root, 'claude-code')),
  codex: packageOnce(FILES, (root) => recorded(root, 'codex')),
};

function judge(request: ModelRequest): Turn {
  const id = /\\"id\\":\\"([^"\\]+)\\"/.exec(JSON.stringify(request.body))?.[1];
  return verdicts(request, [{ id, evidence: ['All done.'], reason: 'It says so.', verdict: 'PASS' }]);
}

async function replayed(
  root: string,
  engine: AgentEngine,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
) {
  const all = ['eval', '--json', '--engine', engine, '--tape', 'replay', ...args];
  const result = await aam(all, { cwd: root, env: { ...NOTHING, ...env } });
  return { ...result, report: read(result) };
}

function read({ stdout, stderr }: CliResult): EvalReport {
  if (stdout === '') throw new Error(`aam eval printed nothing: ${stderr}`);
  return evalReport.parse(JSON.parse(stdout));
}

/** What must be the same in every replay. */
function outcome({ cases, usage, config }: EvalReport) {
  return {
    usage,
    model: config.model,
    cases: cases.map((it) => ({
      name: it.name,
      verdict: it.verdict,
      checks: it.check_details,
      error: it.error,
      usage: it.usage,
      cost: it.cost_usd,
      output: it.agent_output_snippet,
      skills: it.skills_activated,
      judge: it.judge_verdict && { ...it.judge_verdict, duration_seconds: 0 },
    })),
  };
}

describe.each(ENGINE_NAMES)('tapes of %s', (engine) => {
  it('replay without a model gives the same verdicts and figures, elsewhere, another day, side by side', async () => {
    await using pkg = await RECORDED[engine]();
    const first = pkg.made;
    const tapes = join(pkg.root, 'evals/tapes');
    expect((await readdir(tapes)).sort()).toEqual([`a.${engine}.with.1.jsonl`, `b.${engine}.with.1.jsonl`]);
    expect(first.report.tape).toMatchObject({ mode: 'record', source: 'recorded', folder: 'evals/tapes' });
    expect(first.report.cases.map(({ warnings }) => warnings)).toEqual([[], []]);
    expect(outcome(first.report).cases.map(({ verdict }) => verdict)).toEqual(['PASS', 'FAIL']);
    expect(first.report.cases[0]?.judge_verdict).toMatchObject({ result: 'PASS', usage: { requests: 1 } });
    const texts = await Promise.all(
      (await readdir(tapes)).map((file) => readFile(join(tapes, file), 'utf8')),
    );
    expect(texts.join('')).not.toContain(HOST_KEY);
    expect(texts.join('').length).toBeLessThan(first.requestBytes / 4);

    const again = await replayed(pkg.root, engine);
    expect(outcome(again.report)).toEqual(outcome(first.report));
    expect(again.code).toBe(first.code);
    expect(again.report.tape).toMatchObject({ mode: 'replay', source: 'recorded' });
    expect(again.report.cases[0]?.tape).toMatchObject({ file: `evals/tapes/a.${engine}.with.1.jsonl` });

    await using elsewhere = await temporaryFolder();
    const moved = join(elsewhere.path, 'a folder with another name');
    await cp(pkg.root, moved, { recursive: true });
    const far = { TZ: 'Pacific/Kiritimati', LANG: 'de_DE.UTF-8', USER: 'somebody', TMPDIR: elsewhere.path };
    const other = await replayed(moved, engine, ['-j', '4'], far);
    expect(outcome(other.report)).toEqual(outcome(first.report));
  });

  it('one word of SKILL.md is a miss that names it, and decides nothing', async () => {
    await using pkg = await RECORDED[engine]();
    await writeFile(join(pkg.root, 'skills/echo/SKILL.md'), skillText('echo', 'Do it well.\n'));
    const { report, code } = await replayed(pkg.root, engine, ['a']);
    expect(code).toBe(3);
    expect(report.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'tape-miss', check_details: [] });
    const error = report.cases[0]?.error ?? '';
    expect(error).toMatch(/the text of the skill echo \(SKILL\.md\).* differs:/);
    expect(error).toContain('    -Do it.\n');
    expect(error).toContain('    +Do it well.');
    expect(error).toContain(`aam eval a --engine ${engine} --model ${MODELS[engine]} --tape record`);
  });

  it.each([
    [
      'evals/cases/a.yaml',
      JSON.stringify({ ...(FILES['evals/cases/a.yaml'] as object), input: { prompt: 'Do it now.' } }),
      'the prompt differs',
    ],
    [
      'skills/echo/SKILL.md',
      skillText('echo').replace('Does echo.', 'Does echo twice.'),
      'the description of the skill echo (SKILL.md) differs',
    ],
  ])('another %s is a miss that says what differs', async (file, text, message) => {
    await using pkg = await RECORDED[engine]();
    await writeFile(join(pkg.root, file), text);
    const { report } = await replayed(pkg.root, engine, ['a']);
    expect(report.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'tape-miss' });
    expect(report.cases[0]?.error).toContain(message);
  });
});

describe('tapes', () => {
  const engine = 'claude-code';
  const TAPE = `evals/tapes/a.${engine}.with.1.jsonl`;

  it('stay out of the sandbox, wherever in the package they are', async () => {
    await using pkg = await writePackage(PLAIN);
    const args = ['--tapes', join(pkg.root, 'skills/echo/tapes')];
    await recorded(pkg.root, engine, args, SAY_IT);
    const before = await readdir(join(pkg.root, 'skills/echo/tapes'));
    expect(before).toHaveLength(1);
    const script = [{ tools: [{ name: 'Bash', input: { command: FIND_TAPES } }] }, { text: 'All done.' }];
    await using server = await modelServer(script);
    for (const more of [[], args]) {
      const all = ['eval', '--json', '--engine', engine, '--model', MODELS[engine], '--no-judge', ...more];
      const { report } = { report: read(await aam(all, { cwd: pkg.root, env: modelEnv(server.url) })) };
      expect(report.cases[0]?.capture).not.toBeNull();
    }
    const results = server.requests
      .map(({ body }) => JSON.stringify(body))
      .filter((it) => it.includes('FOUND'));
    expect(results).not.toEqual([]);
    for (const it of results) expect(it).toContain('FOUND: 0');
  });

  it('stay out of the sandbox also where they lie among programs that it shows', async () => {
    await using pkg = await writePackage(PLAIN);
    await using folder = await temporaryFolder();
    const programs = join(folder.path, 'programs');
    const args = ['--tapes', join(programs, 'tapes')];
    await recorded(pkg.root, engine, args, SAY_IT);
    const script = [
      { tools: [{ name: 'Bash', input: { command: `ls -d ${programs}; ${FIND_TAPES}` } }] },
      { text: 'All done.' },
    ];
    await using server = await modelServer(script);
    const all = ['eval', '--json', '--engine', engine, '--model', MODELS[engine], '--no-judge', ...args];
    const env = { ...modelEnv(server.url), PATH: `${programs}:${process.env['PATH']}` };
    expect(read(await aam(all, { cwd: pkg.root, env })).cases[0]?.capture).not.toBeNull();
    const [seen] =
      /[^"]*FOUND: \d+/.exec(server.requests.at(-1)?.body.messages.at(-1).content[0].content) ?? [];
    expect(seen).toBe(`${programs}\nFOUND: 0`);
  });

  it('that are missing, damaged or of another trial are told before anything runs', async () => {
    await using pkg = await RECORDED[engine]();
    const replay = (more: readonly string[] = []) =>
      aam(['eval', '--engine', engine, '--tape', 'replay', ...more], { cwd: pkg.root, env: NOTHING });
    const none = await replay(['--tapes', 'evals/none']);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toBe(
      'error: there are no tapes of these cases with claude-code in evals/none\n  record them, with a model:  aam eval --engine claude-code --tape record --tapes evals/none\n',
    );

    await rm(join(pkg.root, TAPE.replace('/a.', '/b.')));
    const partly = await replayed(pkg.root, engine);
    expect(partly.report.cases.map(({ error_kind }) => error_kind)).toContain('tape-miss');
    expect(partly.report.cases[1]?.error).toBe(
      'there is no tape evals/tapes/b.claude-code.with.1.jsonl\nrecord it:  aam eval b --engine claude-code --tape record',
    );

    const tape = join(pkg.root, TAPE);
    const text = await readFile(tape, 'utf8');
    await writeFile(tape, text.slice(0, text.length / 2));
    const cut = await replay(['a']);
    expect(cut).toMatchObject({ code: 2, stdout: '' });
    expect(cut.stderr).toMatch(new RegExp(`^error: ${TAPE}:\\d+: the tape is cut off\n`));
    expect(cut.stderr).toContain('aam eval a --engine claude-code --tape record');

    await writeFile(tape, text.replace('All done.', 'All gone.'));
    expect((await replay(['a'])).stderr).toContain('the tape was changed after it was written');

    await writeFile(join(pkg.root, TAPE.replace('/a.', '/b.')), text);
    expect((await replay(['b'])).stderr).toContain(
      `b.claude-code.with.1.jsonl:1: this is the tape of a.claude-code.with.1`,
    );
  });

  it('of a trial that the model failed are not written, and the old one stays', async () => {
    await using pkg = await writePackage(SESSION_FILES);
    await mkdir(join(pkg.root, 'evals/tapes'), { recursive: true });
    await writeFile(join(pkg.root, TAPE), 'the old one');
    await using server = await modelServer([{ status: 401, message: 'no' }]);
    const all = ['eval', '--json', '--engine', engine, '--no-judge', '--tape', 'record'];
    const report = read(await aam(all, { cwd: pkg.root, env: modelEnv(server.url) }));
    expect(report.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'model-auth', tape: null });
    expect(report.warnings).toContain(
      `no tape was written of a.${engine}.with.1: the case is undecided (model-auth)`,
    );
    expect(await readFile(join(pkg.root, TAPE), 'utf8')).toBe('the old one');
    expect(await readdir(join(pkg.root, 'evals/tapes'))).toHaveLength(1);
  });

  it.each([
    ['its text', (key: string): Turn => ({ text: `The key is:\n\t${key}\nAll done.` })],
    [
      'what a tool is given',
      (key: string): Turn => ({ tools: [{ name: 'Bash', input: { command: `echo \\\n${key}` } }] }),
    ],
  ])('with a secret in %s are not written', async (_, turn) => {
    await using pkg = await writePackage(SESSION_FILES);
    const key = `sk-ant-${'api03-Xy7'.repeat(5)}`;
    await using server = await modelServer([turn(key), { text: 'All done.' }]);
    const all = ['eval', '--json', '--engine', engine, '--no-judge', '--tape', 'record'];
    const report = read(await aam(all, { cwd: pkg.root, env: modelEnv(server.url) }));
    expect(report.warnings).toContain(
      `no tape was written of a.${engine}.with.1: an answer of the model holds what looks like a secret (Anthropic key)`,
    );
    expect(await readdir(join(pkg.root, 'evals/tapes'))).toEqual([]);
  });

  it('that could not be kept are no success, though the case passes', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'evals/cases/a.yaml': evalCase('a', { expected: { contains: ['All done.'] } }),
      'evals/cases/b.yaml': evalCase('b', { expected: { contains: ['All done.'] } }),
    });
    const key = `sk-ant-${'api03-Xy7'.repeat(5)}`;
    let answered = 0;
    await using server = await modelServer(
      () => ({ text: `All done.${answered++ === 0 ? ` The key is ${key}` : ''}` }),
      { judge },
    );
    const all = ['eval', '--model', MODELS[engine], '-j1', '--tape', 'record', '-o', 'report.json'];
    const { stdout, code } = await aam(all, { cwd: pkg.root, env: modelEnv(server.url) });
    expect(stdout).toContain(`warning: no tape was written of a.${engine}.with.1: an answer of the model`);
    expect(stdout).toMatch(/^2 passed in .*\nrecorded 1 of 2 tapes \(evals\/tapes\)$/m);
    expect(code).toBe(2);
    const report = await reportIn(pkg.root);
    expect(report).toMatchObject({ exit_code: 2, summary: { passed: 2 }, tape: { not_kept: 1 } });
  });

  it('that are missing are made by the command that the miss tells', async () => {
    await using pkg = await writePackage({ ...PACKAGE, 'evals/cases/a.yaml': evalCase('a') });
    await using server = await modelServer([{ text: 'All done.' }], { judge });
    const env = { ...modelEnv(server.url), AAM_COMMAND: undefined };
    const folder = dirname(pkg.root);
    const flags = ['-C', basename(pkg.root), '--model', MODELS[engine], '--tapes', 'my tapes'];
    await aam(['eval', ...flags, '--tape', 'record'], { cwd: folder, env });
    const replay = ['eval', ...flags, '--tape', 'replay', '--runs', '2', '--baseline', '--max-cost-usd', '3'];
    const missed = await aam(replay, { cwd: folder, env: { ...NOTHING, AAM_COMMAND: undefined } });
    expect(missed.code).toBe(3);
    const [, command = ''] = /record it: {2}(.*)$/m.exec(missed.stdout) ?? [];
    expect(command).toContain(
      `/bin/aam eval a --engine ${engine} --model ${MODELS[engine]} --runs 2 --baseline --max-cost-usd 3 --tape record --tapes 'my tapes' -C ${basename(pkg.root)}`,
    );
    await shellCommand(command, folder, env);
    const again = await aam(replay, { cwd: folder, env: NOTHING });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
  });

  it('tell the sub-agent whose prompt was edited', async () => {
    await using pkg = await RECORDED[engine]();
    await writeFile(
      join(pkg.root, 'agents/helper/system-prompt.md'),
      '---\ndescription: Helps\n---\nHelp at once.\n',
    );
    const { report } = await replayed(pkg.root, engine, ['a']);
    expect(report.cases[0]?.error).toContain('the prompt of the sub-agent helper differs:');
    expect(report.cases[0]?.error).toContain('+Help at once.');
  });

  it('of another version of the agent warn, and with --tape-strict they miss', async () => {
    await using pkg = await RECORDED[engine]();
    const tape = join(pkg.root, TAPE);
    const version = JSON.parse((await readFile(tape, 'utf8')).split('\n')[0] ?? '').engine_version;
    await reseal(tape, (text) => text.replace(`"engine_version":"${version}"`, '"engine_version":"1.0.0"'));
    const told = `recorded with claude-code 1.0.0, this is ${version}`;
    const lax = await replayed(pkg.root, engine, ['a']);
    expect(lax.report.warnings).toContainEqual(expect.stringContaining(told));
    expect(lax.report.cases[0]?.verdict).toBe('PASS');
    const strict = await replayed(pkg.root, engine, ['a', '--tape-strict']);
    expect(strict.code).toBe(3);
    expect(strict.report.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'tape-miss' });
    expect(strict.report.cases[0]?.error).toContain(told);
  });

  it('hold the judge too: other criteria, another judge or more votes are a miss', async () => {
    await using pkg = await writePackage(PLAIN);
    const config = join(pkg.root, 'evals/eval-config.json');
    await writeFile(config, JSON.stringify({ version: 1, engine, judge: 'claude-sonnet', timeout: 60 }));
    await recorded(pkg.root, engine, [], SAY_IT);
    const { report } = await replayed(pkg.root, engine);
    expect(report.cases[0]).toMatchObject({ verdict: 'PASS', judge_verdict: { model: 'claude-sonnet-5-5' } });

    const miss = async (...args: string[]) => {
      const { report: it, code } = await replayed(pkg.root, engine, args);
      expect(code).toBe(3);
      expect(it.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'tape-miss', judge_verdict: null });
      return it.cases[0]?.error;
    };
    expect(await miss('--judge-votes', '3')).toContain('the model was asked this once when');
    expect(await miss('--judge', 'claude-opus')).toContain('the judge is claude-opus, and was claude-sonnet');
    const other = { ...(PLAIN['evals/cases/a.yaml'] as object), judge: { criteria: 'ANOTHER CRITERION' } };
    await writeFile(join(pkg.root, 'evals/cases/a.yaml'), JSON.stringify(other));
    expect(await miss()).toMatch(/the judge's criteria differ:\n.*\n +-.*SECRET-CRIT.*\n +\+.*ANOTHER CRIT/);
  });

  it('hold on a machine without git, but not for other files in the workspace', async () => {
    await using pkg = await RECORDED[engine]();
    await using noGit = await sandboxWithout('/usr/bin/git');
    const again = await replayed(pkg.root, engine, [], noGit.env);
    expect(outcome(again.report)).toEqual(outcome(pkg.made.report));
    const { input } = evalCase('a') as { input: object };
    const other = { ...evalCase('a'), input: { ...input, 'workspace-files': ['more.txt'] } };
    await writeFile(join(pkg.root, 'evals/cases/a.yaml'), JSON.stringify(other));
    const { report } = await replayed(pkg.root, engine, ['a']);
    expect(report.cases[0]?.error).toContain('git lists other files in the workspace');
  });

  it('do not depend on limits, and a replay counts nothing against them', async () => {
    await using pkg = await writePackage({
      ...PLAIN,
      'evals/cases/b.yaml': evalCase('b', { expected: { contains: ['Never said.'] } }),
    });
    const first = await recorded(pkg.root, engine, ['--max-cost-usd', '5', '-j1'], SAY_IT);
    expect(first.report.warnings).toContainEqual(expect.stringContaining('only between cases while tapes'));
    const again = await replayed(pkg.root, engine, ['--max-cost-usd', '0.0001', '--max-tokens', '1']);
    expect(outcome(again.report)).toEqual(outcome(first.report));
    expect(again.code).toBe(first.code);
  });

  it('do not go with an engine that brings its own model', async () => {
    await using pkg = await writePackage({
      ...SESSION_FILES,
      'evals/eval-config.json': { version: 1, engine: 'command', command: ['true'] },
    });
    const result = await aam(['eval', '--tape', 'record'], { cwd: pkg.root });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('--tape record does not go with the engine command');
  });

  it('that are scripted say on the terminal what they are worth', async () => {
    await using pkg = await writePackage(PLAIN);
    const record = ['--model', MODELS[engine], '--tape', 'record', '--tape-source', 'scripted'];
    const outputs = ['--markdown', 'report.md', '-o', 'report.json'];
    await using server = await modelServer(SAY_IT, { judge });
    const env = modelEnv(server.url);
    const told = await aam(['eval', ...record, ...outputs], { cwd: pkg.root, env });
    const note =
      'recorded 1 tape as scripted: a person wrote the answers, so the run is no evidence about the skill';
    expect(told.stdout).toContain(`${note} (evals/tapes)`);
    expect(await readFile(join(pkg.root, 'report.md'), 'utf8')).toContain(note.replace(':', '\\:'));
    expect(await reportIn(pkg.root)).toMatchObject({ tape: { source: 'scripted' } });

    const replay = ['eval', '--tape', 'replay', '-o', 'report.json'];
    const { stdout } = await aam(replay, { cwd: pkg.root, env: NOTHING });
    expect(stdout).toContain(
      'replayed from scripted tapes: shows that the pipeline works, no evidence about the skill',
    );
    expect(stdout).toMatch(/^✓ a {2}[\d.]+ m?s {2}\d+ tokens$/m);
    expect(stdout).toMatch(/^1 passed in .* tokens, would have cost \$\d/m);
    expect((await reportIn(pkg.root)).tape).toMatchObject({
      source: 'scripted',
      note: expect.stringContaining('no evidence'),
    });
  });

  it('work without a sandbox too, where folders have another name each time', async () => {
    await using pkg = await writePackage(SESSION_FILES);
    const first = await recorded(pkg.root, engine, ['--sandbox', 'none']);
    const again = await replayed(pkg.root, engine, ['--sandbox', 'none']);
    expect(first.report.cases[0]?.verdict).toBe('PASS');
    expect(outcome(again.report)).toEqual(outcome(first.report));
  });
});

async function reportIn(root: string): Promise<EvalReport> {
  return evalReport.parse(JSON.parse(await readFile(join(root, 'report.json'), 'utf8')));
}

/** As someone who types what they were told. */
async function shellCommand(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  await promisify(execFile)('/bin/sh', ['-c', command], { cwd, env: { ...process.env, ...env } });
}

const FIND_TAPES =
  'echo "FOUND: $(find / -name "*.jsonl" -path "*tapes*" -not -path "/proc/*" 2>/dev/null | wc -l)"';

/** Changes a tape as its own writer would have. */
async function reseal(file: string, change: (text: string) => string): Promise<void> {
  const { sealOf } = await import('../../src/gateway/tape/write.ts');
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  const body = change(`${lines.slice(0, -1).join('\n')}\n`);
  const end = { ...JSON.parse(lines.at(-1) ?? ''), sha256: sealOf(body) };
  await rm(file);
  await writeFile(file, `${body}${JSON.stringify(end)}\n`);
}
