/** What a model said in an answer, put together: a stream cuts words, numbers and keys into pieces. */
import { jsonOrNull } from '../../model/json-or-null.ts';
import { isList, isObject, type Json } from './canonical.ts';

/** The bytes of an answer as text, and below it the pieces of a stream as one text each. */
export function spokenText(body: string): string {
  const said = new Map<string, string>();
  for (const [, data = ''] of body.matchAll(/^data: ?(.*)$/gm)) {
    const event = jsonOrNull(data) as Json;
    if (!isObject(event)) continue;
    const block = PLACES.map((name) => event[name]).join(' ');
    for (const holder of HOLDERS) {
      for (const [path, piece] of texts(event[holder] ?? null, holder)) {
        const place = `${block} ${path}`;
        said.set(place, (said.get(place) ?? '') + piece);
      }
    }
  }
  return [body, ...said.values()].join('\n');
}

/** What tells pieces of one text from those of another. */
const PLACES = ['type', 'index', 'item_id', 'output_index', 'content_index', 'summary_index'];
/** Where the APIs keep pieces. */
const HOLDERS = ['delta', 'choices', 'candidates'];
const NO_PIECES = new Set(['type', 'id', 'role', 'name', 'finish_reason', 'finishReason', 'stop_reason']);

/** Every text below a value, by its path. */
function texts(value: Json, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (isList(value)) return value.flatMap((item, index) => texts(item, `${path}.${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, field]) =>
    NO_PIECES.has(key) ? [] : texts(field, `${path}.${key}`),
  );
}
