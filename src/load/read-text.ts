/** Reads a text file that a stranger may have written: never hangs, never takes more than a set size. */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Diagnostic, fileFinding } from '../model/diagnostic.ts';

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
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      return problem('encoding', 'is not UTF-8 text', 'save it as UTF-8');
    }
    if (code === 'ENOENT') return problem('missing-file', 'does not exist');
    if (code === 'EACCES' || code === 'EPERM')
      return problem('unreadable', 'cannot be read: permission denied');
    if (code !== undefined) return problem('unreadable', `cannot be read: ${code}`);
    throw error;
  }
}
