/** Takes a request apart, so that two of them can be compared piece by piece. Nothing is lost on the way. */
import { isList, isObject, type Json, type JsonObject } from './canonical.ts';

type Slot = 'setting' | 'system' | 'tool' | 'message';

export interface Piece {
  readonly slot: Slot;
  /** Of a setting; of the list that a piece stands in otherwise. */
  readonly name: string;
  /** Who says it; '' where nobody does. */
  readonly role: string;
  /** First of a message, with whatever the message has beside its blocks. */
  readonly opens: JsonObject | null;
  readonly value: Json;
}

export function piecesOf(body: Json): Piece[] {
  if (!isObject(body)) return [{ slot: 'setting', name: '', role: '', opens: null, value: body }];
  const fields = Object.entries(body).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return fields.flatMap(([name, value]) => {
    const slot = SLOTS[name] ?? 'setting';
    if (slot === 'setting' || !isList(value)) return [{ slot, name, role: '', opens: null, value }];
    const pieces = value.flatMap((item) =>
      slot === 'message' ? message(name, item) : [one(slot, name, item)],
    );
    return pieces.length > 0 ? pieces : [{ slot, name, role: '', opens: null, value }];
  });
}

/** Where the APIs keep the same things. What changes from turn to turn comes last. */
const SLOTS: Readonly<Record<string, Slot>> = {
  system: 'system',
  instructions: 'system',
  systemInstruction: 'system',
  tools: 'tool',
  messages: 'message',
  input: 'message',
  contents: 'message',
};

const ORDER: readonly Slot[] = ['setting', 'system', 'tool', 'message'];

function rank(name: string): number {
  return ORDER.indexOf(SLOTS[name] ?? 'setting');
}

function one(slot: Slot, name: string, value: Json): Piece {
  return { slot, name, role: '', opens: null, value };
}

/** One piece for each block. */
function message(name: string, item: Json): Piece[] {
  if (!isObject(item)) return [one('message', name, item)];
  const role = typeof item['role'] === 'string' ? item['role'] : '';
  const list = ['content', 'parts', 'tools'].find((it) => isList(item[it]));
  if (list === undefined) return [{ slot: 'message', name, role, opens: {}, value: item }];
  const { [list]: blocks, ...opens } = item;
  const slot: Slot = list === 'tools' ? 'tool' : 'message';
  const values = isList(blocks) && blocks.length > 0 ? blocks : [null];
  return values.map((value, index) => ({
    slot,
    name: `${name}.${list}`,
    role,
    opens: index === 0 ? opens : null,
    value,
  }));
}
