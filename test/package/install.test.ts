import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { type Installation, installation, leftOut, packageCopy } from '../../src/package/install.ts';
import { type Files, MANIFEST, skillText, writePackage } from '../helpers/package.ts';

const WHERE = {
  packageRoot: '/package',
  shim: ['/node', '/shim.js', '/defs it.json', '/log.sock'],
  instructions: null,
};
type Engine = Parameters<typeof installation>[1];

interface Installed extends Installation {
  readonly tree: readonly string[];
  text(to: string): string;
}

async function install(files: Files, engine: Engine, instructions: string | null = null): Promise<Installed> {
  await using folder = await writePackage({ 'package.agent.json': MANIFEST, ...files });
  const pkg = await readPackage(folder.root);
  const result = installation(pkg, engine, { ...WHERE, instructions });
  const text = (to: string) => {
    const file = result.files.find((it) => it.to === to);
    return file && 'text' in file ? file.text : `no such file: ${to}`;
  };
  const tree = result.files.map((it) => ('from' in it ? `${it.to} ← ${it.from}` : it.to));
  return { ...result, tree, text };
}

const rule = (name: string, apply: string, more = '') =>
  `---\nname: ${name}\ndescription: About ${name}\napply:\n${apply}${more}---\nThe ${name} rule.\n`;

const RULES = {
  'rules/base/RULE.md': rule('base', '  mode: always\n'),
  'rules/ts/RULE.md': rule('ts', '  mode: files\n  globs: ["**/*.ts", "**/*.tsx"]\n'),
  'rules/smart/RULE.md': rule('smart', '  mode: intelligent\n'),
  'rules/byhand/RULE.md': rule('byhand', '  mode: manual\n'),
  'rules/off/RULE.md': rule(
    'off',
    '  mode: always\n',
    'agents:\n  claude:\n    enabled: false\n  codex:\n    enabled: false\n',
  ),
};

describe('skills', () => {
  const files = {
    'skills/pdf/SKILL.md': skillText('pdf'),
    'skills/pdf/scripts/run.sh!': '#!/bin/sh\n',
    'skills/pdf/references/evals/guide.md': 'how to write evals',
    'skills/pdf/node_modules/dep/index.js': '',
    'skills/pdf/tests/cases/a.yaml': 'name: a\ninput: {command: "true"}\n',
    'skills/pdf/evals/evals.json': {},
    'skills/pdf/__pycache__/a.pyc': '',
  };

  it.each([
    ['claude-code', '.claude/skills'],
    ['codex', '.agents/skills'],
    ['command', '.agents/skills'],
  ] as const)('go to their folder on %s, without tests and evals', async (engine, folder) => {
    const { tree, warnings } = await install(files, engine);
    expect(tree).toEqual([
      'package.agent.json',
      `${folder}/pdf/SKILL.md ← skills/pdf/SKILL.md`,
      `${folder}/pdf/node_modules ← skills/pdf/node_modules`,
      `${folder}/pdf/references/evals/guide.md ← skills/pdf/references/evals/guide.md`,
      `${folder}/pdf/scripts/run.sh ← skills/pdf/scripts/run.sh`,
    ]);
    expect(warnings).toEqual([]);
  });

  it('may be a folder with nothing else', async () => {
    await using folder = await writePackage({
      'SKILL.md': skillText('pdf'),
      'scripts/a.sh': '',
      'tests/cases/a.yaml': '',
      'evals/evals.json': {},
    });
    const { files: found } = installation(await readPackage(folder.root), 'claude-code', WHERE);
    expect(found.slice(1).map(({ to }) => to)).toEqual([
      '.claude/skills/pdf/SKILL.md',
      '.claude/skills/pdf/scripts/a.sh',
    ]);
  });

  it('that only people start are marked for Codex', async () => {
    const head = 'name: pdf\ndescription: Does it\ndisable-model-invocation: true\ncontext: fork';
    const { text, warnings } = await install({ 'skills/pdf/SKILL.md': `---\n${head}\n---\nx\n` }, 'codex');
    expect(parse(text('.agents/skills/pdf/agents/openai.yaml'))).toEqual({
      policy: { allow_implicit_invocation: false },
    });
    expect(warnings).toEqual(['skills/pdf/SKILL.md: Codex does not know context: fork']);
  });
});

