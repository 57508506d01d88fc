import { expect, it } from 'vitest';
import { type ProgramEvidence, programInput } from '../../src/check/program-input.ts';
import type { Case } from '../../src/model/case.ts';
import type { GraderProgram } from '../../src/model/grader.ts';
import { NO_USAGE } from '../../src/model/usage.ts';

const CASE: Case = {
  ...{ name: 'a', aliases: [], description: null, target: null, prompt: 'Sum it.', followUps: ['And tax?'] },
  files: [{ from: '/host/in.csv', to: 'in.csv' }],
  graders: [],
  criteria: [{ id: 'c', text: 'Says the sum.', weight: 1, required: false }],
  ...{ reference: '42', scoring: { mode: 'all' }, fault: null, metadata: { level: 1 } },
  ...{ file: 'a.yaml', line: 1, hash: '' },
};

const PROGRAM: GraderProgram = { argv: ['x'], cwd: '/', config: { most: 1 }, timeoutMs: 1 };

const EVIDENCE: ProgramEvidence = {
  answer: 'Eight.',
  events: [
    { type: 'tool-call', id: '1', tool: 'Read', input: { path: 'in.csv' }, subAgent: false },
    { type: 'tool-result', id: '1', output: '1,2', isError: false, durationMs: 7 },
    { type: 'message', text: 'It is 42.', subAgent: false },
    { type: 'turn', answer: 'It is 42.', prompt: 'And tax?' },
    { type: 'tool-call', id: '2', tool: 'Bash', input: {}, subAgent: false },
    { type: 'tool-result', id: '2', output: 'no', isError: true },
    { type: 'tool-call', id: '3', tool: 'Grep', input: {}, subAgent: true },
    { type: 'message', text: 'Eight.', subAgent: false },
  ],
  files: [{ path: 'out.bin', change: 'created', diff: null }],
  ...{ durationMs: 12.6, costUsd: 0.5, workspace: '/workspace' },
  usage: {
    ...NO_USAGE,
    requests: 4,
    inputTokens: 10,
    outputTokens: 5,
    cacheReadTokens: 3,
    cacheWriteTokens: 1,
  },
};

const told = (it1: Case, program = PROGRAM) => JSON.parse(programInput(it1, program, EVIDENCE));

it('tells everything under the names of all generations', () => {
  const messages = [
    {
      ...{ role: 'assistant', content: '' },
      tool_calls: [{ id: '1', tool: 'Read', input: { path: 'in.csv' }, output: '1,2', duration_ms: 7 }],
    },
    { role: 'assistant', content: 'It is 42.' },
    { role: 'user', content: 'And tax?' },
    { role: 'assistant', content: '', tool_calls: [{ id: '2', tool: 'Bash', input: {}, output: 'no' }] },
    { role: 'assistant', content: 'Eight.' },
  ];
  const summary = {
    ...{ event_count: 3, tool_names: ['Bash', 'Grep', 'Read'], error_count: 1, llm_call_count: 4 },
    tool_calls_by_name: { Read: 1, Bash: 1, Grep: 1 },
  };
  expect(told(CASE)).toEqual({
    question: 'Sum it.',
    criteria: 'Says the sum.',
    expected_output: [{ role: 'assistant', content: '42' }],
    reference_answer: '42',
    answer: 'Eight.',
    ...{ output: messages, messages, output_path: null },
    ...{ guideline_files: [], input_files: ['/workspace/in.csv'] },
    input: [
      { role: 'user', content: 'Sum it.' },
      { role: 'user', content: 'And tax?' },
    ],
    metadata: { level: 1 },
    ...{ trace: summary, trace_summary: summary },
    token_usage: { input: 10, output: 5, cached: 4 },
    ...{ cost_usd: 0.5, duration_ms: 13, start_time: null, end_time: null },
    file_changes: 'out.bin: created, and no text that could be shown',
    workspace_path: '/workspace',
    config: { most: 1 },
  });
});

it('tells the text as output where the program expects it', () => {
  expect(told(CASE, { ...PROGRAM, output: 'text' })).toMatchObject({
    output: 'Eight.',
    messages: expect.any(Array),
  });
});

