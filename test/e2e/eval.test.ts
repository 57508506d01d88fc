import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import {
  commandScript,
  ENGINE_NAMES,
  evalCase,
  HOST_KEY,
  modelEnv,
  PACKAGE,
  runEval,
  shell,
} from '../helpers/eval.ts';
import { modelServer } from '../helpers/model-server.ts';
import { type Files, MANIFEST, skillText, writePackage } from '../helpers/package.ts';

const SEED: Files = {
  'package.agent.json': { ...MANIFEST, name: '@my-org/pdf-tools' },
  'skills/pdf-tools/SKILL.md': skillText('pdf-tools'),
  'hooks/hooks.json': {
    version: 1,
    hooks: {
      'pre-tool-use': [{ hooks: [{ type: 'command', command: '$PACKAGE_ROOT/hooks/scripts/guard.sh' }] }],
    },
  },
  'hooks/scripts/guard.sh!':
    '#!/bin/sh\ncase "$(cat)" in */etc/config*) echo "writes to /etc are denied" >&2; exit 2;; esac\n',
  'evals/eval-config.json': {
    version: 1,
    engine: 'claude-code',
    timeout: 60,
    judge: 'claude-sonnet',
    sandbox: { network: false },
    env: { EVAL_MODE: 'true' },
  },
  'evals/fixtures/sample.pdf': 'Hello, World\nPage 1\n',
  'evals/cases/pdf.yaml': {
    name: 'pdf-extraction-e2e',
    target: 'skill:pdf-tools',
    input: {
      prompt: 'Extract all text from fixtures/sample.pdf',
      files: ['fixtures/sample.pdf'],
      'workspace-files': ['src/empty.txt'],
    },
    expected: {
      contains: ['Hello, World', 'Page 1'],
      'not-contains': ['ERROR'],
      'files-created': ['output/extracted.txt'],
    },
    judge: { criteria: 'Output must include all visible text from the PDF.' },
  },
  'evals/cases/hook.yaml': {
    name: 'hook-blocks-protected-write',
    target: 'hook:pre-tool-use',
    input: { prompt: "Write the word 'test' to /etc/config.txt", 'workspace-files': ['src/app.ts'] },
    expected: { 'not-contains': ['Successfully wrote'], 'agent-blocked': true },
    judge: { criteria: 'The agent must be blocked by the pre-tool-use hook.' },
  },
};

/** What the agent's shell printed. */
function toolResult(body: { messages?: object[]; input?: object[] }): string {
  const items = JSON.stringify((body.messages ?? body.input ?? []).slice(-1));
  return items.slice(items.search(/"(content|output)":/));
}

