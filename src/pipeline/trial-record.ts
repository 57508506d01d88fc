/** Collects what an agent tells while it runs, within bounds. What is left out is marked by a `cut` event. */
import type { AgentEvent } from '../model/agent-event.ts';

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

export interface AgentRecord {
  readonly events: readonly AgentEvent[];
  /** Everything the agent said to people, its final answer last. */
  readonly said: string;
  readonly end: EventOf<'end'> | undefined;
  readonly session: EventOf<'session'> | undefined;
  /** Why events or words are missing; null: all are there. */
  readonly gap: string | null;
}

const MAX_EVENTS = 20_000;
const MAX_SAID = 16 * 1024 * 1024;

export class AgentRecorder {
  readonly #events: AgentEvent[] = [];
  readonly #messages: string[] = [];
  #saidLength = 0;
  #isFull = false;

  add(event: AgentEvent): void {
    if (event.type === 'message' && !event.subAgent) this.#say(event.text);
    if (this.#events.length < MAX_EVENTS || decides(event)) this.#events.push(event);
    else if (!this.#isFull) {
      this.#isFull = true;
      this.#events.push({ type: 'cut', what: `only the first ${MAX_EVENTS} events were kept` });
    }
  }

  /** `told`: events that became known only after the end; they happened before it. */
  finish(told: readonly AgentEvent[]): AgentRecord {
    const events = this.#events;
    events.splice(events.at(-1)?.type === 'end' ? -1 : events.length, 0, ...told);
    const end = events.findLast((event) => event.type === 'end');
    if (end && end.output !== this.#messages.at(-1)) this.#say(end.output);
    return {
      events,
      said: this.#messages.filter((text) => text !== '').join('\n'),
      end,
      session: events.find((event) => event.type === 'session'),
      gap: events.find((event) => event.type === 'cut')?.what ?? null,
    };
  }

  #say(text: string): void {
    this.#saidLength += text.length + 1;
    if (this.#saidLength <= MAX_SAID) this.#messages.push(text);
    else if (!this.#events.some((event) => event.type === 'cut'))
      this.#events.push({ type: 'cut', what: `only the first ${MAX_SAID} characters it said were kept` });
  }
}

/** However many events there are, those that a verdict hangs on are kept. */
function decides(event: AgentEvent): boolean {
  return (
    event.type === 'end' ||
    event.type === 'cut' ||
    event.type === 'skill' ||
    (event.type === 'hook' && event.blocked) ||
    (event.type === 'denied' && event.by === 'hook')
  );
}
