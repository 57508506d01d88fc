/** What an agent did, as the page tells it: the result of a tool stands at its call. */
import type { AgentEvent } from '../../model/agent-event.ts';
import type { ViewerStep } from '../../model/viewer.ts';
import { cutLine, cutText } from './cut.ts';

const HEAD_STEPS = 250;
const TAIL_STEPS = 150;

/** In characters: of a text, and of a name. */
export interface StepLimits {
  readonly text: number;
  readonly name: number;
}

export function viewSteps(events: readonly AgentEvent[], limits: StepLimits): ViewerStep[] {
  const moments = momentsOf(events);
  const cut = moments.length - HEAD_STEPS - TAIL_STEPS;
  const view = (them: readonly Moment[]) => them.map((it) => viewStep(it, limits));
  if (cut <= 1) return view(moments);
  const gap: ViewerStep = { type: 'gap', count: cut, why: 'to keep this page small' };
  return [...view(moments.slice(0, HEAD_STEPS)), gap, ...view(moments.slice(-TAIL_STEPS))];
}

type ToolResult = Extract<AgentEvent, { type: 'tool-result' }>;

interface Moment {
  readonly event: AgentEvent;
  /** Of a call; null: it never came. */
  result: ToolResult | null;
}

function momentsOf(events: readonly AgentEvent[]): Moment[] {
  const moments: Moment[] = [];
  const calls = new Map<string, Moment>();
  for (const event of events) {
    const call = event.type === 'tool-result' ? calls.get(event.id) : undefined;
    if (event.type === 'tool-result' && call) {
      call.result = event;
      calls.delete(event.id);
      continue;
    }
    const moment: Moment = { event, result: null };
    if (event.type === 'tool-call') calls.set(event.id, moment);
    moments.push(moment);
  }
  return moments;
}

function viewStep({ event, result }: Moment, { text: limit, name }: StepLimits): ViewerStep {
  switch (event.type) {
    case 'session': {
      const { sessionId, model, engineVersion, skills, agents } = event;
      const told = { model, version: engineVersion, session: sessionId, skills, agents };
      return note('session', 'Session started', cutText(fields(told), limit));
    }
    case 'message':
      return { type: 'message', text: cutText(event.text, limit), subAgent: event.subAgent === true };
    case 'turn':
      return note('turn', 'The user', cutText(event.prompt, limit));
    case 'tool-call':
      return {
        type: 'tool',
        tool: cutLine(event.tool, name),
        input: cutText(pretty(event.input), limit),
        output: result === null ? null : cutText(result.output, limit),
        isError: result?.isError === true,
        subAgent: event.subAgent === true,
      };
    case 'tool-result':
      return {
        type: 'tool',
        tool: '(result of a call that is not here)',
        input: '',
        output: cutText(event.output, limit),
        isError: event.isError === true,
        subAgent: false,
      };
    case 'skill':
      return note(
        'skill',
        `Skill ${cutLine(event.name, name)}`,
        event.how === 'read' ? 'read its SKILL.md' : '',
      );
    case 'sub-agent':
      return note('sub-agent', `Sub-agent ${cutLine(event.name ?? 'of unknown name', name)} started`);
    case 'hook': {
      const exit = event.exitCode === null ? '' : `, exit ${event.exitCode}`;
      const title = `Hook ${cutLine(event.event, name)}${event.blocked ? ' blocked' : ''}${exit}`;
      return note('hook', title, cutText(event.detail, limit), event.blocked);
    }
    case 'denied': {
      const title = `${cutLine(event.tool, name)} denied by ${event.by === 'hook' ? 'a hook' : 'permissions'}`;
      return note('denied', title, cutText(event.reason, limit), true);
    }
    case 'error':
      return note('error', 'Error', cutText(event.message, limit), true);
    case 'end': {
      const { ok, reason, modelError, outOfBudget } = event;
      const why = [reason, modelError?.message, outOfBudget ? 'out of budget' : null];
      return note('end', ok ? 'Session ended' : 'Session failed', cutText(lines(why), limit), !ok);
    }
    case 'cut':
      return { type: 'gap', count: null, why: cutLine(event.what) };
    case 'unreadable':
      return note('other', 'A line that makes no sense', cutText(event.line, limit), true);
    default:
      return note('other', 'Something this version of aam does not know', cutText(event, limit));
  }
}

type Note = Extract<ViewerStep, { type: 'note' }>;

function note(kind: Note['kind'], title: string, text: Note['text'] = '', isBad = false): Note {
  return { type: 'note', kind, isBad: isBad === true, title, text };
}

function pretty(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '');
}

function fields(told: Readonly<Record<string, string | readonly string[] | null>>): string {
  return Object.entries(told)
    .flatMap(([name, value]) => (value === null || value === undefined ? [] : [`${name}: ${value}`]))
    .join('\n');
}

function lines(parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join('\n');
}
