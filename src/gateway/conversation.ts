/** Tells requests of the same conversation from others, without keeping what they say. */
import { createHash } from 'node:crypto';

/**
 * One name for each beginning of what a request asks, the whole last. After an answer that broke off, Codex goes on with
 * the part it got, so that a later request need not be the same to make up for it. Never throws.
 */
export function beginningsOf(body: Buffer | null): readonly string[] {
  const { head, messages } = partsOf(body);
  const names: string[] = [];
  for (const message of [head, ...messages]) {
    const before = names.at(-1) ?? '';
    names.push(createHash('sha256').update(before).update(JSON.stringify(message)).digest('base64'));
  }
  return names;
}

interface Parts {
  readonly head: unknown;
  readonly messages: readonly unknown[];
}

/** What else a client says about itself changes from one attempt to the next. */
function partsOf(body: Buffer | null): Parts {
  const text = body?.toString() ?? '';
  try {
    const { model, system, instructions, messages, input } = JSON.parse(text);
    const list = messages ?? input;
    if (Array.isArray(list)) return { head: [model, system, instructions], messages: list };
  } catch {
    // Then it is compared as it is.
  }
  return { head: text, messages: [] };
}
