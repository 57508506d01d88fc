/** The lines of a journal: JSON with a checksum of its own, so that one that was cut off or damaged is known. */
import { createHash } from 'node:crypto';
import type { TrialResult } from '../model/trial.ts';

/** `session`: which process of the run; `ms`: how long it had worked by then. */
export type JournalEntry = { readonly session: number; readonly ms: number } & (
  | { readonly result: TrialResult }
  | { readonly end: RunEnd }
);

export interface RunEnd {
  readonly state: 'finished' | 'interrupted';
  /** Absolute path of the report. */
  readonly report: string;
  readonly exitCode: number;
}

/** What a journal says. */
export interface JournalContents {
  /** The result of each trial that is over, by its id. Where it ran several times the last one counts. */
  readonly results: ReadonlyMap<string, TrialResult>;
  /** Results that do not count any more, or never did. They cost something all the same. */
  readonly superseded: readonly TrialResult[];
  /** Time that all processes together worked on it. */
  readonly workedMs: number;
  /** How the last process that wrote something ended; null: it was killed, or works on. */
  readonly end: RunEnd | null;
  /** Of the last process that wrote something. */
  readonly session: number;
  /** Lines that could not be used. */
  readonly damaged: number;
}

const SUM = /,"sum":"([0-9a-f]{16})"\}$/;

/** `toJson` takes keys out of it. */
export function journalLine(entry: JournalEntry, toJson: (value: unknown) => string): string {
  const text = toJson(entry);
  return `${text.slice(0, -1)},"sum":"${sumOf(text)}"}\n`;
}

export function readJournal(text: string): JournalContents {
  const results = new Map<string, TrialResult>();
  const superseded: TrialResult[] = [];
  const worked = new Map<number, number>();
  const seen = new Set<string>();
  let end: RunEnd | null = null;
  let session = 0;
  let damaged = 0;
  for (const line of text.split('\n')) {
    // A line is written again when nobody knows whether it reached the disk.
    if (line === '' || seen.has(line)) continue;
    seen.add(line);
    const entry = entryOf(line);
    if (entry === null) {
      damaged++;
      continue;
    }
    worked.set(entry.session, Math.max(worked.get(entry.session) ?? 0, entry.ms));
    session = entry.session;
    end = 'end' in entry ? entry.end : null;
    if (!('result' in entry)) continue;
    const { result } = entry;
    const before = results.get(result.trial);
    if (isOver(result)) {
      if (before) superseded.push(before);
      results.set(result.trial, result);
    } else superseded.push(result);
  }
  const workedMs = [...worked.values()].reduce((sum, ms) => sum + ms, 0);
  return { results, superseded, workedMs, end, session, damaged };
}

/** What was interrupted says nothing, however it was written down. */
export function isOver({ errorKind }: Pick<TrialResult, 'errorKind'>): boolean {
  return errorKind !== 'interrupted';
}

function entryOf(line: string): JournalEntry | null {
  const sum = SUM.exec(line);
  if (!sum) return null;
  const text = `${line.slice(0, sum.index)}}`;
  return sumOf(text) === sum[1] ? (JSON.parse(text) as JournalEntry) : null;
}

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
