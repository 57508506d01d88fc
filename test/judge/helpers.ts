/** Questions to judge, answers to give, and transports that say what a test scripts. */
import type { JudgeReply, JudgeTransport, Question } from '../../src/judge/judge.ts';
import type { JudgePrompt } from '../../src/judge/prompt.ts';
import type { CriterionVerdict } from '../../src/model/judgement.ts';

export const QUESTION: Question = {
  criteria: [
    { id: 'greets', text: 'The answer greets the world.' },
    { id: 'file', text: 'The greeting is written to hello.txt.' },
  ],
  prompt: 'Greet the world and keep the greeting in hello.txt.',
  output: 'I wrote "Hello, World" to hello.txt.',
  events: [
    { type: 'tool-call', id: 't1', tool: 'Write', input: { file_path: 'hello.txt' }, subAgent: false },
    { type: 'tool-result', id: 't1', output: 'File created successfully', isError: false },
  ],
  hooks: [],
  observed: { actions: true, hooks: true },
  gaps: [],
  files: [
    {
      path: 'hello.txt',
      change: 'created',
      diff: '--- hello.txt\n+++ hello.txt\n@@ -0,0 +1,1 @@\n+Hello, World\n',
    },
  ],
};

export function verdict(
  id: string,
  result: 'PASS' | 'FAIL',
  evidence: readonly string[] = ['Hello, World'],
): CriterionVerdict {
  return { id, verdict: result, reason: `${id} is ${result}.`, evidence: [...evidence] };
}

export function answer(greets: 'PASS' | 'FAIL', file: 'PASS' | 'FAIL' = 'PASS') {
  return { criteria: [verdict('greets', greets), verdict('file', file)] };
}

export const GOOD = answer('PASS');

export type Step = JudgeReply | ((prompt: JudgePrompt, number: number) => JudgeReply | Promise<JudgeReply>);

/** Replies in the order of the requests; the last one repeats. */
export function scripted(...steps: readonly Step[]) {
  const prompts: JudgePrompt[] = [];
  const transport: JudgeTransport = {
    id: 'api',
    provider: 'anthropic',
    async ask(prompt) {
      prompts.push(prompt);
      const step = steps[Math.min(prompts.length, steps.length) - 1];
      if (step === undefined) throw new Error('nothing is scripted');
      return typeof step === 'function' ? step(prompt, prompts.length) : step;
    },
  };
  return { transport, prompts };
}

export const answered = (value: unknown): JudgeReply => ({ state: 'answered', answer: value, model: 'm-1' });

export const never = new AbortController().signal;
