/** What a request is on a tape: its key, and the pieces that tell what differs. */
import type { Provider } from '../../model/usage.ts';
import { hashOf, type Json } from './canonical.ts';
import { labelsOf } from './labels.ts';
import { type NormaliseOptions, normalise } from './normalise.ts';
import { type Piece, piecesOf } from './parts.ts';
import { textOf } from './piece-text.ts';

export interface TapeRequest {
  readonly provider: Provider;
  /** Below the base URL, query included. */
  readonly path: string;
  readonly key: string;
  /** Differs between requests that are equal but for what is normalised. */
  readonly variant: string;
  readonly turn: number;
  readonly parts: readonly RequestPart[];
  /** See `Names.repeatable`. */
  readonly names: Readonly<Record<string, string>>;
  /** A hash; null: there was no git to tell. */
  readonly gitStatus: string | null;
}

export interface RequestPart {
  readonly hash: string;
  readonly slot: Piece['slot'];
  readonly role: string;
  readonly label: string;
  readonly text: string;
}

export function readRequest(
  provider: Provider,
  path: string,
  bytes: Uint8Array,
  options: NormaliseOptions = {},
): TapeRequest {
  const { body, names, gitStatus } = normalise(provider, parse(bytes), options);
  const pieces = piecesOf(body);
  const labels = labelsOf(pieces);
  const parts = pieces.map((piece, index): RequestPart => {
    const { slot, name, role, opens, value } = piece;
    const hash = hashOf([slot, name, role, opens, value]);
    return { hash, slot, role, label: labels[index] ?? slot, text: textOf(value) };
  });
  return {
    provider,
    path,
    key: requestKey(
      provider,
      path,
      parts.map(({ hash }) => hash),
    ),
    variant: hashOf([...names.values]),
    turn: turnOf(pieces),
    parts,
    names: names.repeatable,
    gitStatus: gitStatus === null ? null : hashOf(gitStatus),
  };
}

/** Two requests have the same key when all their parts are the same, in the same order. */
export function requestKey(provider: string, path: string, parts: readonly string[]): string {
  return hashOf([provider, path, parts]);
}

/** What is no JSON is compared as it is. */
function parse(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    return { unreadable: Buffer.from(bytes).toString('base64') };
  }
}

/** What the model said without a break is one turn. */
function turnOf(pieces: readonly Piece[]): number {
  return pieces.filter((piece, index) => isModels(piece) && !isModels(pieces[index - 1])).length;
}

function isModels(piece: Piece | undefined): boolean {
  if (piece?.slot !== 'message') return false;
  const { role, value } = piece;
  const type = (value as { readonly type?: unknown } | null)?.type;
  return role === 'assistant' || role === 'model' || type === 'reasoning' || /_call$/.test(String(type));
}