describe('the answers', () => {
  it('are in no copy, also not through links', async () => {
    await using folder = await writePackage({
      'package.agent.json': MANIFEST,
      'package.agent.lock': { lockVersion: 2, resolved: {} },
      'skills/pdf/SKILL.md': skillText('pdf'),
      'skills/pdf/tests/cases/a.yaml': 'secret',
      'hooks/hooks.json': { version: 1, hooks: {} },
      'hooks/scripts/a.sh!': '',
      'hooks/tests/cases/a.yaml': 'secret',
      'commands/tests/cases/a.yaml': 'secret',
      'evals/cases/a.yaml': 'secret',
      'evals/reports/r.json': {},
      'tests/a.txt': 'secret',
      '.aam/runs/x/capture.json': {},
      '.git/HEAD': '',
      '.agent-packages/dep/package.agent.json': {},
      'node_modules/dep/index.js': '',
      'lib/data.txt': '',
    });
    await symlink('../../evals/cases', join(folder.root, 'skills/pdf/cases'));
    await symlink('../evals/cases/a.yaml', join(folder.root, 'lib/answer.yaml'));
    await symlink('answer.yaml', join(folder.root, 'lib/again.yaml'));
    await symlink('/etc/hostname', join(folder.root, 'lib/host'));
    await symlink('data.txt', join(folder.root, 'lib/fine.txt'));
    const pkg = await readPackage(folder.root);
    const copied = [
      'hooks/hooks.json',
      'hooks/scripts/a.sh',
      'lib/data.txt',
      'lib/fine.txt',
      'node_modules',
      'package.agent.json',
      'skills/pdf/SKILL.md',
    ];
    expect(packageCopy(pkg)).toEqual(copied);
    const { files, warnings } = installation(pkg, 'claude-code', WHERE);
    expect(files.map(({ to }) => to)).toEqual(['package.agent.json', '.claude/skills/pdf/SKILL.md']);
    expect(warnings).toEqual([
      'lib/again.yaml: links to evals/cases/a.yaml, which agents must not see, so it is not installed',
      'lib/answer.yaml: links to evals/cases/a.yaml, which agents must not see, so it is not installed',
      'lib/host: links to something outside the package, so it is not installed',
      'skills/pdf/cases/a.yaml: links to evals/cases/a.yaml, which agents must not see, so it is not installed',
    ]);
  });
});

describe('what its author may not mean to give away', () => {
  it('is left out and told: secrets, and copies of evals', async () => {
    const secrets = [
      ...['.env', '.env.local', '.npmrc', '.netrc', '.git-credentials', 'lib/server.key', 'lib/cert.pem'],
      'keys/id_ed25519',
    ];
    const kept = ['.env.example', '.env.local.sample', 'keys/id_ed25519.pub', 'keys/keyring.txt'];
    const copies = ['evals.bak/a.yaml', '.evals/x', 'skills/evals/eval/a.yaml', 'skills/evals/evals.json'];
    const content = ['skills/evals/SKILL.md', 'skills/evals/scripts/eval.py', 'lib/evals/a.js'];
    const all = [...secrets, ...kept, ...copies, ...content];
    await using folder = await writePackage({
      'package.agent.json': MANIFEST,
      ...Object.fromEntries(all.map((path) => [path, 'x'])),
      'skills/evals/SKILL.md': skillText('evals'),
    });
    await symlink('../.env', join(folder.root, 'lib/settings'));
    const pkg = await readPackage(folder.root);
    expect(packageCopy(pkg)).toEqual([...kept, ...content, 'package.agent.json'].sort());
    expect(leftOut(pkg)).toMatchInlineSnapshot(`
      [
        ".evals/x, evals.bak/a.yaml, skills/evals/eval/a.yaml, skills/evals/evals.json: looks like evals, so agents do not get it",
        ".env, .env.local, .git-credentials, .netrc, .npmrc, keys/id_ed25519, lib/cert.pem, lib/server.key: may hold secrets, so agents do not get it",
      ]
    `);
    expect(installation(pkg, 'codex', WHERE).warnings).toEqual([
      'lib/settings: links to .env, which agents must not see, so it is not installed',
    ]);
  });
});

it('writes a manifest that names the package', async () => {
  const { text } = await install({}, 'command');
  expect(JSON.parse(text('package.agent.json'))).toEqual({
    name: 'eval-workspace',
    version: '0.0.0',
    dependencies: { demo: '1.0.0' },
    'x-aam': { sources: { demo: { type: 'file', path: '/package' } } },
  });
});

