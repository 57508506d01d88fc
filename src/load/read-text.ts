/** Reads a text file that a stranger may have written: never hangs, never takes more than a set size. */
import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Diagnostic, fileFinding } from '../model/diagnostic.ts';
import { LineMap } from './source.ts';

const MAX_BYTES = 4 * 1024 * 1024;

export type TextResult = { readonly text: string } | { readonly problem: Diagnostic };

export async function readText(root: string, file: string): Promise<TextResult> {
  const problem = (rule: string, message: string, hint?: string): TextResult => ({
    problem: fileFinding('error', file, { rule, message, hint }),
  });
  try {
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    await using handle = await open(join(root, file), constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await handle.stat();
    if (!stat.isFile()) return problem('not-a-file', 'is not a regular file');
    if (stat.size > MAX_BYTES) return problem('too-large', `is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
    const bytes = await handle.readFile();
    return isUtf8(bytes) ? { text: new TextDecoder().decode(bytes) } : { problem: notUtf8(bytes, file) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return problem('missing-file', 'does not exist');
    if (code === 'EACCES' || code === 'EPERM')
      return problem('unreadable', 'cannot be read: permission denied');
    if (code !== undefined) return problem('unreadable', `cannot be read: ${code}`);
    throw error;
  }
}

/** Points at the first character that could not be decoded. */
function notUtf8(bytes: Buffer, file: string): Diagnostic {
  const text = new TextDecoder().decode(bytes);
  const place = new LineMap(text, file).position(Math.max(text.indexOf('\ufffd'), 0));
  const message = 'is not UTF-8 text from here on';
  return { severity: 'error', rule: 'encoding', file, ...place, message, hint: 'save it as UTF-8' };
}
