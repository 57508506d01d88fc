/** What the judge is shown, and what it is told about the rest. */
import { createPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, cutLines } from '../../src/judge/cut.ts';
import { type Budgets, digest, type Happening } from '../../src/judge/digest.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { HookRun } from '../../src/model/hook-log.ts';
import type { Json } from '../../src/model/tests.ts';
import type { FileChange } from '../../src/model/trial.ts';

const NOTHING: Happening = { prompt: 'Do it.', output: '', events: [], hooks: [], files: [] };
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
  it('says so when there is nothing', () => {
    expect(show({})).toEqual([
      { title: 'the task that the agent was given', text: 'Do it.' },
      { title: 'the final answer of the agent', text: 'The agent gave no answer.' },
      {
        title: 'the actions of the agent, one to a line, in their order',
        text: 'No tool calls and no other actions were recorded.',
      },
      { title: 'the hooks that ran, one to a line, in their order', text: 'No hooks ran.' },
      { title: 'files', text: 'No files were created, changed or deleted.' },
    ]);
    expect(digest(NOTHING).map(({ isDeed }) => isDeed)).toEqual([false, true, true, true, true]);
  });

  it('shows the reference as what it is: nothing that the agent did', () => {
    const [, reference, answer] = digest({ ...NOTHING, reference: 'The total is 42.' });
    expect(reference).toMatchObject({ text: 'The total is 42.', isDeed: false });
    expect(reference?.title).toContain('the agent has not seen it');
    expect(answer).toMatchObject({ title: 'the final answer of the agent', isDeed: true });
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

  it('shows files: new ones as they are, changed ones as a diff', () => {
    const files: FileChange[] = [
      { path: 'a.txt', change: 'created', diff: createPatch('a.txt', '', '+1\n-2\n\n@@ x\nend') },
      { path: 'b.txt', change: 'modified', diff: createPatch('b.txt', 'old\n', 'new\n') },
      { path: 'c.txt', change: 'deleted', diff: createPatch('c.txt', 'gone\n', '') },
      { path: 'd.bin', change: 'created', diff: null },
      { path: 'e\n.txt', change: 'created', diff: createPatch('e.txt', '', '') },
    ];
    const [a, b, c, d, e] = show({ files }).slice(4);
    expect(a).toEqual({ title: 'file created: "a.txt"', text: '+1\n-2\n\n@@ x\nend' });
    expect(b?.title).toBe('file changed: "b.txt"');
    expect(b?.text).toContain('-old\n+new');
    expect(c).toEqual({ title: 'file deleted: "c.txt"', text: '[the file is gone]' });
    expect(d?.text).toBe('[not shown: it is not text, or larger than 64 KiB]');
    expect(e).toEqual({ title: String.raw`file created: "e\n.txt"`, text: '[the file is empty]' });
  });

  it('names the files it has no room for', () => {
    const files = Array.from(
      { length: 3_000 },
      (_, index): FileChange => ({
        ...{ path: `${index}.txt`, change: 'created' },
        diff: createPatch('x', '', 'content '.repeat(500)),
      }),
    );
    const shown = show({ files }).slice(4);
    const last = shown.at(-1);
    expect(last?.title).toBe('more files, only their names');
    expect(last?.text).toContain(`file created: "${shown.length - 1}.txt"`);
    expect(last?.text).toContain('file created: "2999.txt"');
    expect(last?.text).toMatch(/\[… [\d,]+ entries cut …\]/);
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
    expect(cut('abcdefghij', 4)).toBe('ab[… 6 characters cut …]ij');
    expect(cut('abcd', 4)).toBe('abcd');
    expect(cut('x'.repeat(20_000), 10)).toContain('[… 19,990 characters cut …]');
    expect(cutLines(['a', 'b', 'c', 'd'], 4)).toBe('a\n[… 2 entries cut …]\nd');
    expect(cutLines(['a', 'b'], 4)).toBe('a\nb');
    expect(cutLines(['long'], 1)).toBe('[… 1 entries cut …]');
  });

  it('tears no character apart and loses count of none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, budget) => {
        const result = cut(text, budget);
        expect(result.isWellFormed()).toBe(true);
        const [mark, count] = /\[… ([\d,]+) characters cut …\]/.exec(result) ?? ['', '0'];
        expect(result.length - mark.length + Number(count?.replaceAll(',', ''))).toBe(text.length);
      }),
    );
  });
});