describe('rules and instructions', () => {
  it('on Claude Code', async () => {
    const { tree, text, warnings } = await install(RULES, 'claude-code', 'Be kind.\n');
    expect(tree.slice(1).sort()).toEqual([
      '.agents/rules/byhand.md',
      '.agents/rules/smart.md',
      '.claude/rules/ts.md',
      'AGENTS.md',
      'CLAUDE.md',
    ]);
    expect(text('AGENTS.md')).toBe('Be kind.\n');
    expect(text('CLAUDE.md')).toMatchInlineSnapshot(`
      "@AGENTS.md

      The base rule.

      Read .agents/rules/smart.md before you do anything that this is about: About smart
      "
    `);
    expect(text('.claude/rules/ts.md')).toMatchInlineSnapshot(`
      "---
      paths:
        - "**/*.ts"
        - "**/*.tsx"
      ---

      The ts rule.
      "
    `);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "rules/byhand/RULE.md: mode manual: it is at .agents/rules/byhand.md, and is read only when a prompt names that file",
        "rules/smart/RULE.md: mode intelligent: the agent is told to read .agents/rules/smart.md when its description applies",
      ]
    `);
  });

  it('on Codex', async () => {
    const { text, warnings } = await install(RULES, 'codex', 'Be kind.\n');
    expect(text('AGENTS.md')).toMatchInlineSnapshot(`
      "Be kind.

      The base rule.

      Read .agents/rules/smart.md before you do anything that this is about: About smart

      ## Only for files that match **/*.ts, **/*.tsx

      The ts rule.
      "
    `);
    expect(warnings).toHaveLength(3);
    expect(warnings).toContain(
      'rules/ts/RULE.md: mode files: it is always loaded, under a heading that it is only for **/*.ts, **/*.tsx',
    );
  });

  it('may be absent', async () => {
    const { tree } = await install({}, 'claude-code');
    expect(tree).toEqual(['package.agent.json']);
  });

  it('have names that stay in their folder', async () => {
    const legacy = '---\nname: ../../../out\ndescription: d\nalwaysApply: true\n---\nx\n';
    const { tree, warnings } = await install({ 'rules/a/RULE.md': legacy }, 'claude-code');
    expect(tree).toEqual(['package.agent.json']);
    expect(warnings).toEqual(['rules/a/RULE.md: "../../../out" cannot be the name of a file']);
  });
});

describe('commands', () => {
  const two =
    '---\nname: fix\ndescription: Fixes an issue\nvariables:\n  - name: issue\n    required: true\n  - name: branch\n    default: main\n---\nFix {{issue}} on {{ branch }}, then {{issue}}x and {{other}}.\n';
  const one = '---\nname: say\nvariables:\n  - name: text\n---\nSay {{text}}.\n';

  it('on Claude Code take their variables as arguments', async () => {
    const { text, warnings } = await install(
      { 'commands/fix.md': two, 'commands/say.md': one },
      'claude-code',
    );
    expect(text('.claude/commands/fix.md')).toMatchInlineSnapshot(`
      "---
      description: Fixes an issue
      argument-hint: "[issue] [branch]"
      arguments:
        - issue
        - branch
      ---

      Fix $issue on $branch, then $ARGUMENTS[0]x and {{other}}.
      "
    `);
    expect(text('.claude/commands/say.md')).toMatchInlineSnapshot(`
      "---
      argument-hint: "[text]"
      ---

      Say $ARGUMENTS.
      "
    `);
    expect(warnings).toEqual([
      'commands/fix.md: Claude Code has no defaults for arguments; branch is empty unless given',
    ]);
  });

  it('on Codex are skills that only people start', async () => {
    const { text, tree, warnings } = await install({ 'commands/fix.md': two }, 'codex');
    expect(tree.slice(1)).toEqual([
      '.agents/skills/cmd-fix/SKILL.md',
      '.agents/skills/cmd-fix/agents/openai.yaml',
    ]);
    expect(text('.agents/skills/cmd-fix/SKILL.md')).toMatchInlineSnapshot(`
      "---
      name: cmd-fix
      description: "Fixes an issue"
      ---

      Fix {{issue}} on {{ branch }}, then {{issue}}x and {{other}}.

      Take these from what the user wrote:

      - {{issue}}
      - {{branch}} (main unless given)
      "
    `);
    expect(warnings).toEqual([
      'commands/fix.md: Codex has no commands; it is the skill cmd-fix, started by $cmd-fix in a prompt',
    ]);
  });
});

describe('sub-agents', () => {
  const files = {
    'skills/pdf/SKILL.md': skillText('pdf'),
    'agents/critic/agent.yaml':
      'name: critic\ndescription: "Finds faults: all"\nsystem_prompt: system-prompt.md\nmodel: sonnet\nskills: [pdf, other:x]\ntools: [Read, file_read]\nparameters: {temperature: 0}\n',
    'agents/critic/system-prompt.md': '---\ndescription: d\n---\nYou find "faults".\n\nAll of them.\n',
  };

  it('on Claude Code', async () => {
    const { text, warnings } = await install(files, 'claude-code');
    expect(text('.claude/agents/critic.md')).toMatchInlineSnapshot(`
      "---
      name: critic
      description: "Finds faults: all"
      tools: Read
      skills:
        - pdf
      model: sonnet
      ---

      You find "faults".

      All of them.
      "
    `);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "agents/critic/agent.yaml: no tools of Claude Code: file_read; it gets the others",
        "agents/critic/agent.yaml: its skill other:x is not in this package",
        "agents/critic/agent.yaml: Claude Code has no parameters: temperature",
      ]
    `);
  });

  it('on Codex', async () => {
    const { text, warnings } = await install(files, 'codex');
    expect(text('.codex/agents/critic.toml')).toMatchInlineSnapshot(`
      "name = "critic"
      description = "Finds faults: all"
      developer_instructions = "You find \\"faults\\".\\n\\nAll of them."
      "
    `);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "agents/critic/agent.yaml: sub-agents of Codex have no tools of their own; they use those of the session",
        "agents/critic/agent.yaml: sub-agents of Codex have no skills of their own; they use those of the session",
        "agents/critic/agent.yaml: sub-agents of Codex have no parameters of their own; they use those of the session",
        "agents/critic/agent.yaml: sonnet is not a model of Codex; it uses the session’s",
      ]
    `);
  });
});

describe('hooks', () => {
  const files = {
    'hooks/hooks.json': {
      version: 1,
      hooks: {
        'pre-tool-use': [
          { matcher: 'Write|Edit', hooks: [{ type: 'command', command: './guard.sh', timeout: 10 }] },
          {
            hooks: [
              { type: 'prompt', prompt: 'Is it safe?' },
              { type: 'command', command: './log.sh' },
            ],
          },
        ],
        'session-end': [{ hooks: [{ type: 'command', command: './bye.sh' }] }],
        notification: [{ hooks: [{ type: 'command', command: './ding.sh' }] }],
        'pre-toool-use': [{ hooks: [{ type: 'command', command: './x.sh' }] }],
      },
    },
  };

  it('on Claude Code run through the shim', async () => {
    const { text, hooks, warnings } = await install(files, 'claude-code');
    const settings = JSON.parse(text('.claude/settings.json'));
    expect(Object.keys(settings.hooks)).toEqual(['PreToolUse', 'SessionEnd', 'Notification']);
    expect(settings.hooks.PreToolUse).toEqual([
      {
        matcher: 'Write|Edit',
        hooks: [
          {
            type: 'command',
            command: "/node /shim.js '/defs it.json' /log.sock claude-code pre-tool-use 0 0",
            timeout: 15,
          },
        ],
      },
      {
        hooks: [
          {
            type: 'command',
            command: "/node /shim.js '/defs it.json' /log.sock claude-code pre-tool-use 1 1",
            timeout: 35,
          },
        ],
      },
    ]);
    expect(hooks.slice(0, 2)).toEqual([
      {
        event: 'pre-tool-use',
        group: 0,
        index: 0,
        type: 'command',
        command: './guard.sh',
        timeoutSeconds: 10,
        packageRoot: '/package',
      },
      {
        event: 'pre-tool-use',
        group: 1,
        index: 0,
        type: 'prompt',
        command: null,
        timeoutSeconds: 30,
        packageRoot: '/package',
      },
    ]);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "hooks/hooks.json: hooks.pre-tool-use[1].hooks[0] is a prompt; only commands are run",
        "hooks/hooks.json: notification does not happen in a trial: nobody is there to be asked or told",
        "hooks/hooks.json: pre-toool-use is not an event of Claude Code, so its hooks never run",
      ]
    `);
  });

  it('on Codex', async () => {
    const { text, hooks, warnings } = await install(files, 'codex');
    expect(Object.keys(JSON.parse(text('.codex/hooks.json')).hooks)).toEqual(['PreToolUse', 'SessionEnd']);
    expect(hooks.find(({ event }) => event === 'session-end')?.timeoutSeconds).toBe(2);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "hooks/hooks.json: hooks.pre-tool-use[1].hooks[0] is a prompt; only commands are run",
        "hooks/hooks.json: hooks.session-end[0].hooks[0] gets 2 s at most, because Codex does not wait longer",
        "hooks/hooks.json: notification is not an event of Codex, so its hooks never run",
        "hooks/hooks.json: pre-toool-use is not an event of Codex, so its hooks never run",
      ]
    `);
  });
});

describe('MCP servers', () => {
  /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: the agents fill it in */
  const files = {
    'mcp/servers.json': {
      servers: {
        calc: {
          command: '${PACKAGE_ROOT}/mcp/calc.js',
          args: ['--root', '${PACKAGE_ROOT}', '${MODE}'],
          env: { TOKEN: '${TOKEN}', HOST: 'a"b' },
          cwd: '${PACKAGE_ROOT}',
        },
        plain: { command: 'plain' },
        remote: { type: 'http', url: 'https://example.com/mcp', headers: { 'X-A': 'b' } },
        old: { type: 'sse', url: 'https://example.com/sse' },
        asks: { command: 'x', args: ['${input:key}'] },
      },
    },
  };
  /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: the agents fill it in */

  it('on Claude Code', async () => {
    const { text, warnings } = await install(files, 'claude-code');
    expect(JSON.parse(text('.mcp.json'))).toMatchInlineSnapshot(`
      {
        "mcpServers": {
          "calc": {
            "args": [
              "-c",
              "cd "$1" && shift && exec "$@"",
              "sh",
              "/package",
              "/package/mcp/calc.js",
              "--root",
              "/package",
              "\${MODE}",
            ],
            "command": "/bin/sh",
            "env": {
              "HOST": "a"b",
              "TOKEN": "\${TOKEN}",
            },
            "type": "stdio",
          },
          "old": {
            "type": "sse",
            "url": "https://example.com/sse",
          },
          "plain": {
            "args": [],
            "command": "plain",
            "type": "stdio",
          },
          "remote": {
            "headers": {
              "X-A": "b",
            },
            "type": "http",
            "url": "https://example.com/mcp",
          },
        },
      }
    `);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "mcp/servers.json: the server asks asks people for key, which a trial cannot; it is left out",
      ]
    `);
  });

  it('on Codex', async () => {
    const { text, warnings } = await install(files, 'codex');
    expect(text('.codex/config.toml')).toMatchInlineSnapshot(`
      "[mcp_servers.calc]
      command = "/package/mcp/calc.js"
      args = ["--root", "/package", "\${MODE}"]
      env = { "HOST" = "a\\"b" }
      env_vars = ["TOKEN"]
      cwd = "/package"

      [mcp_servers.plain]
      command = "plain"
      args = []

      [mcp_servers.remote]
      url = "https://example.com/mcp"
      http_headers = { "X-A" = "b" }
      "
    `);
    expect(warnings).toMatchInlineSnapshot(`
      [
        "mcp/servers.json: Codex does not fill in \${MODE}; the server calc gets it as it is written",
        "mcp/servers.json: Codex does not speak sse, so the server old is left out",
        "mcp/servers.json: the server asks asks people for key, which a trial cannot; it is left out",
      ]
    `);
  });
});

it('tells an agent of your own what it does not get', async () => {
  const { tree, warnings } = await install(
    {
      ...RULES,
      'commands/a.md': '---\nname: a\n---\nx\n',
      'agents/b.md': '---\ndescription: d\n---\nx\n',
      'hooks/hooks.json': { version: 1, hooks: {} },
      'mcp/servers.json': { servers: {} },
    },
    'command',
    'Be kind.',
  );
  expect(tree.slice(1)).toEqual(['.agents/rules/byhand.md', '.agents/rules/smart.md', 'AGENTS.md']);
  expect(warnings.slice(3)).toMatchInlineSnapshot(`
    [
      "commands/a.md: commands have no common layout, so an agent of your own does not get them",
      "agents/b.md: sub-agents have no common layout, so an agent of your own does not get them",
      "hooks/hooks.json: hooks have no common layout, so an agent of your own does not get them",
      "mcp/servers.json: MCP servers have no common layout, so an agent of your own does not get them",
    ]
  `);
});
