/** What a client may ask a model for. */
import type { Provider } from '../model/usage.ts';
import { wayOutIn } from './hosted-tools.ts';
import type { Refusal } from './routes.ts';

/** `bytes`: what is to be sent. `wayOut`: the request is refused because it would lead out of the sandbox. */
export type CheckedBody =
  | { readonly bytes: Buffer }
  | { readonly refusal: Refusal; readonly wayOut: string | null };

export function checkBody(provider: Provider, bytes: Buffer, hostedTools: boolean): CheckedBody {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_JSON;
    if (hostedTools) return { bytes };
    const wayOut = wayOutIn(provider, value as Record<string, unknown>);
    if (wayOut !== null) return { refusal: { status: 403, message: messageFor(wayOut) }, wayOut };
    // Sent as it was understood: a server could read a name that stands twice in another way.
    return { bytes: Buffer.from(JSON.stringify(value)) };
  } catch {
    return NOT_JSON;
  }
}

const NOT_JSON: CheckedBody = {
  refusal: { status: 400, message: 'the body of the request is not a JSON object' },
  wayOut: null,
};

function messageFor(wayOut: string): string {
  return `the gateway refused ${wayOut}: there is no network here, and the model's server would be a way around that`;
}