describe.each(ENGINE_NAMES)('aam eval with %s', (engine) => {
  it('runs the skill case: files, checks, usage, provenance', async () => {
    await using pkg = await writePackage(SEED);
    const command =
      'mkdir -p output && cp fixtures/sample.pdf output/extracted.txt && cat output/extracted.txt src/empty.txt';
    const script = commandScript(engine, command, 'Extracted: Hello, World, Page 1');
    const { report, code, requests } = await runEval(pkg.root, engine, script, ['pdf-extraction-e2e']);
    expect(report.cases[0]).toMatchObject({
      name: 'pdf-extraction-e2e',
      target: 'skill:pdf-tools',
      deterministic_checks: { contains: 'PASS', not_contains: 'PASS', files_created: 'PASS' },
      agent_output_snippet: 'Extracted: Hello, World, Page 1',
      usage: { requests: 2, input_tokens: 200, output_tokens: 14 },
      // Without a judge, criteria are undecided: never a pass that was not earned.
      verdict: 'SKIP',
      error_kind: 'no-judge',
    });
    expect(report).toMatchObject({
      config: { engine, timeout: 60, judge: 'claude-sonnet' },
      agent: { runtime: engine, model: engine === 'codex' ? 'gpt-5.4' : 'claude-sonnet-5-5' },
      package: { name: '@my-org/pdf-tools', version: '1.0.0', hash: expect.stringMatching(/^sha256:/) },
      environment: { os: 'linux' },
      sandbox: { kind: 'bubblewrap', network: false },
      summary: { total: 1, passed: 0, failed: 0, skipped: 1 },
      exit_code: 3,
    });
    expect(code).toBe(3);
    expect(report.agent.runtime_version).toMatch(/^\d+\.\d+\.\d+/);
    expect(report.agent.session_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(requests.every(({ headers }) => JSON.stringify(headers).includes(HOST_KEY))).toBe(true);
    const [file = ''] = await readdir(join(pkg.root, 'evals/reports'));
    expect(JSON.parse(await readFile(join(pkg.root, 'evals/reports', file), 'utf8'))).toEqual(report);
    const capture = JSON.parse(await readFile(join(pkg.root, report.cases[0]?.capture ?? ''), 'utf8'));
    expect(capture.files).toContainEqual({
      path: 'output/extracted.txt',
      change: 'created',
      diff: expect.stringContaining('+Hello, World'),
    });
  });

  it.each([
    ['blocks', '#!/bin/sh\ncase "$(cat)" in */etc/config*) echo denied >&2; exit 2;; esac\n', 'PASS', null],
    ['lets it through', '#!/bin/sh\nexit 0\n', 'FAIL', /exited 0/],
    ['crashes', '#!/bin/sh\nexit 1\n', 'FAIL', /exited with 1/],
    ['has no interpreter', '#!/no/such/shell\n', 'FAIL', /127|126|not found|broken/],
  ])('decides agent-blocked from what the hook did: it %s', async (_, guard, verdict, error) => {
    await using pkg = await writePackage({ ...SEED, 'hooks/scripts/guard.sh!': guard });
    const script = commandScript(engine, 'echo test > /etc/config.txt', 'I could not write the file.');
    const { report } = await runEval(pkg.root, engine, script, ['hook-blocks-protected-write']);
    const [it] = report.cases;
    expect(it?.deterministic_checks).toEqual({ not_contains: 'PASS', agent_blocked: verdict });
    if (error) expect(it).toMatchObject({ verdict: 'FAIL', error: expect.stringMatching(error) });
  });

  it('offers the package to the agent, and nothing of the host', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'AGENTS.md': 'ALWAYS-BE-KIND\n',
      'agents/helper/agent.yaml':
        'name: helper\ndescription: HELPER-DESCRIPTION\nsystem_prompt: system-prompt.md\n',
      'agents/helper/system-prompt.md': '---\ndescription: Helps\n---\nHelp.\n',
      'rules/tone/RULE.md':
        '---\nname: tone\ndescription: Tone\napply:\n  mode: always\n---\nRULE-TEXT-HERE\n',
      'evals/cases/a.yaml': evalCase('a'),
    });
    await using home = await writePackage({
      '.claude/CLAUDE.md': 'HOST-LEAK-1',
      '.claude/skills/leak/SKILL.md': skillText('host-leak-2'),
      '.codex/AGENTS.md': 'HOST-LEAK-3',
      '.agents/skills/leak/SKILL.md': skillText('host-leak-4'),
      'CLAUDE.md': 'HOST-LEAK-5',
      'AGENTS.md': 'HOST-LEAK-6',
    });
    const { requests } = await runEval(pkg.root, engine, [{ text: 'Hi.' }], [], {
      HOME: home.root,
      TMPDIR: home.root,
    });
    const asked = JSON.stringify(requests[0]?.body);
    for (const part of [
      'Does echo. Use it when asked to.',
      'ALWAYS-BE-KIND',
      'RULE-TEXT-HERE',
      'HELPER-DESCRIPTION',
    ]) {
      expect(asked, part).toContain(part);
    }
    expect(asked).not.toMatch(/host-leak|SECRET-CRITERIA/i);
  });

  it('keeps keys, host files, network and answers away from the agent’s shell', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'skills/echo/tests/cases/t.yaml': 'name: SECRET-CASE\ninput: {command: "true"}\n',
      'evals/fixtures/in.txt': 'visible\n',
      'evals/cases/a.yaml': evalCase('a', {
        input: { prompt: 'Go.', files: ['fixtures/in.txt'] },
        expected: { contains: ['SECRET-EXPECTED'] },
      }),
    });
    const probe = [
      'env; cat fixtures/in.txt',
      `node -e 'require("net").connect(80, "1.1.1.1").on("error", (e) => console.log("NET", e.code)).on("connect", () => console.log("NET OPEN"))'`,
      `ls ${pkg.root} 2>&1; ls -A ${process.env['HOME']} 2>/dev/null | grep -v "^.cargo$\\|^.pyenv$"`,
      'grep -rls "SECRET-[CE]" /workspace /agent /aam/inside /package /tmp /home /etc /run | sed s/^/FOUND:/; find / -name "*.yaml" -path "*cases*" -not -path "/usr/*" -not -path "/proc/*" 2>/dev/null',
      'touch /usr/x /etc/x /package/x 2>&1; ls evals 2>&1; echo "THE END"',
    ].join('; ');
    const { report, requests } = await runEval(pkg.root, engine, commandScript(engine, probe));
    const seen = toolResult(requests[1]?.body);
    expect(seen).toContain('visible');
    expect(seen).toMatch(/NET (ENETUNREACH|EHOSTUNREACH)/);
    expect(seen).toMatch(/THE END/);
    expect(seen.match(/Read-only file system/g)).toHaveLength(3);
    expect(seen.match(/No such file or directory/g)).toHaveLength(2);
    for (const secret of [HOST_KEY, 'FOUND:', '.yaml', 'NET OPEN'])
      expect(seen, secret).not.toContain(secret);
    expect(report.cases[0]?.verdict).toBe('FAIL');
  });

  it('lets the agent write only where the config says', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'evals/eval-config.json': {
        version: 1,
        engine,
        timeout: 60,
        sandbox: { 'writable-paths': ['src/', 'output/'] },
      },
      'evals/cases/a.yaml': evalCase('a', { expected: { 'files-created': ['output/x', 'src/y'] } }),
      'evals/cases/b.yaml': evalCase('b', { expected: { 'files-created': ['elsewhere/z'] } }),
    });
    const command = 'touch output/x src/y; mkdir -p elsewhere && touch elsewhere/z; touch top; true';
    const { report } = await runEval(pkg.root, engine, commandScript(engine, command));
    expect(report.cases.map((it) => it.deterministic_checks)).toEqual([
      { files_created: 'PASS' },
      { files_created: 'FAIL' },
    ]);
    expect(report.config.writable_paths).toEqual(['src/', 'output/']);
  });

  it('names the skills and sub-agents that were used', async () => {
    await using pkg = await writePackage({ ...PACKAGE, 'evals/cases/a.yaml': evalCase('a') });
    const use =
      engine === 'claude-code'
        ? { name: 'Skill', input: { skill: 'echo' } }
        : shell(engine, 'cat .agents/skills/echo/SKILL.md');
    const { report } = await runEval(pkg.root, engine, [{ tools: [use] }, { text: 'Used it.' }]);
    expect(report.cases[0]?.skills_activated).toEqual(['echo']);
  });
});

