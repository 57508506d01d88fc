/** Asks a model by its provider's API, through a door of the gateway. */
import type { JSONSchema7, LanguageModel } from 'ai';
import type { JudgeProvider } from '../../model/judgement.ts';
import { readJsonAnswer, repeatedKey } from '../json-answer.ts';
import type { JudgeReply, JudgeTransport } from '../judge.ts';
import type { JudgePrompt } from '../prompt.ts';
import { failedToAnswerIn, failedWith, type JudgeDoor } from './door.ts';
import { type Api, whyUnfinished } from './ending.ts';
import { AnswerTooLarge, DOOR_URL, socketFetch } from './socket-fetch.ts';

export interface ApiTransportOptions {
  readonly provider: JudgeProvider;
  readonly model: string;
  readonly door: JudgeDoor;
  /** The server is not OpenAI's own, and may know chat completions only. Shared by all who ask the same server. */
  readonly chat?: ChatFinding | null;
  readonly timeoutMs?: number;
}

/** Whether a server was found to know chat completions only. */
export interface ChatFinding {
  isNeeded: boolean;
}

/** Thinking counts too. */
const MAX_OUTPUT_TOKENS = 16_000;
const TIMEOUT_MS = 600_000;

export function createApiTransport(options: ApiTransportOptions): JudgeTransport {
  const { provider, model, door, chat = null, timeoutMs = TIMEOUT_MS } = options;
  return {
    id: 'api',
    provider,
    async ask(prompt, signal) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const both = AbortSignal.any([signal, timeout]);
      const api = chat?.isNeeded ? 'openai-chat' : provider;
      const outcome = await request(api, model, door, prompt, both);
      if (outcome.state !== 'error') return outcome;
      if (timeout.aborted) return failedToAnswerIn(door, timeoutMs);
      const { status, message } = outcome;
      if (api === 'openai' && chat && status === 404) {
        chat.isNeeded = true;
        return this.ask(prompt, signal);
      }
      return failedWith(door, status, message);
    },
  };
}

type Outcome =
  | Exclude<JudgeReply, { state: 'failed' }>
  | { readonly state: 'error'; readonly status: number | null; readonly message: string };

/** What the library makes of an answer is not all that the answer says. */
async function request(
  api: Api,
  model: string,
  door: JudgeDoor,
  prompt: JudgePrompt,
  signal: AbortSignal,
): Promise<Outcome> {
  let raw = '';
  const fetchAnswer = socketFetch(door.socket, (text) => {
    raw = text;
  });
  const outcome = await generate(await MODELS[api](model, fetchAnswer), prompt, signal);
  if (outcome.state !== 'said') return outcome;
  const body = parsed(raw);
  const answered = modelIn(body);
  const why = whyUnfinished(api, body) ?? repeatedKey(raw);
  if (why !== null) return { state: 'unusable', why, model: answered };
  return { ...readJsonAnswer(outcome.text), model: answered };
}

/** The gateway has the key. */
const settings = (fetchAnswer: typeof fetch, version: string) => ({
  apiKey: 'the-gateway-has-the-key',
  baseURL: `${DOOR_URL}/${version}`,
  fetch: fetchAnswer,
});

const MODELS: Readonly<Record<Api, (model: string, fetchAnswer: typeof fetch) => Promise<LanguageModel>>> = {
  anthropic: async (model, fetchAnswer) =>
    (await import('@ai-sdk/anthropic')).createAnthropic(settings(fetchAnswer, 'v1'))(model),
  openai: async (model, fetchAnswer) =>
    (await import('@ai-sdk/openai')).createOpenAI(settings(fetchAnswer, 'v1')).responses(model),
  'openai-chat': async (model, fetchAnswer) =>
    (await import('@ai-sdk/openai')).createOpenAI(settings(fetchAnswer, 'v1')).chat(model),
  google: async (model, fetchAnswer) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings(fetchAnswer, 'v1beta'))(model),
};

type Generated =
  | { readonly state: 'said'; readonly text: string }
  | Extract<Outcome, { state: 'error' | 'unusable' }>;

async function generate(
  model: LanguageModel,
  { system, prompt, schema }: JudgePrompt,
  abortSignal: AbortSignal,
): Promise<Generated> {
  const { APICallError, generateText, jsonSchema, NoObjectGeneratedError, Output } = await import('ai');
  // The library prints them otherwise.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  try {
    const { text } = await generateText({
      ...{ model, system, prompt, abortSignal },
      output: Output.object({ schema: jsonSchema(schema as JSONSchema7), name: 'verdicts' }),
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: 0,
    });
    return { state: 'said', text };
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error)) return { state: 'said', text: error.text ?? '' };
    const tooLarge = [error, (error as Error).cause].find((it) => it instanceof AnswerTooLarge);
    if (tooLarge) return { state: 'unusable', why: tooLarge.message, model: null };
    const status = APICallError.isInstance(error) ? (error.statusCode ?? null) : null;
    return { state: 'error', status, message: (error as Error).message };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** As the answer names it, which need not be what was asked for. */
function modelIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { model, modelVersion } = body as { model?: unknown; modelVersion?: unknown };
  const named = model ?? modelVersion;
  return typeof named === 'string' && named !== '' ? named : null;
}
