/** Writes a tape: readable lines in an order that does not depend on which answer came first. */
import { createHash } from 'node:crypto';
import type { TapeExchange, TapeHeader, TapePart } from '../../model/tape.ts';
import { PROMPT } from './labels.ts';
import { longestStart } from './like.ts';
import { lineHashes } from './line-hashes.ts';
import type { RequestPart, TapeRequest } from './request.ts';
import { scrub } from './scrub.ts';

export interface RecordedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As received. */
  readonly body: Buffer;
  readonly usage: TapeExchange['usage'];
  readonly durationMs: number;
}

export interface RecordedExchange {
  readonly request: TapeRequest;
  readonly answer: RecordedAnswer;
}

export function tapeText(
  about: Omit<TapeHeader, 'tape' | 'models'>,
  exchanges: readonly RecordedExchange[],
  secrets: readonly string[] = [],
): string {
  const ordered = inOrder(exchanges);
  const models = [...new Set(ordered.flatMap(({ answer }) => answer.usage?.model ?? []))].sort();
  const header = headerOf(about, models);
  const written = new Set<string>();
  const lines: (TapeHeader | TapePart | TapeExchange)[] = [header];
  ordered.forEach(({ request, answer }, index) => {
    for (const part of request.parts) {
      if (written.has(part.hash)) continue;
      written.add(part.hash);
      lines.push(partLine(part, secrets));
    }
    const before = ordered.slice(0, index).map((it) => it.request);
    lines.push(exchangeLine(index + 1, request, answer, before));
  });
  return sealed(
    lines.map((line) => JSON.stringify(line)),
    ordered.length,
  );
}

/** Field by field: the same order in every tape. */
function headerOf(about: Omit<TapeHeader, 'tape' | 'models'>, models: readonly string[]): TapeHeader {
  const { source, recorded_at, trial, case: name, case_hash } = about;
  const { engine, engine_version, model, judge, aam_version, package: files } = about;
  return {
    tape: 1,
    ...{ source, recorded_at, trial, case: name, case_hash },
    ...{ engine, engine_version, model, judge, models: [...models], aam_version },
    package: Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Closes a tape, so that a part of it cannot pass for the whole. */
function sealed(lines: readonly string[], exchanges: number): string {
  const text = lines.map((line) => `${line}\n`).join('');
  return `${text}${JSON.stringify({ end: exchanges, sha256: sealOf(text) })}\n`;
}

export function sealOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The conversation that began first, then those of sub-agents and judges; each from its first turn to its last. */
function inOrder(exchanges: readonly RecordedExchange[]): RecordedExchange[] {
  const main = exchanges[0] && rootOf(exchanges[0].request);
  const rank = ({ request }: RecordedExchange) => {
    const root = rootOf(request);
    return [root === main ? '' : root, String(request.turn).padStart(9, '0'), request.key].join(' ');
  };
  return exchanges
    .map((exchange, index) => ({ exchange, index, rank: rank(exchange) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.index - b.index))
    .map(({ exchange }) => exchange);
}

/** What a conversation starts with: everything the user said before the model did. */
function rootOf({ parts }: TapeRequest): string {
  const prompts = parts.filter(({ slot, role }) => slot === 'message' && role === 'user');
  const first = prompts.find(({ label }) => label === PROMPT) ?? prompts[0];
  return first?.hash ?? 'none';
}

const MAX_ENGINE_TEXT = 1000;
const MAX_BRIEFING = 8000;
const MAX_TEXT = 64 * 1024;

function partLine({ hash, slot, role, label, text }: RequestPart, secrets: readonly string[]): TapePart {
  const isEngines = slot === 'system' || slot === 'tool';
  const isBriefing = role === 'system' || role === 'developer';
  const limit = isEngines ? MAX_ENGINE_TEXT : isBriefing ? MAX_BRIEFING : MAX_TEXT;
  const safe = { part: hash, label: scrub(label, secrets) };
  return text.length > limit ? { ...safe, lines: lineHashes(text) } : { ...safe, text: scrub(text, secrets) };
}

function exchangeLine(
  number: number,
  request: TapeRequest,
  answer: RecordedAnswer,
  before: readonly TapeRequest[],
): TapeExchange {
  const hashes = (it: TapeRequest) => it.parts.map(({ hash }) => hash);
  const parts = hashes(request);
  const like = longestStart(parts, before.map(hashes));
  return {
    exchange: number,
    provider: request.provider,
    path: request.path,
    key: request.key,
    variant: request.variant,
    turn: request.turn,
    like,
    parts: parts.slice(like?.parts ?? 0),
    names: request.names,
    git_status: request.gitStatus,
    status: answer.status,
    headers: keptHeaders(answer.headers),
    body: bodyOf(answer.body),
    usage: answer.usage,
    duration_ms: Math.round(answer.durationMs),
  };
}

/** Those that the CLIs read; the others are about the connection, the account or the day. */
const KEPT_HEADERS = ['content-type', 'openai-model', 'x-reasoning-included'];

function keptHeaders(headers: RecordedAnswer['headers']): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** As text where that loses nothing. */
function bodyOf(bytes: Buffer): TapeExchange['body'] {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? { text } : { base64: bytes.toString('base64') };
}
