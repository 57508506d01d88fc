/** What a bare model is asked, and how its answer is read, by provider. Pure. */

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface Question {
  readonly model: string;
  readonly instructions: string | null;
  readonly messages: readonly Message[];
}

export interface Answer {
  /** As the provider names it. */
  readonly id: string | null;
  readonly model: string | null;
  readonly text: string;
  /** The model has said all it wanted; else `reason` is why not. */
  readonly ended: boolean;
  readonly reason: string | null;
}

interface Provider {
  request(question: Question): { path: string; headers: Readonly<Record<string, string>>; body: object };
  /** The events of a stream, or the whole answer as the only one. */
  read(events: readonly unknown[]): Answer | { readonly error: string };
}

type Fields = Readonly<Record<string, unknown>>;

/** Anthropic wants a limit; every model of the last years can say as much. */
const MAX_TOKENS = 8192;

const CUT_OFF = { error: 'the answer of the model broke off' };

export const PROVIDERS = {
  anthropic: {
    request: ({ model, instructions, messages }) => ({
      path: '/v1/messages',
      headers: { 'anthropic-version': '2023-06-01' },
      body: {
        model,
        max_tokens: MAX_TOKENS,
        stream: true,
        ...(instructions !== null && { system: instructions }),
        messages: messages.map(({ role, text }) => ({ role, content: text })),
      },
    }),
    read(events) {
      const all = events.map(record);
      const of = (type: string) => all.filter((it) => it['type'] === type);
      const failure = record(of('error')[0]?.['error'])['message'];
      if (failure !== undefined) return { error: String(failure) };
      const whole = of('message')[0];
      const start = whole ?? record(of('message_start')[0]?.['message']);
      const stop = whole?.['stop_reason'] ?? record(of('message_delta').at(-1)?.['delta'])['stop_reason'];
      if (typeof stop !== 'string') return CUT_OFF;
      const parts = whole ? list(whole['content']) : of('content_block_delta').map((it) => it['delta']);
      const text = parts.map((part) => textOf(record(part)['text'])).join('');
      const ended = stop === 'end_turn' || stop === 'stop_sequence';
      const reason = ended ? 'completed' : stop === 'max_tokens' ? 'max_output_tokens' : stop;
      return { id: textOrNull(start['id']), model: textOrNull(start['model']), text, ended, reason };
    },
  },

  openai: {
    request: ({ model, instructions, messages }) => ({
      path: '/v1/responses',
      headers: {},
      body: {
        model,
        store: false,
        stream: true,
        ...(instructions !== null && { instructions }),
        input: messages.map(({ role, text }) => ({ role, content: text })),
      },
    }),
    read(events) {
      const all = events.map(record);
      const last = all.findLast((it) => ENDS.has(String(it['type'])));
      const response = last ? record(last['response']) : (all.find((it) => 'output' in it) ?? {});
      const failure = record(response['error'] ?? all.find((it) => it['type'] === 'error'))['message'];
      if (failure !== undefined) return { error: String(failure) };
      const { status } = response;
      if (typeof status !== 'string') return CUT_OFF;
      const parts = list(response['output'])
        .flatMap((item) => list(record(item)['content']))
        .map(record);
      const text = parts.map((part) => textOf(part['text'] ?? part['refusal'])).join('');
      const refused = parts.some((part) => part['type'] === 'refusal');
      const why = textOrNull(record(response['incomplete_details'])['reason']) ?? status;
      const ended = status === 'completed' && !refused;
      return {
        id: textOrNull(response['id']),
        model: textOrNull(response['model']),
        text,
        ended,
        reason: refused ? 'refusal' : why,
      };
    },
  },

  google: {
    request: ({ model, instructions, messages }) => ({
      path: `/v1beta/models/${model}:generateContent`,
      headers: {},
      body: {
        ...(instructions !== null && { systemInstruction: { parts: [{ text: instructions }] } }),
        contents: messages.map(({ role, text }) => ({
          role: role === 'assistant' ? 'model' : role,
          parts: [{ text }],
        })),
      },
    }),
    read([whole]) {
      const answer = record(whole);
      const candidate = record(list(answer['candidates'])[0]);
      const blocked = textOrNull(record(answer['promptFeedback'])['blockReason']);
      const finish = textOrNull(candidate['finishReason']) ?? blocked;
      if (finish === null) return CUT_OFF;
      const parts = list(record(candidate['content'])['parts']).map(record);
      const text = parts.filter((part) => part['thought'] !== true).map((part) => textOf(part['text']));
      const ended = finish === 'STOP';
      return {
        id: textOrNull(answer['responseId']),
        model: textOrNull(answer['modelVersion']),
        text: text.join(''),
        ended,
        reason: ended ? 'completed' : finish.toLowerCase(),
      };
    },
  },
} as const satisfies Record<string, Provider>;

export type ProviderName = keyof typeof PROVIDERS;

const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

export function record(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textOrNull(value: unknown): string | null {
  return textOf(value) || null;
}
