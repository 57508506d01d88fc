/** Reads a text file that a stranger may have written: never hangs, never takes more than a set size. */
import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Diagnostic, fileFinding } from '../model/diagnostic.ts';
import { LineMap } from './source.ts';

const MAX_BYTES = 4 * 1024 * 1024;

export type TextResult = { readonly text: string } | { readonly problem: Diagnostic };

/** Reads at once, because that is several times as fast for the many small files of a package. */
export async function readText(root: string, file: string): Promise<TextResult> {
  return readTextNow(root, file);
}

/** The same where a promise would be in the way. */
export function readTextNow(root: string, file: string): TextResult {
  try {
    return readOpened(openSync(join(root, file), constants.O_RDONLY | constants.O_NONBLOCK), file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return problem(file, 'missing-file', 'does not exist');
    if (code === 'EACCES' || code === 'EPERM')
      return problem(file, 'unreadable', 'cannot be read: permission denied');
    if (code !== undefined) return problem(file, 'unreadable', `cannot be read: ${code}`);
    throw error;
  }
}

/** O_NONBLOCK above: opening a FIFO must not wait for a writer. */
function readOpened(descriptor: number, file: string): TextResult {
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return problem(file, 'not-a-file', 'is not a regular file');
    if (stat.size > MAX_BYTES) {
      return problem(file, 'too-large', `is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    }
    const bytes = readFileSync(descriptor);
    return isUtf8(bytes) ? { text: new TextDecoder().decode(bytes) } : { problem: notUtf8(bytes, file) };
  } finally {
    closeSync(descriptor);
  }
}

function problem(file: string, rule: string, message: string): TextResult {
  return { problem: fileFinding('error', file, { rule, message }) };
}

/** Points at the first character that could not be decoded. */
function notUtf8(bytes: Buffer, file: string): Diagnostic {
  const text = new TextDecoder().decode(bytes);
  const place = new LineMap(text, file).position(Math.max(text.indexOf('\ufffd'), 0));
  const message = 'is not UTF-8 text from here on';
  return { severity: 'error', rule: 'encoding', file, ...place, message, hint: 'save it as UTF-8' };
}
