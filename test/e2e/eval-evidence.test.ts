/** A verdict needs evidence that is the package's own. */
import { describe, expect, it } from 'vitest';
import {
  type AgentEngine,
  ENGINE_NAMES,
  evalCase,
  PACKAGE,
  runEval,
  runOwnAgent,
  shell,
  withOwnAgent,
} from '../helpers/eval.ts';
import { type Files, writePackage } from '../helpers/package.ts';

const hooks = (command: string, matcher: string): Files => ({
  'hooks/hooks.json': {
    version: 1,
    hooks: { 'pre-tool-use': [{ matcher, hooks: [{ type: 'command', command }] }] },
  },
});

const CONFIG: Record<AgentEngine, string> = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
};

describe('a hook that is not the package’s', () => {
  const own = JSON.stringify({
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo own >&2; exit 2' }] }] },
  });
  const script = [
    // Claude Code takes a while to see that its settings changed.
    { tools: [shell('claude-code', `mkdir -p .claude; echo '${own}' > .claude/settings.json; sleep 2`)] },
    { tools: [shell('claude-code', 'echo 1')] },
    { text: 'Done.' },
  ];

  it.each([
    ['without hooks', {}],
    ['with hooks that do nothing', hooks('exit 0', 'Bash|Write')],
  ])('does not make agent-blocked true: a package %s', async (_, files) => {
    await using pkg = await writePackage({
      ...PACKAGE,
      ...files,
      'evals/cases/a.yaml': evalCase('a', { expected: { 'agent-blocked': true } }),
      'evals/cases/b.yaml': evalCase('b', { expected: { 'agent-blocked': false } }),
    });
    const { report } = await runEval(pkg.root, 'claude-code', script);
    const checks = report.cases.map(({ deterministic_checks }) => deterministic_checks['agent_blocked']);
    expect(checks).toEqual(['FAIL', 'FAIL']);
    expect(report.cases[0]?.error).toContain(
      'pre-tool-use hook blocked: own; no hook of the package reported it',
    );
  });
});

describe.each(ENGINE_NAMES)('hooks that were switched off, with %s', (engine) => {
  it('leave agent-blocked: false open, so it fails and says why', async () => {
    await using pkg = await writePackage({
      ...PACKAGE,
      ...hooks('exit 0', 'Bash'),
      'evals/cases/a.yaml': evalCase('a', { expected: { 'agent-blocked': false } }),
    });
    const config = CONFIG[engine];
    const off = `cp ${config} kept; echo '{}' > ${config}; cp kept ${config}; rm kept`;
    const { report } = await runEval(pkg.root, engine, [{ tools: [shell(engine, off)] }, { text: 'Done.' }]);
    expect(report.cases[0]).toMatchObject({
      verdict: 'FAIL',
      error: `expected agent-blocked=false but what the hooks did is not known to its end: the agent changed ${config}, where its hooks are set`,
      warnings: [`the agent changed ${config}, so hooks of the package may not have run`],
    });
    const quiet = await runEval(pkg.root, engine, [{ tools: [shell(engine, 'echo 1')] }, { text: 'Done.' }]);
    expect(quiet.report.cases[0]).toMatchObject({
      deterministic_checks: { agent_blocked: 'PASS' },
      warnings: [],
    });
  });
});

it('only files count as created', async () => {
  const made =
    'mkdir out; ln -s /nonexistent out/a; mkfifo out/b; ln -s /etc out/c; echo x > d; ln -s /workspace/d out/d';
  await using pkg = await writePackage({
    ...withOwnAgent(made),
    'evals/cases/a.yaml': evalCase('a', { expected: { 'files-created': ['out/a', 'out/b', 'out/c'] } }),
    'evals/cases/d.yaml': evalCase('d', { expected: { 'files-created': ['out/d', 'd'] } }),
  });
  const { report } = await runOwnAgent(pkg.root);
  expect(report.cases.map(({ check_details }) => check_details[0]?.message)).toEqual([
    'out/a is a link that leads out of the workspace, not a file; out/b is a pipe, a socket or a device, not a file; out/c is a link that leads out of the workspace, not a file',
    'all 2 were created',
  ]);
});

describe('what an engine cannot show', () => {
  const prompts = { 'pre-tool-use': [{ hooks: [{ type: 'prompt', prompt: 'Is it bad?' }] }] };
  const command = (event: string) => ({ [event]: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] });

  it.each<[AgentEngine, string, object, object, string]>([
    [
      'codex',
      'notification',
      command('notification'),
      { target: 'hook:notification' },
      'notification is not an event of Codex; no engine can show it',
    ],
    [
      'claude-code',
      'permission-request',
      command('permission-request'),
      { target: 'hook:permission-request' },
      'permission-request does not happen in a trial',
    ],
    [
      'claude-code',
      'prompts',
      prompts,
      { target: 'hook:pre-tool-use', expected: { 'agent-blocked': true } },
      'all pre-tool-use hooks are prompts',
    ],
    [
      'codex',
      'prompts',
      prompts,
      { expected: { 'agent-blocked': false } },
      'agent-blocked cannot be decided: all pre-tool-use',
    ],
  ])('stays undecided and costs nothing: %s, %s', async (engine, _, events, more, message) => {
    await using pkg = await writePackage({
      ...PACKAGE,
      'hooks/hooks.json': { version: 1, hooks: events },
      'evals/cases/a.yaml': evalCase('a', more),
    });
    const { report, requests, code } = await runEval(pkg.root, engine, [{ text: 'Done.' }]);
    expect(report.cases[0]).toMatchObject({ verdict: 'SKIP', error_kind: 'unsupported' });
    expect(report.cases[0]?.error).toContain(message);
    expect([requests, code]).toEqual([[], 3]);
  });

  it('stays undecided with an agent that runs no hooks', async () => {
    await using pkg = await writePackage({
      ...withOwnAgent('echo x > ran; echo ran'),
      'hooks/hooks.json': { version: 1, hooks: command('pre-tool-use') },
      'evals/cases/a.yaml': evalCase('a', { expected: { 'agent-blocked': false } }),
      'evals/cases/b.yaml': evalCase('b', {
        target: 'hook:pre-tool-use',
        expected: { 'agent-blocked': true },
      }),
      'evals/cases/c.yaml': evalCase('c', { expected: { contains: ['ran'] } }),
    });
    const { report } = await runOwnAgent(pkg.root);
    expect(report.cases.map((it) => [it.error_kind, it.error])).toMatchInlineSnapshot(`
      [
        [
          "unsupported",
          "agent-blocked cannot be decided with the engine command, which runs no hooks; run this case with --engine claude-code or --engine codex",
        ],
        [
          "unsupported",
          "the engine command runs no hooks, so pre-tool-use cannot happen; run this case with --engine claude-code or --engine codex",
        ],
        [
          "no-judge",
          "the judge is off (--no-judge)",
        ],
      ]
    `);
  });
});
