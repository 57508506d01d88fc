/** The text that a message, a list of parts, or plain data stands for. Files are read, not mentioned. */
import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readTextNow } from '../../read-text.ts';
import { findPath, isInside } from './files.ts';
import { fieldOf, isFields, itemsOf, type Part } from './part.ts';
import type { Place } from './place.ts';
import type { Reading } from './reading.ts';

const PART_TYPES = new Set(['text', 'file', 'input_text', 'output_text']);

/** null after reporting what cannot be read. */
export function readPartText(part: Part, reading: Reading): string | null {
  const { value } = part;
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isListOfParts(part)) {
    const texts = itemsOf(part).map((it) => readPartText(it, reading));
    return texts.some((it) => it === null) ? null : texts.join('\n\n');
  }
  if (isFields(part) && PART_TYPES.has(String(part.value['type']))) {
    const inner = fieldOf(part, 'value', 'text', 'path');
    if (inner !== null && typeof inner.value === 'string')
      return part.value['type'] === 'file' ? textOfFile(inner.value, inner, reading) : inner.value;
  }
  return JSON.stringify(value, null, 2);
}

function isListOfParts(part: Part): boolean {
  return (
    Array.isArray(part.value) &&
    itemsOf(part).every(
      (it) => typeof it.value === 'string' || (isFields(it) && PART_TYPES.has(String(it.value['type']))),
    )
  );
}

/** null after reporting why not. */
export function textOfFile(written: string, at: Part, { findings, place }: Reading): string | null {
  const path = findPath(written, at.doc, place);
  const read = path === null ? 'does not exist' : readWithin(path, place);
  if (typeof read !== 'string') return read.text;
  findings.error(at, {
    rule: 'missing-file',
    message: `the file ${JSON.stringify(written)} ${read}`,
    hint: 'paths are relative to the eval file',
  });
  return null;
}

function readWithin(path: string, place: Place): string | { readonly text: string } {
  if (!isInside(realpathSync(path), place)) return `is outside ${place.top}`;
  const read = readTextNow(dirname(path), basename(path));
  return 'text' in read ? { text: read.text.trim() } : read.problem.message;
}
