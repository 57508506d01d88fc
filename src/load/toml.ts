/** TOML with positions. */
import { parse, TomlDate, TomlError } from 'smol-toml';
import { LineMap, MAX_DEPTH, offsetOf, type Source, TOO_DEEP, unreadable } from './source.ts';
import { spotsOf } from './toml-spots.ts';

export function parseToml(text: string, file: string): Source {
  const lines = new LineMap(text, file);
  try {
    const value = plain(parse(text, { maxDepth: MAX_DEPTH }), 1);
    if (value === DEEPER) return unreadable(file, lines.findings('error', [{ offset: 0, ...TOO_DEEP }]));
    const spot = spotsOf(text);
    return {
      file,
      value,
      diagnostics: [],
      at: (path, part) => lines.position(offsetOf(spot, path, part)),
    };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = '', ...rest] = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    const message = `${first.toLowerCase()}${rest.join('')}`;
    const found = /excessively nested/i.test(message) ? TOO_DEEP : { rule: 'syntax', message };
    const place = { line: error.line, column: error.column };
    return unreadable(file, [{ severity: 'error', file, ...place, ...found }]);
  }
}

const DEEPER = Symbol('nested too deeply');

/** What JSON can express: dates become texts. */
function plain(value: unknown, depth: number): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return DEEPER;
  const fields = Object.entries(value).map(([key, field]) => [key, plain(field, depth + 1)] as const);
  if (fields.some(([, field]) => field === DEEPER)) return DEEPER;
  return Array.isArray(value) ? fields.map(([, field]) => field) : Object.fromEntries(fields);
}
