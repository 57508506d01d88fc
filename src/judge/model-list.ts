/** The models a provider offers, asked once in a run through a door of the gateway. */
import { z } from 'zod';
import { PrerequisiteError } from '../model/errors.ts';
import type { ListedModel, ListingProvider } from './model-name.ts';
import { DOOR_URL, socketFetch } from './transports/socket-fetch.ts';

const TIMEOUT_MS = 60_000;

/** Throws a PrerequisiteError when there is no list to be had, and the signal's reason when it aborts. */
export async function listModels(
  provider: ListingProvider,
  socket: string,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { path, read } = LISTS[provider];
  const fail = (what: string) =>
    new PrerequisiteError(
      `judge: the list of models of ${provider} cannot be read: ${what}`,
      'name the judge by the full id of a model, which needs no list',
    );
  let response: Response;
  let text: string;
  try {
    const both = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    response = await socketFetch(socket)(`${DOOR_URL}${path}`, { signal: both });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw fail((error as Error).message);
  }
  if (response.status === 401 || response.status === 403) {
    throw new PrerequisiteError(
      `judge: ${provider} refused the credentials (${response.status}) when asked for its models`,
      'correct the key or log in again;  aam doctor  shows which one is used',
      'or run the checks alone:  --no-judge',
    );
  }
  if (!response.ok) throw fail(`the server answered ${response.status}`);
  const models = read(parse(text));
  if (models === null) throw fail('the server answered with something else');
  return models;
}

interface ModelList {
  readonly path: string;
  /** null: this is not a list of models. */
  read(answer: unknown): ListedModel[] | null;
}

const anthropicList = z.object({
  data: z.array(z.object({ id: z.string(), created_at: z.string().nullish() })),
});
const openaiList = z.object({ data: z.array(z.object({ id: z.string(), created: z.number().nullish() })) });

const LISTS: Readonly<Record<ListingProvider, ModelList>> = {
  anthropic: {
    path: '/v1/models?limit=1000',
    read: (answer) =>
      anthropicList
        .safeParse(answer)
        .data?.data.map(({ id, created_at }) => ({ id, createdAt: Date.parse(created_at ?? '') || null })) ??
      null,
  },
  openai: {
    path: '/v1/models',
    read: (answer) =>
      openaiList
        .safeParse(answer)
        .data?.data.map(({ id, created }) => ({ id, createdAt: created ? created * 1000 : null })) ?? null,
  },
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
