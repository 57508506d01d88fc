/** Says why a tape has no answer to a request. It looks for the nearest recorded one to show what differs, no more. */
import { diffArrays } from 'diff';
import type { Tape, TapeExchange } from '../../model/tape.ts';
import { type Difference, describeDifference, type SubAgentPrompt } from './difference.ts';
import { JUDGE_QUESTION } from './labels.ts';
import type { RequestPart, TapeRequest } from './request.ts';

export interface MissOptions {
  readonly engineVersion?: string | null;
  readonly secrets?: readonly string[];
  readonly recordCommand?: string;
  /** The package's own. */
  readonly subAgents?: readonly SubAgentPrompt[];
}

/** What the tape has that is equal but for what is left out of the comparison. */
export interface SameRequest {
  /** How often it was recorded. */
  readonly times: number;
  readonly gitDiffers: boolean;
}

const MAX_SHOWN = 3;

export function describeMiss(
  request: TapeRequest,
  { file, header, exchanges, parts }: Tape,
  recorded: readonly (readonly string[] | null)[],
  { times: timesRecorded, gitDiffers }: SameRequest,
  { engineVersion = null, secrets = [], recordCommand, subAgents = [] }: MissOptions,
): string {
  const command = recordCommand ?? `aam eval ${header.case} --engine ${header.engine} --tape record`;
  const again = `record it again:  ${command}`;
  const isJudge = request.parts.some(({ label }) => label === JUDGE_QUESTION);
  const asked = isJudge ? JUDGE_QUESTION : `what the agent asks in turn ${request.turn + 1}`;
  const lines = [`the tape ${file} has no answer to ${asked}`];
  if (header.engine_version !== null && engineVersion !== null && header.engine_version !== engineVersion) {
    lines.push(`it was recorded with ${header.engine} ${header.engine_version}, this is ${engineVersion}`);
  }
  if (gitDiffers) {
    lines.push('git lists other files in the workspace than when the tape was recorded');
    return [...lines, again].join('\n');
  }
  if (timesRecorded > 0) {
    lines.push(`the model was asked this ${times(timesRecorded)} when the tape was recorded, now once more`);
    return [...lines, again].join('\n');
  }
  const nearest = nearestOf(request, exchanges, recorded);
  if (nearest === null) {
    lines.push(`it holds no request to ${request.provider}${request.path}`);
    return [...lines, again].join('\n');
  }
  const differences = differencesOf(request.parts, nearest);
  for (const difference of differences.slice(0, MAX_SHOWN)) {
    const was = difference.was === null ? null : (parts.get(difference.was) ?? null);
    lines.push(describeDifference({ is: difference.is, was }, secrets, subAgents));
  }
  if (differences.length > MAX_SHOWN) lines.push(`and ${differences.length - MAX_SHOWN} more differences`);
  return [...lines, again].join('\n');
}

/** At the same turn of the conversation if there is one; of those, the one with most in common. */
function nearestOf(
  { provider, path, turn, parts }: TapeRequest,
  exchanges: readonly TapeExchange[],
  recorded: readonly (readonly string[] | null)[],
): readonly string[] | null {
  const own = new Set(parts.map(({ hash }) => hash));
  const candidates = exchanges.flatMap((exchange, index) => {
    const all = recorded[index] ?? null;
    if (exchange.provider !== provider || exchange.path !== path || all === null) return [];
    const shared = all.filter((part) => own.has(part)).length / Math.max(all.length, own.size);
    return [{ all, score: shared + (exchange.turn === turn ? 1 : 0) }];
  });
  return candidates.sort((a, b) => b.score - a.score)[0]?.all ?? null;
}

/** `was`: the hash of the recorded part. */
interface ChangedPart extends Pick<Difference, 'is'> {
  readonly was: string | null;
}

function differencesOf(now: readonly RequestPart[], then: readonly string[]): ChangedPart[] {
  const byHash = new Map(now.map((part) => [part.hash, part]));
  const found: ChangedPart[] = [];
  let gone: string[] = [];
  const flush = (come: readonly string[]) => {
    for (let index = 0; index < Math.max(gone.length, come.length); index += 1) {
      const is = byHash.get(come[index] ?? '') ?? null;
      found.push({ is, was: gone[index] ?? null });
    }
    gone = [];
  };
  for (const { added, removed, value } of diffArrays(
    [...then],
    now.map(({ hash }) => hash),
  )) {
    if (removed) gone.push(...value);
    else flush(added ? value : []);
  }
  flush([]);
  return found;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
