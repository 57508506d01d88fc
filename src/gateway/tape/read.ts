/** Reads a tape. Whatever is wrong with it is told with its place: a damaged tape is never played. */
import type { z } from 'zod';
import { UserError } from '../../model/errors.ts';
import {
  type Tape,
  type TapeExchange,
  type TapePart,
  tapeEnd,
  tapeExchange,
  tapeHeader,
  tapePart,
} from '../../model/tape.ts';
import { expandedParts } from './like.ts';
import { requestKey } from './request.ts';
import { sealOf } from './write.ts';

/** Throws a UserError. `recordCommand`: what makes the tape anew. */
export function parseTape(file: string, written: string, recordCommand = 'aam eval --tape record'): Tape {
  try {
    return parse(file, written);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    throw new UserError(
      error.message,
      'take it from version control again',
      `or record it anew:  ${recordCommand}`,
    );
  }
}

class Damage extends Error {}

function parse(file: string, written: string): Tape {
  // Git may have changed the ends of lines; inside a line there can be no such signs.
  const text = written.replaceAll('\r\n', '\n');
  const lines = text.split('\n');
  if (text.trim() === '') throw damaged(file, 1, 'the tape is empty');
  const last = lines.length - 2;
  if (lines.at(-1) !== '' || last < 1) throw damaged(file, lines.length, 'the tape is cut off');
  const values = lines.slice(0, -1).map((line, index) => parseLine(file, index + 1, line));
  const header = checked(file, 1, tapeHeader, values[0]);
  if (!('end' in (values[last] as object))) throw damaged(file, last + 1, 'the tape is cut off');
  const end = checked(file, last + 1, tapeEnd, values[last]);

  const parts = new Map<string, TapePart>();
  const exchanges: TapeExchange[] = [];
  const lineOf: number[] = [];
  values.slice(1, last).forEach((value, index) => {
    const line = index + 2;
    if ('part' in (value as object)) {
      const part = checked(file, line, tapePart, value);
      parts.set(part.part, part);
      return;
    }
    const exchange = checked(file, line, tapeExchange, value);
    if (exchange.exchange !== exchanges.length + 1) {
      throw damaged(file, line, `exchange ${exchanges.length + 1} is missing`);
    }
    exchanges.push(exchange);
    lineOf.push(line);
  });
  expandedParts(exchanges).forEach((all, index) => {
    const { provider, path, key } = exchanges[index] as TapeExchange;
    const unknown = all?.find((part) => !parts.has(part));
    if (all === null || unknown !== undefined || requestKey(provider, path, all) !== key) {
      throw damaged(file, lineOf[index] ?? 1, 'the parts of the request do not fit its key');
    }
  });
  if (end.end !== exchanges.length) {
    throw damaged(file, last + 1, `the tape should hold ${end.end} exchanges, not ${exchanges.length}`);
  }
  const before = lines.slice(0, last).map((line) => `${line}\n`);
  if (sealOf(before.join('')) !== end.sha256) {
    throw damaged(file, last + 1, 'the tape was changed after it was written');
  }
  return { file, header, parts, exchanges };
}

function parseLine(file: string, line: number, text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  throw damaged(file, line, 'the line is not a JSON object');
}

function checked<Schema extends z.ZodType>(
  file: string,
  line: number,
  schema: Schema,
  value: unknown,
): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.');
  throw damaged(file, line, [where, issue?.message].filter(Boolean).join(': '));
}

function damaged(file: string, line: number, problem: string): Damage {
  return new Damage(`${file}:${line}: ${problem}`);
}
