/** A bare model: one request for each prompt, no tools, no package. */
import { join } from 'node:path';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Provider } from '../model/usage.ts';
import type { Engine } from './engine.ts';
import { type JsonObject, type LineReader, readJsonLines } from './json-lines.ts';

export function completionOf(provider: Provider): Engine {
  return {
    id: 'completion',
    provider,
    confirmsBlocks: [],
    finalStatus: null,
    keepsSessions: true,
    takesInstructions: true,
    // It can do nothing but answer.
    shows: { actions: true, hooks: false, skills: false },
    command: ({ prompt, instructions = null, turn, model, node, program, configDir, socket }) => ({
      argv: [node, program],
      env: {},
      stdin: JSON.stringify({
        ...{ socket, provider, model, instructions, prompt },
        conversation: turn ? join(configDir, 'conversation.json') : null,
      }),
      configFiles: {},
    }),
    read: (lines) => readJsonLines(lines, new EventReader()),
  };
}

/** Our own program prints events as they are. */
class EventReader implements LineReader {
  *read(line: JsonObject): Iterable<AgentEvent> {
    yield line as unknown as AgentEvent;
  }

  *end(): Iterable<AgentEvent> {}
}
