/** What a model said in an answer, put together: a stream cuts words, numbers and keys into pieces. */
import { isObject, type Json } from './canonical.ts';

/** The bytes of an answer as text, and below it the pieces of a stream as one text each. */
export function spokenText(body: string): string {
  const said = new Map<string, string>();
  for (const [, data = ''] of body.matchAll(/^data: ?(.*)$/gm)) {
    const event = parse(data);
    if (!isObject(event)) continue;
    for (const [kind, piece] of piecesOf(event['delta'])) {
      const place = [event['index'], event['item_id'], event['output_index'], kind].join(' ');
      said.set(place, (said.get(place) ?? '') + piece);
    }
  }
  return [body, ...said.values()].join('\n');
}

/** Both APIs name a piece by what it is a piece of. */
function piecesOf(delta: Json | undefined): [string, string][] {
  if (typeof delta === 'string') return [['', delta]];
  if (!isObject(delta)) return [];
  return Object.entries(delta).flatMap(([kind, value]): [string, string][] =>
    typeof value === 'string' && kind !== 'type' ? [[kind, value]] : [],
  );
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
