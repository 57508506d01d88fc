import { describe, expect, it } from 'vitest';
import { agentBlocked } from '../../src/check/kinds/agent-blocked.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { HookRun } from '../../src/model/hook-log.ts';

const RUN: HookRun = {
  event: 'pre-tool-use',
  group: 0,
  index: 0,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
  command: '"${PACKAGE_ROOT}/hooks/scripts/guard.sh"',
  toolName: 'Write',
  exitCode: 0,
  decision: 'none',
  reason: '',
  stdout: '',
  stderr: '',
  error: null,
  durationMs: 5,
};
const INSTALLED = ['pre-tool-use', 'stop', 'session-start', 'post-tool-use'].map((event) => ({
  event,
  group: 0,
  index: 0,
  command: RUN.command,
}));
const BLOCK: HookRun = { ...RUN, exitCode: 2, decision: 'block', reason: '/etc is protected' };

function decide(
  expected: boolean,
  hooks: HookRun[],
  target: string | null = null,
  events: AgentEvent[] = [],
  more: { confirmed?: string[]; gap?: string } = {},
) {
  const evidence = { hooks, events, target, installed: INSTALLED, confirmed: [], gap: null, ...more };
  const { verdict, message } = agentBlocked(expected, evidence);
  return `${verdict} ${message}`;
}

