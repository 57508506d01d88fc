/** What the judge is shown, and what it is told about the rest. */
import { createPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { abridge, cut, cutLines, tellCuts } from '../../src/judge/cut.ts';
import { type Budgets, digest, type Happening } from '../../src/judge/digest.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { HookRun } from '../../src/model/hook-log.ts';
import type { Json } from '../../src/model/tests.ts';
import type { FileChange } from '../../src/model/trial.ts';

const NOTHING: Happening = {
  prompt: 'Do it.',
  output: '',
  events: [],
  hooks: [],
  files: [],
  observed: { actions: true, hooks: true },
  gaps: [],
};
const ACTIONS = 'the actions of the agent, one to a line, in their order';
const HOOKS = 'the hooks that ran, one to a line, in their order';
const FILES = 'the files of the workspace that were created, changed or deleted, one to a line';
const show = (change: Partial<Happening>, budgets?: Budgets) =>
  digest({ ...NOTHING, ...change }, budgets).map(({ title, text }) => ({ title, text }));
const actions = (events: readonly AgentEvent[], output = '') =>
  (show({ events, output })[2]?.text ?? '').split('\n').map((line) => JSON.parse(line) as object);

const hook: HookRun = {
  event: 'pre-tool-use',
  group: 0,
  index: 0,
  command: 'guard.sh',
  toolName: 'Bash',
  exitCode: 2,
  decision: 'block',
  reason: 'not there',
  stdout: '',
  stderr: 'not there\n',
  error: null,
  durationMs: 12,
};

describe('digest', () => {
  it('says so when it was seen that there is nothing', () => {
    expect(show({})).toEqual([
      { title: 'the task that the agent was given', text: 'Do it.' },
      { title: 'the final answer of the agent', text: 'The agent gave no answer.' },
      { title: ACTIONS, text: 'No tool calls and no other actions were recorded.' },
      { title: HOOKS, text: 'No hooks ran.' },
      {
        title: FILES,
        text: 'No files in the workspace were created, changed or deleted. Files elsewhere, empty folders and .git are not looked at.',
      },
    ]);
    expect(digest(NOTHING).map(({ deeds }) => deeds.length)).toEqual([0, 1, 1, 1, 1]);
  });

  it('says that it does not know where nobody looked', () => {
    const own = digest({ ...NOTHING, observed: { actions: false, hooks: false } });
    expect(own.map(({ text, deeds }) => [text, deeds.length])).toEqual([
      ['Do it.', 0],
      ['The agent gave no answer.', 1],
      ['Tool calls are not recorded for this agent.', 0],
      ['Hooks are not run for this agent.', 0],
      [expect.stringContaining('No files in the workspace'), 1],
    ]);
  });

  it('states no absence in a record that is not whole, and says what is missing', () => {
    const shown = digest({ ...NOTHING, gaps: ['3 reports of hooks\ncould not be read'] });
    expect(shown.slice(1).map(({ text, deeds }) => [text, deeds.length])).toEqual([
      ['No answer is in the record, which is not whole.', 0],
      ['No actions are in the record, which is not whole.', 0],
      ['No hooks are in the record, which is not whole.', 0],
      ['No changes of files were seen, but the record is not whole.', 0],
      ['- 3 reports of hooks could not be read', 0],
    ]);
    expect(shown.at(-1)?.title).toBe('what is missing from this record');
  });

  it('shows where the record breaks off, which is no deed', () => {
    const events: AgentEvent[] = [
      { type: 'message', text: 'Working.', subAgent: false },
      { type: 'unreadable', line: 'half a li' },
      { type: 'cut', what: 'only the first 20000 events were kept' },
    ];
    expect(actions(events)).toEqual([
      { said: 'Working.' },
      { unreadable: 'half a li' },
      { 'missing from here on': 'only the first 20000 events were kept' },
    ]);
    const shown = digest({ ...NOTHING, events });
    expect(shown[2]?.deeds).toEqual(['{"said":"Working."}']);
    expect(shown[4]?.deeds).toEqual([]);
  });

  it('leaves out the message that is the answer, and no other', () => {
    const said = (text: string, subAgent = false): AgentEvent => ({ type: 'message', text, subAgent });
    const events = [said('I'), said('Yes I did.'), said('Yes', true), said('Yes I did.')];
    expect(actions(events, 'Yes I did.')).toEqual([
      { said: 'I' },
      { said: 'Yes I did.' },
      { said: 'Yes', by: 'a sub-agent' },
    ]);
    expect(actions([said('Yes I'), said('Yes I did.')], 'Yes I')).toHaveLength(2);
  });

  it('takes what the CLI says about itself for no error of the agent', () => {
    const events: AgentEvent[] = [
      { type: 'error', message: 'Model metadata for `house-model` not found. Defaulting to fallback.' },
      { type: 'error', message: 'stream error' },
    ];
    expect(actions(events)).toEqual([{ error: 'stream error' }]);
  });

  it('shows what cannot be seen', () => {
    const hidden = 'a\u{E0101}b\uFE01c\u115F\u1160\u3164d\u034Fe\u2800f\uFFA0g\u200d\u200dh1\uFE0F';
    const [, shown] = show({ output: hidden });
    expect(shown?.text).toBe(
      'a[U+E0101]b[U+FE01]c[U+115F][U+1160][U+3164]d[U+034F]e[U+2800]f[U+FFA0]g[U+200D][U+200D]h1[U+FE0F]',
    );
    const seen = '\u2764\uFE0F \u{1F468}\u200D\u{1F469} \u0645\u06CC\u200C\u062E';
    expect(show({ output: seen })[1]?.text).toBe(seen);
  });

  it('shows the reference as what it is: nothing that the agent did', () => {
    const [, reference, answer] = digest({ ...NOTHING, reference: 'The total is 42.' });
    expect(reference).toMatchObject({ text: 'The total is 42.', deeds: [] });
    expect(reference?.title).toContain('the agent has not seen it');
    expect(answer).toMatchObject({ title: 'the final answer of the agent', deeds: [expect.any(String)] });
    expect(digest({ ...NOTHING, reference: null })).toEqual(digest(NOTHING));
  });

  it('shows calls with their results, and everything else that happened', () => {
    const call = (id: string, tool: string, subAgent = false): AgentEvent => ({
      type: 'tool-call',
      id,
      tool,
      input: { command: 'ls' },
      subAgent,
    });
    const events: AgentEvent[] = [
      { type: 'session', sessionId: 's', model: 'm', engineVersion: '1', skills: ['pdf'], agents: [] },
      { type: 'message', text: 'Let me look.', subAgent: false },
      call('1', 'Bash'),
      call('2', 'Read', true),
      { type: 'tool-result', id: '2', output: 'no such file', isError: true },
      { type: 'tool-result', id: '1', output: 'a\nb', isError: false },
      call('3', 'Write'),
      { type: 'tool-result', id: '9', output: 'stray', isError: false },
      { type: 'skill', name: 'pdf', how: 'read' },
      { type: 'sub-agent', name: null },
      { type: 'hook', event: 'PreToolUse', blocked: true, exitCode: 2, detail: 'no' },
      { type: 'denied', tool: 'Write', by: 'hook', reason: 'no' },
      { type: 'error', message: 'reconnecting' },
      { type: 'message', text: 'Done.', subAgent: false },
      { type: 'end', ok: false, output: 'Done.', reason: 'max_turns', costUsd: null, modelError: null },
    ];
    expect(actions(events, 'Done.')).toEqual([
      { said: 'Let me look.' },
      { tool: 'Bash', input: { command: 'ls' }, result: 'a\nb' },
      { tool: 'Read', by: 'a sub-agent', input: { command: 'ls' }, failed: true, result: 'no such file' },
      { tool: 'Write', input: { command: 'ls' }, result: null },
      { resultOf: '9', result: 'stray' },
      { skillLoaded: 'pdf', how: 'by reading its file' },
      { subAgentStarted: 'the engine does not say which' },
      { hookSeenByEngine: 'PreToolUse', blocked: true, exitCode: 2, detail: 'no' },
      { toolDenied: 'Write', by: 'hook', reason: 'no' },
      { error: 'reconnecting' },
      { endedBadly: 'max_turns' },
    ]);
  });

  it('shows what hooks decided', () => {
    expect(JSON.parse(show({ hooks: [hook] })[3]?.text ?? '')).toEqual({
      hook: 'pre-tool-use',
      tool: 'Bash',
      command: 'guard.sh',
      exitCode: 2,
      decision: 'block',
      reason: 'not there',
      stdout: '',
      stderr: 'not there\n',
      error: null,
    });
  });

  const files: FileChange[] = [
    { path: 'a.txt', change: 'created', diff: createPatch('a.txt', '', '+1\n-2\n\n@@ x\nend') },
    { path: 'b.txt', change: 'modified', diff: createPatch('b.txt', 'kept\nold\n', 'kept\nnew\n') },
    { path: 'c.txt', change: 'deleted', diff: createPatch('c.txt', 'gone\n', '') },
    { path: 'd.bin', change: 'created', diff: null },
    { path: 'e\n.txt', change: 'created', diff: createPatch('e.txt', '', '') },
    { path: 'f\n>>>', change: 'created', diff: createPatch('f', '', 'x') },
  ];

  it('shows files: new ones as they are, changed ones as a diff', () => {
    const [list, a, b, f] = show({ files }).slice(4);
    expect(list?.title).toBe(FILES);
    expect(list?.text.split('\n').map((line) => JSON.parse(line))).toEqual([
      { file: 'a.txt', was: 'created' },
      { file: 'b.txt', was: 'changed' },
      { file: 'c.txt', was: 'deleted', content: 'gone' },
      { file: 'd.bin', was: 'created', content: 'not shown: it is not text, or larger than 64 KiB' },
      { file: 'e\n.txt', was: 'created', content: 'empty' },
      { file: 'f\n>>>', was: 'created' },
    ]);
    expect(a).toEqual({ title: 'what the new file "a.txt" holds', text: '+1\n-2\n\n@@ x\nend' });
    expect(b).toEqual({
      title: 'how the file "b.txt" was changed, as a diff',
      text: '@@ -1,2 +1,2 @@\n kept\n-old\n+new\n',
    });
    expect(f).toEqual({ title: String.raw`what the new file "f\n>>>" holds`, text: 'x' });
  });

  it('counts of a diff only what was changed', () => {
    const diff = digest({ ...NOTHING, files }).find(({ title }) => title.includes('"b.txt"'));
    expect(diff?.deeds).toEqual(['-old\n+new', 'old\nnew']);
  });

  it('keeps event, exit code and decision of a hook that says too much', () => {
    const much = '\n"'.repeat(5_000);
    const loud = { ...hook, command: much, reason: much, stdout: much, stderr: much, error: much };
    const [, , , runs] = show({ hooks: [loud, loud, loud] });
    const lines = (runs?.text ?? '').split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of [lines[0], lines.at(-1)])
      expect(JSON.parse(line ?? '')).toMatchObject({ hook: 'pre-tool-use', exitCode: 2, decision: 'block' });
  });

  it('names the files it has no room for', () => {
    const files = Array.from(
      { length: 3_000 },
      (_, index): FileChange => ({
        ...{ path: `${index}.txt`, change: 'created' },
        diff: createPatch('x', '', 'content '.repeat(500)),
      }),
    );
    const [list, ...contents] = show({ files }).slice(4);
    const text = tellCuts(list?.text ?? '', 'MARK');
    expect(contents).not.toHaveLength(0);
    expect(text).toContain(`{"file":"${contents.length - 1}.txt","was":"created"}`);
    expect(text).toContain(`{"file":"${contents.length}.txt","was":"created","content":"not shown here"}`);
    expect(text).toContain('"2999.txt"');
    expect(text).toMatch(/\[MARK: [\d,]+ entries cut\]/);
  });

  it('keeps within its budgets, whatever happened', () => {
    const sizes = { prompt: 100, output: 100, actions: 400, hooks: 400, action: 60, files: 300, file: 100 };
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constant('\u{e0041}'.repeat(400)),
    );
    const event: fc.Arbitrary<AgentEvent> = fc.oneof(
      fc.tuple(text, fc.jsonValue({ maxDepth: 4 })).map(
        ([tool, input]): AgentEvent => ({
          type: 'tool-call',
          id: '1',
          tool,
          input: input as Json,
          subAgent: false,
        }),
      ),
      text.map((output): AgentEvent => ({ type: 'tool-result', id: '1', output, isError: false })),
    );
    const file = fc
      .record({
        path: text,
        diff: text,
        change: fc.constantFrom<FileChange['change']>('created', 'modified'),
      })
      .map((it): FileChange => ({ ...it, diff: `@@\n+${it.diff}` }));
    fc.assert(
      fc.property(text, fc.array(event), fc.array(file), (output, events, files) => {
        const exhibits = show({ prompt: output, output, events, hooks: [hook, hook, hook], files }, sizes);
        const size = exhibits.reduce((sum, it) => sum + it.title.length + it.text.length, 0);
        // Titles of the fixed parts, marks of what was cut, and one list of names.
        expect(size).toBeLessThan(1_400 + 1_000);
      }),
    );
  });

  it('survives arguments that are nested without end', () => {
    let input: Json = 'x';
    for (let depth = 0; depth < 20_000; depth += 1) input = [input];
    const [entry] = actions([{ type: 'tool-call', id: '1', tool: 'Odd', input, subAgent: false }]);
    expect(JSON.stringify(entry)).toContain('nested too deeply');
  });
});

describe('cut', () => {
  it('keeps head and tail and counts what went', () => {
    const told = (text: string) => tellCuts(text, 'MARK');
    expect(told(cut('abcdefghij', 4))).toBe('ab[MARK: 6 characters cut]ij');
    expect(cut('abcd', 4)).toBe('abcd');
    expect(told(cut('x'.repeat(20_000), 10))).toContain('[MARK: 19,990 characters cut]');
    expect(told(cutLines(['a', 'b', 'c', 'd'], 4))).toBe('a\n[MARK: 2 entries cut]\nd');
    expect(cutLines(['a', 'b'], 4)).toBe('a\nb');
    expect(told(cutLines(['long'], 1))).toBe('[MARK: 1 entries cut]');
    expect(abridge('abcdefghij', 4)).toBe('ab […] ij');
  });

  it('tears no character apart and loses count of none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, budget) => {
        const result = tellCuts(cut(text, budget), 'MARK');
        expect(result.isWellFormed()).toBe(true);
        const [mark, count] = /\[MARK: ([\d,]+) characters cut\]/.exec(result) ?? ['', '0'];
        expect(result.length - mark.length + Number(count?.replaceAll(',', ''))).toBe(text.length);
      }),
    );
  });
});
