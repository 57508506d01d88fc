/** JSON as programs of all kinds write it: raw line breaks and tabs inside strings are understood, with a warning. */
import type { Diagnostic } from '../model/diagnostic.ts';
import { parseJson } from './json.ts';
import { LineMap, type Source } from './source.ts';

export function parseTolerantJson(text: string, file: string): Source {
  const strict = parseJson(text, file);
  if (strict.value !== undefined) return strict;
  const raw = rawControls(text);
  const base = raw.length > 0 ? freeBlock(text) : null;
  if (base === null) return strict;
  const hidden = raw.reduce((signs, at) => {
    signs[at] = String.fromCharCode(base + text.charCodeAt(at));
    return signs;
  }, text.split(''));
  const source = parseJson(hidden.join(''), file, text);
  if (source.value === undefined) return strict;
  return {
    ...source,
    value: restored(source.value, base),
    diagnostics: [warning(raw, text, file), ...source.diagnostics],
  };
}

/** Offsets of control characters that stand inside strings. */
function rawControls(text: string): number[] {
  const found: number[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') inString = !inString;
    else if (inString && sign === '\\') at += 1;
    else if (inString && text.charCodeAt(at) < CONTROLS) found.push(at);
  }
  return found;
}

const CONTROLS = 0x20;
const PRIVATE_USE = { first: 0xe000, last: 0xf8ff };

/** Characters that the text does not use, to stand in for control characters: every position stays what it is. */
function freeBlock(text: string): number | null {
  const used = new Set<number>();
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= PRIVATE_USE.first && code <= PRIVATE_USE.last) used.add(code);
  }
  const isFree = (base: number) =>
    Array.from({ length: CONTROLS }, (_, index) => base + index).every((code) => !used.has(code));
  for (let base = PRIVATE_USE.first; base + CONTROLS <= PRIVATE_USE.last; base += CONTROLS)
    if (isFree(base)) return base;
  return null;
}

function restored(value: unknown, base: number): unknown {
  if (typeof value === 'string') return restoredText(value, base);
  if (Array.isArray(value)) return value.map((item) => restored(item, base));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [restoredText(key, base), restored(field, base)]),
  );
}

function restoredText(text: string, base: number): string {
  const isHidden = (code: number) => code >= base && code < base + CONTROLS;
  return Array.from({ length: text.length }, (_, at) => {
    const code = text.charCodeAt(at);
    return String.fromCharCode(isHidden(code) ? code - base : code);
  }).join('');
}

function warning(raw: readonly number[], text: string, file: string): Diagnostic {
  const [first = 0] = raw;
  const name = NAMES[text[first] ?? ''] ?? 'a control character';
  const more = raw.length > 1 ? ` (${raw.length} such characters in the file)` : '';
  return {
    severity: 'warning',
    rule: 'control-character',
    file,
    ...new LineMap(text, file).position(first),
    message: `${name} stands unescaped in a string, which JSON does not allow${more}`,
    hint: 'write it as \\n, \\t or \\u00XX: other programs refuse the file',
  };
}

const NAMES: Readonly<Record<string, string>> = {
  '\n': 'a line break',
  '\r': 'a line break',
  '\t': 'a tab',
};