describe('agent-blocked: true', () => {
  it('passes on a block by exit code or by decision', () => {
    expect(decide(true, [RUN, BLOCK])).toMatchInlineSnapshot(
      `"PASS pre-tool-use hook hooks/scripts/guard.sh blocked Write: /etc is protected"`,
    );
    expect(decide(true, [{ ...BLOCK, exitCode: 0 }], 'hook:pre-tool-use')).toMatch(/^PASS/);
    expect(decide(true, [BLOCK], 'skill:pdf')).toMatch(/^PASS/);
  });

  it('says what the hook did instead', () => {
    const missing = { ...RUN, exitCode: 127, error: 'exited with 127 (not found): sh: guard.sh: not found' };
    const all = [
      [],
      [RUN],
      [RUN, RUN],
      [{ ...RUN, decision: 'allow' as const }],
      [{ ...RUN, decision: 'ask' as const }],
      [RUN, missing],
      [{ ...RUN, exitCode: 126, error: 'exited with 126 (not executable)' }],
      [{ ...RUN, exitCode: null, error: 'was still running after 1 s; it and all it started were ended' }],
      [{ ...RUN, error: 'said continue: false, which does not keep the tool from running' }],
      [{ ...BLOCK, error: 'exited with 2 because its interpreter failed: sh: 0: cannot open x' }],
    ];
    expect(all.map((hooks) => decide(true, hooks)).join('\n')).toMatchInlineSnapshot(`
      "FAIL expected agent-blocked=true but no hook ran
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh exited 0
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh exited 0 (2 hooks ran)
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh exited 0 and allowed the call
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh asked for permission and did not deny it
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh is missing (exit 127), so nothing was blocked (2 hooks ran)
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh is not executable (exit 126), so nothing was blocked
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh was still running after 1 s; it and all it started were ended, so nothing was blocked
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh said continue: false, which does not keep the tool from running, so nothing was blocked
      FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh exited with 2 because its interpreter failed: sh: 0: cannot open x; the hook itself decided nothing"
    `);
  });

  it('wants the block from the event that is the target', () => {
    const stop = { ...BLOCK, event: 'stop', toolName: null, reason: 'not done yet' };
    expect(decide(true, [RUN, stop], 'hook:pre-tool-use')).toMatchInlineSnapshot(
      `"FAIL expected agent-blocked=true but pre-tool-use did not block: stop hook hooks/scripts/guard.sh blocked the agent: not done yet"`,
    );
    expect(decide(true, [{ ...RUN, event: 'stop' }], 'hook:pre-tool-use')).toMatchInlineSnapshot(
      `"FAIL expected agent-blocked=true but no pre-tool-use hook ran, only stop"`,
    );
    expect(decide(true, [RUN, stop], 'hook:stop')).toMatch(/^PASS/);
  });

  it('does not take feedback for a block', () => {
    expect(decide(true, [{ ...BLOCK, event: 'post-tool-use' }])).toMatchInlineSnapshot(
      `"FAIL expected agent-blocked=true but post-tool-use hook hooks/scripts/guard.sh exited 2, and post-tool-use hooks cannot block"`,
    );
  });

  it('needs the report of a hook of the package: the engine’s word alone may be about any other', () => {
    const event: AgentEvent = {
      type: 'hook',
      event: 'PreToolUse:Bash',
      blocked: true,
      exitCode: 2,
      detail: 'no',
    };
    expect(decide(true, [], 'hook:pre-tool-use', [event])).toMatchInlineSnapshot(
      `"FAIL expected agent-blocked=true but pre-tool-use hook blocked: no; no hook of the package reported it"`,
    );
    expect(decide(true, [RUN], 'hook:pre-tool-use', [event])).toMatch(/^FAIL/);
    expect(decide(true, [BLOCK], 'hook:pre-tool-use', [event])).toMatch(/^PASS/);
    expect(decide(true, [{ ...BLOCK, group: 3 }], null, [event])).toMatchInlineSnapshot(
      `"FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh blocked; it is no hook of the package"`,
    );
    expect(decide(true, [], 'hook:stop', [event])).toMatch(/^FAIL/);
    expect(decide(true, [], null, [{ ...event, blocked: false }])).toMatch(/^FAIL/);
    const denied: AgentEvent = { type: 'denied', tool: 'Bash', by: 'hook', reason: 'no' };
    for (const hooks of [[], [RUN]])
      for (const it of [event, denied]) expect(decide(false, hooks, null, [it])).toMatch(/^FAIL/);
    expect(decide(false, [], null, [{ ...denied, by: 'permissions' }])).toMatch(/^PASS/);
    expect(
      decide(true, [{ ...BLOCK, error: 'exited with 2 because its interpreter failed' }], null, [event]),
    ).toMatch(/^FAIL/);
  });

  it('tells a hook of the package by its event and both of its places, and by what it runs', () => {
    const place = { event: 'pre-tool-use', group: 0, index: 0, command: 'x' };
    const decideWith = (installed: Parameters<typeof agentBlocked>[1]['installed']) =>
      agentBlocked(true, { hooks: [BLOCK], events: [], target: null, installed, confirmed: [], gap: null });
    expect(decideWith([{ ...place, event: 'stop' }, place]).verdict).toBe('PASS');
    for (const other of [{ event: 'stop' }, { group: 1 }, { index: 1 }, { command: null }])
      expect(decideWith([{ ...place, ...other }]).message).toMatch(/it is no hook of the package$/);
    expect(decideWith([place]).actual).toEqual([
      { event: 'pre-tool-use', exitCode: 2, decision: 'block', error: null },
    ]);
  });

  it('speaks of the hook that is broken, of those it is about', () => {
    const broken = { ...RUN, error: ' broke\n  down ' };
    expect(decide(true, [broken, RUN])).toMatch(
      /guard.sh broke down, so nothing was blocked \(2 hooks ran\)$/,
    );
    const stop = { ...broken, event: 'stop' };
    expect(decide(true, [RUN, stop], 'hook:pre-tool-use')).toMatch(/but pre-tool-use hook \S+ exited 0$/);
    const reason = (length: number) => decide(true, [{ ...BLOCK, reason: 'x'.repeat(length) }]);
    expect(reason(200)).toMatch(/: x{200}$/);
    expect(reason(201)).toMatch(/: x{200}…$/);
  });

  it('never trusts what the agent says', () => {
    const words: AgentEvent = { type: 'message', text: 'I was blocked by a hook', subAgent: false };
    expect(decide(true, [], null, [words])).toMatch(/^FAIL/);
  });
});

