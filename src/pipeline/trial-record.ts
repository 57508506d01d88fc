/** Collects what an agent tells while it runs, within bounds. What is left out is marked by a `cut` event. */
import type { AgentEvent } from '../model/agent-event.ts';
import { isTooDeep } from '../model/nesting.ts';

type EventOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

export interface AgentRecord {
  readonly events: readonly AgentEvent[];
  /** Everything the agent said to people in all turns, its final answer last. */
  readonly said: string;
  /** What it answered to each prompt; the last one only where it came to an end. */
  readonly answers: readonly string[];
  /** Of the last turn. */
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
  readonly #answers: string[] = [];
  #saidLength = 0;
  #isFull = false;

  get sessionId(): string | null {
    return this.#events.find((event) => event.type === 'session')?.sessionId ?? null;
  }

  /** As far as the engine tells. */
  get costUsd(): number {
    return this.#events.findLast((event) => event.type === 'end')?.costUsd ?? 0;
  }

  get turnEvents(): readonly AgentEvent[] {
    return this.#events.slice(this.#events.findLastIndex((event) => event.type === 'turn') + 1);
  }

  add(event: AgentEvent): void {
    if (event.type === 'tool-call' && isTooDeep(event.input)) {
      this.add({ ...event, input: null });
      this.add({ type: 'cut', what: `the input of a call of ${event.tool} is nested too deeply to be kept` });
      return;
    }
    // Each turn of a session tells which one it goes on with.
    if (event.type === 'session' && this.#answers.length > 0 && event.sessionId === this.sessionId) return;
    if (event.type === 'message' && !event.subAgent) this.#say(event.text);
    if (this.#events.length < MAX_EVENTS || decides(event)) this.#events.push(event);
    else if (!this.#isFull) {
      this.#isFull = true;
      this.#events.push({ type: 'cut', what: `only the first ${MAX_EVENTS} events were kept` });
    }
  }

  /** The agent has answered, and the user says more. `told`: see finish. */
  goOn(prompt: string, told: readonly AgentEvent[]): void {
    const end = this.#close(told);
    if (end) this.#events.splice(this.#events.indexOf(end), 1);
    this.#events.push({ type: 'turn', answer: end?.output ?? '', prompt });
  }

  /** `told`: events that became known only after the end of the turn; they happened before it. */
  finish(told: readonly AgentEvent[]): AgentRecord {
    const events = this.#events;
    const end = this.#close(told);
    return {
      events,
      said: this.#messages.filter((text) => text !== '').join('\n'),
      answers: this.#answers,
      end,
      session: events.find((event) => event.type === 'session'),
      gap: events.find((event) => event.type === 'cut')?.what ?? null,
    };
  }

  #close(told: readonly AgentEvent[]): EventOf<'end'> | undefined {
    const events = this.#events;
    events.splice(events.at(-1)?.type === 'end' ? -1 : events.length, 0, ...told);
    const end = events.findLast((event) => event.type === 'end');
    if (!end) return undefined;
    if (end.output !== this.#messages.at(-1)) this.#say(end.output);
    this.#answers.push(end.output);
    return end;
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
    event.type === 'turn' ||
    event.type === 'skill' ||
    (event.type === 'hook' && event.blocked) ||
    (event.type === 'denied' && event.by === 'hook')
  );
}