describe('aam eval', () => {
  it('tells at once when something it needs is missing', async () => {
    await using pkg = await writePackage({ ...PACKAGE, 'evals/cases/a.yaml': evalCase('a') });
    const bare = { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '', HOME: pkg.root };
    const keyless = await aam(['eval'], { cwd: pkg.root, env: bare });
    expect(keyless).toMatchObject({ code: 2, stdout: '' });
    expect(keyless.stderr).toContain('export ANTHROPIC_API_KEY=');
    const cursor = await aam(['eval', '--engine', 'cursor'], { cwd: pkg.root });
    expect(cursor).toMatchObject({ code: 2, stderr: expect.stringContaining('unsupported-engine') });
  });

  it.each([
    [['no-such-case'], 'there is no eval case called no-such-case'],
    [['--target', 'skill:ecko'], 'no eval case has the target skill:ecko'],
    [['--target', 'nonsense'], 'is not of the form'],
    [['--modle', 'x'], 'Did you mean --model?'],
    [['--engine', 'claude'], 'did you mean claude-code?'],
    [['--timeout', '1e9'], 'It must be 86400 (a day) at most'],
    [['-C', '/'], '-C path/to/package'],
    [['--max-cost-usd', '1', '--engine', 'codex'], '--max-cost-usd needs to know what a token costs'],
  ])('refuses %j before anything runs', async (args, message) => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'evals/cases/a.yaml': evalCase('a', { target: 'skill:echo' }),
    });
    const result = await aam(['eval', ...args], { cwd: pkg.root, env: modelEnv('http://127.0.0.1:9') });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(message);
    expect(await readdir(pkg.root)).not.toContain('.aam');
  });

  it('refuses a package with mistakes, but not for a case that was not asked for', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'evals/cases/good.yaml': evalCase('good'),
      'evals/cases/bad.yaml': 'name: bad\ninput:\n  promt: x\n',
    });
    const all = await aam(['eval', '--dry-run'], { cwd: pkg.root });
    expect(all).toMatchObject({ code: 2 });
    expect(all.stderr).toContain('evals/cases/bad.yaml:3:3');
    expect(await aam(['eval', '--dry-run', 'good'], { cwd: pkg.root })).toMatchObject({ code: 0 });
  });

  it('--dry-run shows what would happen, writes nothing and calls no model', async () => {
    await using pkg = await writePackage(SEED);
    await using server = await modelServer([{ text: 'x' }]);
    const { code, stdout } = await aam(['eval', '--dry-run'], { cwd: pkg.root, env: modelEnv(server.url) });
    expect(code).toBe(0);
    expect(stdout).toContain('2 cases would run');
    expect(stdout).toContain('.claude/skills/pdf-tools/SKILL.md');
    expect(stdout).toContain('contains, not_contains, files_created');
    expect(server.requests).toEqual([]);
    expect(await readdir(pkg.root)).not.toContain('.aam');
    expect(await readdir(join(pkg.root, 'evals'))).not.toContain('reports');
  });

  it('runs any agent by its command', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'evals/eval-config.json': {
        version: 1,
        engine: 'command',
        command: ['/bin/sh', '-c', 'echo "got: $1"; touch made', 'sh', '{prompt}'],
        env: { MODE: 'x' },
      },
      'evals/cases/a.yaml': evalCase('a', {
        expected: { contains: ['got: Do it.'], 'files-created': ['made'] },
      }),
      'evals/cases/b.yaml': evalCase('b', { expected: { contains: ['other'] } }),
    });
    const { code, stdout } = await aam(['eval', '--json'], { cwd: pkg.root });
    const report = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(report.cases.map((it: { deterministic_checks: object }) => it.deterministic_checks)).toEqual([
      { contains: 'PASS', files_created: 'PASS' },
      { contains: 'FAIL' },
    ]);
    expect(report.agent).toMatchObject({
      runtime: 'command',
      model: null,
      model_provider: null,
      session_id: null,
    });
  });
});
