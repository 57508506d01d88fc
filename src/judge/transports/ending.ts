/** Did an answer come to its end? Read from the answer itself: what is half said may say the opposite. */
import { z } from 'zod';
import type { JudgeProvider } from '../../model/judgement.ts';

export type Api = JudgeProvider | 'openai-chat';

/** null: it is whole. Else what is wrong with it. */
export function whyUnfinished(api: Api, body: unknown): string | null {
  const read = ENDINGS[api](body);
  return read === undefined ? 'the answer does not say whether it is whole' : read;
}

const REFUSED = 'the model refused to answer';
const TOO_LONG = 'the answer was longer than it may be and broke off';
const NO_ROOM = 'the material and the answer together do not fit into the context window of the model';
const otherwise = (word: unknown) => `the answer did not come to its end (${String(word)})`;

const anthropic = z.object({
  stop_reason: z.string().nullish(),
  content: z.array(z.object({ type: z.string(), name: z.string().nullish() })),
});
const responses = z.object({
  status: z.string().nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(z.object({ content: z.array(z.object({ type: z.string() })).nullish() })),
});
const chat = z.object({
  choices: z.tuple([
    z.object({
      finish_reason: z.string().nullish(),
      message: z.object({ refusal: z.string().nullish() }),
    }),
  ]),
});
const google = z.object({
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  candidates: z.array(z.object({ finishReason: z.string().nullish() })).nullish(),
});

/** undefined: this is not the answer of such an API. */
const ENDINGS: Readonly<Record<Api, (body: unknown) => string | null | undefined>> = {
  anthropic(body) {
    const { data } = anthropic.safeParse(body);
    if (!data) return undefined;
    const { stop_reason: reason, content } = data;
    if (reason === 'end_turn' || reason === 'stop_sequence') return null;
    // Of models that know no schema for an answer, the library wants the call of a tool with this name.
    if (reason === 'tool_use' && content.some(({ name }) => name === 'json')) return null;
    return ANTHROPIC[reason ?? ''] ?? otherwise(reason);
  },
  openai(body) {
    const { data } = responses.safeParse(body);
    if (!data) return undefined;
    const { status, incomplete_details: details, output } = data;
    if (output.some(({ content }) => content?.some(({ type }) => type === 'refusal'))) return REFUSED;
    if (status === 'completed') return null;
    return RESPONSES[details?.reason ?? ''] ?? otherwise(details?.reason ?? status);
  },
  'openai-chat'(body) {
    const { data } = chat.safeParse(body);
    if (!data) return undefined;
    const [{ finish_reason: reason, message }] = data.choices;
    if (message.refusal) return REFUSED;
    return reason === 'stop' ? null : (CHAT[reason ?? ''] ?? otherwise(reason));
  },
  google(body) {
    const { data } = google.safeParse(body);
    if (!data) return undefined;
    if (data.promptFeedback?.blockReason) return REFUSED;
    const [only, ...others] = data.candidates ?? [];
    if (!only || others.length > 0) return undefined;
    const { finishReason: reason } = only;
    return reason === 'STOP' ? null : (GOOGLE[reason ?? ''] ?? otherwise(reason));
  },
};

const ANTHROPIC: Readonly<Record<string, string>> = {
  refusal: REFUSED,
  max_tokens: TOO_LONG,
  model_context_window_exceeded: NO_ROOM,
};
const RESPONSES: Readonly<Record<string, string>> = {
  max_output_tokens: TOO_LONG,
  content_filter: REFUSED,
};
const CHAT: Readonly<Record<string, string>> = { length: TOO_LONG, content_filter: REFUSED };
const GOOGLE: Readonly<Record<string, string>> = {
  MAX_TOKENS: TOO_LONG,
  SAFETY: REFUSED,
  PROHIBITED_CONTENT: REFUSED,
  BLOCKLIST: REFUSED,
  SPII: REFUSED,
  RECITATION: REFUSED,
};
