/** Any agent the user has, started by a command of theirs. What it prints is its answer. */
import { join } from 'node:path';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Engine } from './engine.ts';
import { readAll } from './read-all.ts';

const PROMPT_FILE = 'prompt.txt';

export const command: Engine = {
  id: 'command',
  provider: null,
  confirmsBlocks: [],
  finalStatus: null,
  shows: { actions: false, hooks: false, skills: false },
  keepsSessions: false,
  takesInstructions: false,
  command({ prompt, template, workspace, configDir }) {
    const [first = '', ...rest] = template ?? [];
    const has = (name: string) => [first, ...rest].some((argument) => argument.includes(`{${name}}`));
    const values = { prompt, prompt_file: join(configDir, PROMPT_FILE), workspace };
    // In one pass: what looks like a placeholder in the prompt is none.
    const fill = (argument: string) =>
      argument.replace(/\{(prompt|prompt_file|workspace)\}/g, (_, name: keyof typeof values) => values[name]);
    const configFiles: Record<string, string> = has('prompt_file') ? { [PROMPT_FILE]: prompt } : {};
    return {
      argv: [fill(first), ...rest.map(fill)],
      env: {},
      stdin: has('prompt') || has('prompt_file') ? null : prompt,
      configFiles,
    };
  },
  read: readCommand,
};

async function* readCommand(lines: AsyncIterable<string>): AsyncGenerator<AgentEvent> {
  const { output, cut } = await readAll(lines);
  if (cut !== null) yield { type: 'cut', what: cut };
  if (output !== '') yield { type: 'message', text: output, subAgent: false };
  yield { type: 'end', ok: true, output, reason: null, costUsd: null, modelError: null };
}
