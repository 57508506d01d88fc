/** What a client may ask a model for. */
import type { Provider } from '../model/usage.ts';
import { wayOutIn } from './hosted-tools.ts';
import type { Refusal } from './routes.ts';

/** `bytes`: what is to be sent; `model`: the one it asks, null when it names none. `wayOut`: the request is refused because it would lead out of the sandbox. */
export type CheckedBody =
  | { readonly bytes: Buffer; readonly model: string | null }
  | { readonly refusal: Refusal; readonly wayOut: string | null };

export function checkBody(provider: Provider, bytes: Buffer, hostedTools: boolean): CheckedBody {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_JSON;
    const fields = value as Record<string, unknown>;
    const model = typeof fields['model'] === 'string' ? fields['model'].slice(0, MAX_MODEL) : null;
    if (hostedTools) return { bytes, model };
    const wayOut = wayOutIn(provider, fields);
    if (wayOut !== null) return { refusal: { status: 403, message: messageFor(wayOut) }, wayOut };
    // Sent as it was understood: a server could read a name that stands twice in another way.
    return { bytes: Buffer.from(JSON.stringify(value)), model };
  } catch {
    return NOT_JSON;
  }
}

/** No id of a model is longer, and whoever keeps limits need not hear more. */
const MAX_MODEL = 200;

const NOT_JSON: CheckedBody = {
  refusal: { status: 400, message: 'the body of the request is not a JSON object' },
  wayOut: null,
};

function messageFor(wayOut: string): string {
  return `the gateway refused ${wayOut}: there is no network here, and the model's server would be a way around that`;
}