it('repeats what the author wrote, as it was written', () => {
  const messages = [{ role: 'assistant', content: { total: 42 } }];
  const written = { criteria: 'Of the author.', input: 'Sum it.', expectedOutput: messages };
  expect(told({ ...CASE, written })).toMatchObject({
    criteria: 'Of the author.',
    input: [{ role: 'user', content: 'Sum it.' }],
    expected_output: messages,
  });
  const data = { ...written, expectedOutput: { total: 42 } };
  expect(told({ ...CASE, written: data }).expected_output).toEqual(messages);
  for (const content of [['a', 'b'], [{ role: 'user' }, 'b'], [{ text: 'a' }], [null], [['role']], [7]])
    expect(told({ ...CASE, written: { ...written, expectedOutput: content } }).expected_output).toEqual([
      { role: 'assistant', content },
    ]);
  const none = { ...written, expectedOutput: null };
  expect(told({ ...CASE, reference: null, written: none }).expected_output).toEqual([]);
});

it('tells a program of agentcarousel the case as it was written, and what came of it', () => {
  const program = { ...PROGRAM, protocol: 'agentcarousel' } as const;
  expect(told({ ...CASE, aliases: ['suite/a'] }, program)).toEqual({
    case: { most: 1 },
    result: {
      ...{ case_id: 'suite/a', status: 'passed', error: null },
      trace: {
        steps: [
          {
            ...{ index: 0, kind: 'tool_call', tool: 'Read', args: { path: 'in.csv' } },
            ...{ result: '1,2', latency_ms: 7 },
          },
          { index: 1, kind: 'tool_call', tool: 'Bash', args: {}, result: 'no', latency_ms: null },
        ],
        ...{ final_output: 'Eight.', redacted: false },
      },
      metrics: { latency_ms: 13, tokens_in: 10, tokens_out: 5, cost_usd: 0.5 },
      workspace_path: '/workspace',
    },
  });
  expect(told(CASE, program).result.case_id).toBe('a');
});

it('says null of what nobody measured', () => {
  const unknown = { ...EVIDENCE, durationMs: null, costUsd: null, usage: null, files: [] };
  expect(JSON.parse(programInput(CASE, PROGRAM, unknown))).toMatchObject({
    ...{ token_usage: null, cost_usd: null, duration_ms: null, file_changes: null },
    trace: { llm_call_count: null },
  });
  const program = { ...PROGRAM, protocol: 'agentcarousel' } as const;
  expect(JSON.parse(programInput(CASE, program, unknown)).result.metrics).toEqual({
    ...{ latency_ms: null, tokens_in: null, tokens_out: null, cost_usd: null },
  });
});

it('tells instructions before the prompts, and an answer that no message has at the end', () => {
  expect(told({ ...CASE, instructions: 'Be short.' }).input).toEqual([
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Sum it.' },
    { role: 'user', content: 'And tax?' },
  ]);
  const events: ProgramEvidence['events'] = [
    { type: 'message', text: 'Of a helper.', subAgent: true },
    { type: 'tool-call', id: '1', tool: 'Read', input: {}, subAgent: false },
    { type: 'tool-call', id: '2', tool: 'Read', input: {}, subAgent: false },
  ];
  const evidence = { ...EVIDENCE, events, files: [{ path: 'a', change: 'modified', diff: '+x' } as const] };
  const { messages, file_changes, trace } = JSON.parse(programInput(CASE, PROGRAM, evidence));
  const call = (id: string) => ({ id, tool: 'Read', input: {}, output: null });
  expect(messages).toEqual([
    { role: 'assistant', content: '', tool_calls: [call('1'), call('2')] },
    { role: 'assistant', content: 'Eight.' },
  ]);
  expect([file_changes, trace.tool_calls_by_name]).toEqual(['+x', { Read: 2 }]);
});

it('tells of a call whose result never came, and of a turn that was not answered', () => {
  const events: ProgramEvidence['events'] = [
    { type: 'tool-call', id: '1', tool: 'Read', input: {}, subAgent: false },
    { type: 'turn', answer: '', prompt: 'Eight.' },
  ];
  const evidence = { ...EVIDENCE, events };
  expect(JSON.parse(programInput(CASE, PROGRAM, evidence)).messages.at(-1)).toEqual({
    role: 'assistant',
    content: 'Eight.',
  });
  const program = { ...PROGRAM, protocol: 'agentcarousel' } as const;
  expect(JSON.parse(programInput(CASE, program, evidence)).result.trace.steps).toMatchObject([
    { result: null, latency_ms: null },
  ]);
  const silent = JSON.parse(programInput(CASE, PROGRAM, { ...EVIDENCE, events: [] }));
  expect(silent.messages).toEqual([{ role: 'assistant', content: 'Eight.' }]);
});
