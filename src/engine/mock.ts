/** A stand-in with fixed answers: shows that a suite and its graders work, and nothing else. */
import type { AgentEvent } from '../model/agent-event.ts';
import type { MockAnswer } from '../model/case.ts';
import type { Engine } from './engine.ts';

export const mock: Engine = {
  id: 'mock',
  provider: null,
  confirmsBlocks: [],
  finalStatus: null,
  shows: { actions: true, hooks: false, skills: false },
  keepsSessions: true,
  takesInstructions: true,
  command: ({ mock: answer }) => ({
    argv: ['mock'],
    env: {},
    stdin: null,
    configFiles: {},
    pretended: pretend(answer ?? { response: '', toolCalls: [] }),
  }),
  async *read() {},
};

function pretend({ response, toolCalls }: MockAnswer): AgentEvent[] {
  const calls = toolCalls.flatMap(({ tool, input, output }, index): AgentEvent[] => {
    const id = `mock-${index + 1}`;
    return [
      { type: 'tool-call', id, tool, input, subAgent: false },
      { type: 'tool-result', id, output, isError: false },
    ];
  });
  return [
    ...calls,
    ...(response === '' ? [] : [{ type: 'message' as const, text: response, subAgent: false }]),
    { type: 'end', ok: true, output: response, reason: 'mock', costUsd: null, modelError: null },
  ];
}
