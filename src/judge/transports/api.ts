/** Asks a model by its provider's API, through a door of the gateway. */
import type { JSONSchema7, LanguageModel } from 'ai';
import { type JudgeProvider, judgeAnswerSchema } from '../../model/judgement.ts';
import type { JudgeReply, JudgeTransport } from '../judge.ts';
import type { JudgePrompt } from '../prompt.ts';
import { failedToAnswerIn, failedWith, type JudgeDoor } from './door.ts';
import { DOOR_URL, socketFetch } from './socket-fetch.ts';

export interface ApiTransportOptions {
  readonly provider: JudgeProvider;
  readonly model: string;
  readonly door: JudgeDoor;
  /** The server is not OpenAI's own: it may know chat completions only. */
  readonly mayUseChat?: boolean;
  readonly timeoutMs?: number;
}

/** Thinking counts too. */
const MAX_OUTPUT_TOKENS = 16_000;
const TIMEOUT_MS = 600_000;

export function createApiTransport(options: ApiTransportOptions): JudgeTransport {
  const { provider, model, door, mayUseChat = false, timeoutMs = TIMEOUT_MS } = options;
  let api: Api = provider;
  return {
    id: 'api',
    provider,
    async ask(prompt, signal) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const both = AbortSignal.any([signal, timeout]);
      const used = api;
      const outcome = await generate(await MODELS[used](model, door), prompt, both);
      if (outcome.state !== 'error') return outcome;
      if (timeout.aborted) return failedToAnswerIn(door, timeoutMs);
      const { status, message } = outcome;
      if (used === 'openai' && mayUseChat && status === 404) {
        api = 'openai-chat';
        return this.ask(prompt, signal);
      }
      return failedWith(door, status, message);
    },
  };
}

type Api = JudgeProvider | 'openai-chat';

/** The gateway has the key. */
const settings = ({ socket }: JudgeDoor, version: string) => ({
  apiKey: 'the-gateway-has-the-key',
  baseURL: `${DOOR_URL}/${version}`,
  fetch: socketFetch(socket),
});

const MODELS: Readonly<Record<Api, (model: string, door: JudgeDoor) => Promise<LanguageModel>>> = {
  anthropic: async (model, door) =>
    (await import('@ai-sdk/anthropic')).createAnthropic(settings(door, 'v1'))(model),
  openai: async (model, door) =>
    (await import('@ai-sdk/openai')).createOpenAI(settings(door, 'v1')).responses(model),
  'openai-chat': async (model, door) =>
    (await import('@ai-sdk/openai')).createOpenAI(settings(door, 'v1')).chat(model),
  google: async (model, door) =>
    (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings(door, 'v1beta'))(model),
};

type Outcome =
  | Exclude<JudgeReply, { state: 'failed' }>
  | { readonly state: 'error'; readonly status: number | null; readonly message: string };

async function generate(
  model: LanguageModel,
  { system, prompt }: JudgePrompt,
  abortSignal: AbortSignal,
): Promise<Outcome> {
  const { APICallError, generateText, jsonSchema, NoObjectGeneratedError, Output } = await import('ai');
  // The library prints them otherwise.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const schema = jsonSchema(judgeAnswerSchema() as JSONSchema7);
  try {
    const { finishReason, text, response } = await generateText({
      ...{ model, system, prompt, abortSignal },
      output: Output.object({ schema, name: 'verdicts' }),
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      maxRetries: 0,
    });
    const answered = modelIn(response.body);
    if (finishReason !== 'stop')
      return { state: 'unusable', why: WHY[finishReason] ?? NO_END, model: answered };
    return { state: 'answered', answer: JSON.parse(text), model: answered };
  } catch (error) {
    if (NoObjectGeneratedError.isInstance(error)) {
      const answered = modelIn(error.response && 'body' in error.response ? error.response.body : null);
      return { state: 'unusable', why: 'the answer is not JSON', model: answered };
    }
    const status = APICallError.isInstance(error) ? (error.statusCode ?? null) : null;
    return { state: 'error', status, message: (error as Error).message };
  }
}

const NO_END = 'the answer did not come to its end';
const WHY: Readonly<Record<string, string>> = {
  length: `the answer was longer than ${MAX_OUTPUT_TOKENS} tokens and broke off`,
  'content-filter': 'the model refused to answer',
};

/** As the answer names it, which need not be what was asked for. */
function modelIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { model, modelVersion } = body as { model?: unknown; modelVersion?: unknown };
  const named = model ?? modelVersion;
  return typeof named === 'string' && named !== '' ? named : null;
}
