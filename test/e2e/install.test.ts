/** The real CLIs load what is installed: seen from the requests that reach a scripted model on loopback. */
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { agentBlocked } from '../../src/check/kinds/agent-blocked.ts';
import { findEngine } from '../../src/engine/find.ts';
import { listenLines } from '../../src/host/line-socket.ts';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { hookRun, hookStart } from '../../src/model/hook-log.ts';
import type { AgentPackage } from '../../src/model/package.ts';
import { installation, packageCopy } from '../../src/package/install.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { type ModelRequest, modelServer, type Turn } from '../helpers/model-server.ts';
import { type Files, MANIFEST, writePackage } from '../helpers/package.ts';

const SHIM = fileURLToPath(new URL('../../dist/inside/hook-shim.js', import.meta.url));

const PACKAGE = {
  'package.agent.json': MANIFEST,
  'AGENTS.md': 'The mascot of this project is a heron.\n',
  'skills/brew-tea/SKILL.md':
    '---\nname: brew-tea\ndescription: Brews tea in a pot of clay.\n---\nBoil water first.\n',
  'skills/brew-tea/tests/cases/a.yaml': 'name: a\ninput: { command: "true" }\n',
  'rules/spelling/RULE.md':
    '---\nname: spelling\ndescription: Spelling\napply:\n  mode: always\n---\nSpell colour with a u.\n',
  'agents/critic/agent.yaml':
    'name: critic\ndescription: Finds faults in poems.\nsystem_prompt: system-prompt.md\n',
  'agents/critic/system-prompt.md': '---\ndescription: d\n---\nYou judge poems by their metre.\n',
  'hooks/hooks.json': {
    version: 1,
    hooks: {
      'pre-tool-use': [
        {
          matcher: 'Bash',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
          hooks: [{ type: 'command', command: '"${PACKAGE_ROOT}/hooks/scripts/guard.sh"' }],
        },
      ],
    },
  },
  // Reads the package's names, so it only works when the payload was translated.
  'hooks/scripts/guard.sh!': `#!/bin/sh
input=$(cat)
case "$input" in
  *'"hookEventName":"pre-tool-use"'*) ;;
  *) echo "not understood: $input" >&2; exit 2 ;;
esac
case "$input" in
  *'"toolName":"Bash"'*forbidden*) echo "the heron says no" >&2; exit 2 ;;
esac
`,
  'evals/cases/a.yaml': 'name: a\ninput: { prompt: go }\njudge: { criteria: the answer key }\n',
};

interface Agent {
  readonly id: 'claude-code' | 'codex';
  /** A call that the hook stops, one that it lets through, a sub-agent; then an answer. */
  script(request: ModelRequest): Turn;
  command(
    prompt: string,
    home: string,
    url: string,
  ): { readonly args: readonly string[]; readonly env: Record<string, string> };
  /** How a prompt starts the command `fix`. */
  readonly fix: string;
}

const claudeCode: Agent = {
  id: 'claude-code',
  script: (request) => {
    if (isSubAgent(request)) return { text: 'It limps.' };
    const input = { subagent_type: 'critic', description: 'judge', prompt: 'Judge this poem.' };
    const turns: Turn[] = [
      { tools: [{ name: 'Bash', input: { command: 'touch forbidden.txt' } }] },
      { tools: [{ name: 'Bash', input: { command: 'touch fine.txt' } }] },
      { tools: [{ name: 'Agent', input }] },
    ];
    return turns[request.turn] ?? { text: 'Done.' };
  },
  command: (prompt, home, url) => ({
    args: [
      ...['-p', prompt, '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-5-5'],
      ...[
        '--permission-mode',
        'bypassPermissions',
        '--setting-sources',
        'project',
        '--no-session-persistence',
      ],
    ],
    env: {
      CLAUDE_CONFIG_DIR: join(home, 'claude'),
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '0',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      IS_SANDBOX: '1',
    },
  }),
  fix: '/fix 12 main',
};