describe('agent-blocked: false', () => {
  it('asserts that no hook blocked, whatever the target', () => {
    expect(decide(false, [])).toMatchInlineSnapshot(`"PASS no hook blocked (0 ran)"`);
    expect(decide(false, [RUN])).toMatch(/^PASS/);
    expect(decide(false, [{ ...BLOCK, event: 'session-start' }])).toMatch(/^PASS/);
    expect(decide(false, [BLOCK], 'hook:stop')).toMatchInlineSnapshot(
      `"FAIL expected agent-blocked=false but pre-tool-use hook hooks/scripts/guard.sh blocked Write: /etc is protected"`,
    );
    expect(decide(false, [{ ...RUN, exitCode: 1, error: 'exited with 1: oops' }])).toMatchInlineSnapshot(
      `"PASS no hook blocked (1 ran), but pre-tool-use hook hooks/scripts/guard.sh exited with 1: oops"`,
    );
  });
});

describe('agent-blocked and evidence that may be forged or lost', () => {
  const confirmed = ['pre-tool-use'];
  const seen: AgentEvent = {
    type: 'hook',
    event: 'PreToolUse:Write',
    blocked: true,
    exitCode: 2,
    detail: '',
  };
  const denied: AgentEvent = { type: 'denied', tool: 'Bash', by: 'hook', reason: 'no' };

  it('needs the engine’s own word where the engine gives it', () => {
    expect(decide(true, [BLOCK], null, [], { confirmed })).toMatchInlineSnapshot(
      `"FAIL expected agent-blocked=true but pre-tool-use hook hooks/scripts/guard.sh blocked Write: /etc is protected; the engine knows nothing of it"`,
    );
    expect(decide(true, [BLOCK], null, [seen], { confirmed })).toMatch(/^PASS/);
    expect(decide(true, [BLOCK], null, [denied], { confirmed })).toMatch(/^PASS/);
    expect(decide(true, [BLOCK], null, [{ ...seen, blocked: false }], { confirmed })).toMatch(/^FAIL/);
    expect(decide(true, [BLOCK], 'hook:pre-tool-use', [{ ...seen, event: 'Stop' }], { confirmed })).toMatch(
      /^FAIL/,
    );
    expect(decide(true, [{ ...BLOCK, event: 'stop' }], null, [], { confirmed })).toMatch(/^PASS/);
    const byOthers: AgentEvent = { ...denied, by: 'permissions' };
    expect(decide(true, [BLOCK], null, [byOthers], { confirmed })).toMatch(/^FAIL/);
    const stop = { ...BLOCK, event: 'stop' };
    expect(decide(true, [stop], 'hook:stop', [denied], { confirmed: ['stop'] })).toMatch(/^FAIL/);
    expect(decide(true, [stop], null, [{ ...seen, event: 'Stop' }], { confirmed: ['stop'] })).toMatch(
      /^PASS/,
    );
  });

  it('takes no word of the engine about an event that cannot block, nor about another that can', () => {
    expect(decide(false, [], null, [{ ...seen, event: 'PostToolUse' }])).toMatch(/^PASS/);
    expect(decide(false, [], null, [{ ...seen, event: 'Stop', detail: 'not yet' }])).toMatch(
      /but stop hook blocked: not yet$/,
    );
    expect(decide(false, [RUN], null, [])).toMatch(/^PASS no hook blocked \(1 ran\)$/);
  });

  it('shows no absence from a record that is not whole', () => {
    expect(
      decide(false, [], null, [], { gap: 'only the first 20000 events were kept' }),
    ).toMatchInlineSnapshot(
      `"FAIL expected agent-blocked=false but what the hooks did is not known to its end: only the first 20000 events were kept"`,
    );
    expect(decide(true, [BLOCK], null, [], { gap: 'x' })).toMatch(/^PASS/);
  });
});