const codex: Agent = {
  id: 'codex',
  script: (request) => {
    if (isSubAgent(request)) return { text: 'It limps.' };
    const id = /agent_id[\\":]+([0-9a-f-]{36})/.exec(JSON.stringify(request.body.input))?.[1];
    const namespace = 'multi_agent_v1';
    const turns: Turn[] = [
      { tools: [{ name: 'exec_command', input: { cmd: 'touch forbidden.txt' } }] },
      { tools: [{ name: 'exec_command', input: { cmd: 'touch fine.txt' } }] },
      { tools: [{ name: 'spawn_agent', namespace, input: { agent_type: 'critic', message: 'Judge it.' } }] },
      { tools: [{ name: 'wait_agent', namespace, input: { targets: [id], timeout_ms: 10_000 } }] },
    ];
    return turns[request.turn] ?? { text: 'Done.' };
  },
  command: (prompt, home, url) => ({
    args: [
      ...['exec', prompt, '--json', '--ephemeral', '--skip-git-repo-check', '--model', 'gpt-5.4'],
      ...['--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust'],
      ...Object.entries({
        model_provider: '"scripted"',
        'model_providers.scripted': `{ name = "scripted", base_url = "${url}/v1", wire_api = "responses" }`,
        'analytics.enabled': 'false',
        check_for_update_on_startup: 'false',
        'features.apps': 'false',
        'features.plugins': 'false',
        'features.shell_snapshot': 'false',
        'features.unbounded_connection_retries': 'false',
        'skills.bundled': '{ enabled = false }',
      }).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    env: { CODEX_HOME: join(home, 'codex') },
  }),
  fix: '$cmd-fix 12 main',
};

/** The parent's request only mentions the description of the sub-agent. */
function isSubAgent({ body }: ModelRequest): boolean {
  return JSON.stringify(body).includes('You judge poems by their metre.');
}

const NOTHING_ELSE = {
  installed: [{ event: 'pre-tool-use', group: 0, index: 0, command: 'guard.sh' }],
  events: [],
  confirmed: [],
  gap: null,
};

describe.each([claudeCode, codex])('an installed package on $id', (agent) => {
  it('is offered to the model, and its hook stops what it should', async () => {
    const it = await session(agent, PACKAGE);
    expect(it.requests.length, it.output).toBeGreaterThan(4);
    for (const offered of [
      'brew-tea',
      'Brews tea in a pot of clay.',
      'Spell colour with a u.',
      'The mascot of this project is a heron.',
      'Finds faults in poems.',
    ])
      expect(it.requests[0]?.text, offered).toContain(offered);
    const all = it.requests.map(({ text }) => text).join('\n');
    expect(all).toContain('You judge poems by their metre.');
    expect(all).not.toContain('the answer key');

    expect(it.files).not.toContain('forbidden.txt');
    expect(it.files).toContain('fine.txt');
    expect(it.requests.find(({ turn }) => turn === 1)?.text).toContain('the heron says no');

    expect(it.hooks.map(({ toolName, exitCode, decision }) => ({ toolName, exitCode, decision }))).toEqual([
      { toolName: 'Bash', exitCode: 2, decision: 'block' },
      { toolName: 'Bash', exitCode: 0, decision: 'none' },
    ]);
    expect(
      agentBlocked(true, { ...NOTHING_ELSE, hooks: it.hooks, target: 'hook:pre-tool-use' }),
    ).toMatchObject({
      verdict: 'PASS',
      message: 'pre-tool-use hook hooks/scripts/guard.sh blocked Bash: the heron says no',
    });
  });

  it.each([
    ['an exit code without a reason', 'exit 2'],
    ['a decision', `echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`],
    ['an older word', `echo '{"decision":"block"}'`],
  ])('stops a call by %s', async (_, script) => {
    const it = await session(agent, {
      ...PACKAGE,
      'hooks/scripts/guard.sh!': `#!/bin/sh\n${script}\n`,
    });
    expect(it.hooks[0]).toMatchObject({ decision: 'block', error: null });
    expect(it.files).not.toContain('forbidden.txt');
  });

  it('lets a call through when its hook is missing, and that is told', async () => {
    const { 'hooks/scripts/guard.sh!': _, ...files } = PACKAGE;
    const it = await session(agent, files);
    expect(it.files).toContain('forbidden.txt');
    expect(agentBlocked(true, { ...NOTHING_ELSE, hooks: it.hooks, target: null }).message).toBe(
      'expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh is missing (exit 127), so nothing was blocked (2 hooks ran)',
    );
  });

  it('has its MCP servers started and its commands at hand', async () => {
    const fix =
      '---\nname: fix\ndescription: d\nvariables: [{name: issue}, {name: branch}]\n---\nFix {{issue}}.\n';
    /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: others fill it in */
    const server = {
      command: '${PACKAGE_ROOT}/mcp/server.sh',
      args: ['one two'],
      env: { TOKEN: '${TOKEN}' },
      cwd: '${PACKAGE_ROOT}/mcp',
    };
    /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: others fill it in */
    const it = await session(
      agent,
      {
        'package.agent.json': MANIFEST,
        'commands/fix.md': fix,
        'mcp/servers.json': { servers: { tools: server } },
        'mcp/server.sh!': '#!/bin/sh\necho "$TOKEN:$1:$(basename "$PWD")" > ../../started\n',
      },
      agent.fix,
    );
    expect(it.started).toBe('t0ken:one two:mcp\n');
    const prompt = it.requests[0]?.text;
    expect(prompt).toContain(agent === claudeCode ? 'Fix 12.' : 'Fix {{issue}}.');
  });
});

async function session(agent: Agent, files: Files, prompt = 'go') {
  await using source = await writePackage(files);
  await using folder = await temporaryFolder();
  await using log = await listenLines(join(folder.path, 'log.sock'));
  await using model = await modelServer(agent.script);
  const pkg = await readPackage(source.root);
  const workspace = await layOut(pkg, agent.id, folder.path, log.path);
  const home = join(folder.path, 'home');
  for (const dir of ['claude', 'codex']) await mkdir(join(home, dir), { recursive: true });
  const { args, env } = agent.command(prompt, home, model.url);
  const program = findEngine(agent.id, { env: {}, cwd: folder.path, home })?.path ?? agent.id;
  const all = { HOME: home, PATH: '/usr/bin:/bin', TOKEN: 't0ken', ...env };
  const output = await run(program, args, workspace, all);
  const requests = model.requests.map(({ body, turn }) => ({ turn, text: JSON.stringify(body) }));
  const hooks = log.lines
    .filter((line) => !hookStart.safeParse(line).success)
    .map((line) => hookRun.parse(line));
  const started = await readFile(join(folder.path, 'started'), 'utf8').catch(() => null);
  return { output, requests, hooks, files: await readdir(workspace), started };
}

async function layOut(pkg: AgentPackage, engine: Agent['id'], dir: string, socket: string): Promise<string> {
  const packageRoot = join(dir, 'package');
  for (const path of packageCopy(pkg)) await cp(join(pkg.root, path), join(packageRoot, path));
  const definitions = join(dir, 'hooks.json');
  const { files, hooks } = installation(pkg, engine, {
    packageRoot,
    shim: [process.execPath, SHIM, definitions, socket],
    instructions: pkg.instructions && (await readFile(join(pkg.root, pkg.instructions), 'utf8')),
  });
  await writeFile(definitions, JSON.stringify(hooks));
  const workspace = join(dir, 'workspace');
  // Enough of a repository for the CLIs to look no further up.
  for (const part of ['objects', 'refs']) await mkdir(join(workspace, '.git', part), { recursive: true });
  await writeFile(join(workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  for (const file of files) {
    const to = join(workspace, file.to);
    await mkdir(join(to, '..'), { recursive: true });
    if ('from' in file) await cp(join(pkg.root, file.from), to);
    else await writeFile(to, file.text);
  }
  return workspace;
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  return new Promise((settle) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const timer = setTimeout(() => child.kill('SIGTERM'), 45_000);
    child.on('close', () => {
      clearTimeout(timer);
      settle(output);
    });
  });
}
