/** Where the values of a TOML document stand, which its parser does not tell. The text is known to be TOML. */
import type { Spot } from './source.ts';

interface Place {
  offset: number;
  keyOffset?: number;
  parts?: Map<string, Place> | Place[];
}

export function spotsOf(text: string): Spot {
  const root: Place = { offset: 0, parts: new Map() };
  new Scanner(text).document(root);
  return root;
}

/** A number, a date, true or false. Date and time may have a space between them. */
const BARE = /^[^\s,\]}#]*(?: \d\d:[^\s,\]}#]*)?/;
const MAX_BARE = 100;

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(root: Place): void {
    let table = root;
    for (this.#skip(); this.#at < this.#text.length; this.#skip()) {
      const start = this.#at;
      if (this.#text.startsWith('[[', start)) {
        this.#at += 2;
        const path = this.#keys();
        this.#after(']]');
        table = nextOf(root, path, start);
      } else if (this.#text[start] === '[') {
        this.#at += 1;
        const path = this.#keys();
        this.#after(']');
        table = tableAt(root, path, start);
        table.offset = start;
      } else this.#pair(table);
    }
  }

  #pair(table: Place): void {
    const keyOffset = this.#at;
    const path = this.#keys();
    this.#after('=');
    this.#skip();
    const parent = tableAt(table, path.slice(0, -1), keyOffset);
    const place: Place = { offset: this.#at, keyOffset };
    if (parent.parts instanceof Map) parent.parts.set(path.at(-1) ?? '', place);
    this.#value(place);
  }

  #value(place: Place): void {
    const sign = this.#text[this.#at];
    if (sign === '"' || sign === "'") this.#quoted();
    else if (sign === '[') this.#list(place);
    else if (sign === '{') this.#map(place);
    else this.#at += BARE.exec(this.#text.slice(this.#at, this.#at + MAX_BARE))?.[0].length || 1;
  }

  #list(place: Place): void {
    const items: Place[] = [];
    place.parts = items;
    this.#at += 1;
    for (this.#skip(); this.#at < this.#text.length && this.#text[this.#at] !== ']'; this.#skip(',')) {
      const item: Place = { offset: this.#at };
      items.push(item);
      this.#value(item);
    }
    this.#at += 1;
  }

  #map(place: Place): void {
    place.parts = new Map();
    this.#at += 1;
    for (this.#skip(); this.#at < this.#text.length && this.#text[this.#at] !== '}'; this.#skip(','))
      this.#pair(place);
    this.#at += 1;
  }

  /** `a."b c".d`. */
  #keys(): string[] {
    const keys: string[] = [];
    do {
      if (keys.length > 0) this.#at += 1;
      this.#blank();
      keys.push(this.#key());
      this.#blank();
    } while (this.#text[this.#at] === '.');
    return keys;
  }

  #key(): string {
    const start = this.#at;
    const sign = this.#text[start];
    if (sign === '"' || sign === "'") {
      this.#quoted();
      const inner = this.#text.slice(start + 1, this.#at - 1);
      return sign === "'" ? inner : unescaped(inner);
    }
    while (/[\w-]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  #quoted(): void {
    const text = this.#text;
    const sign = text[this.#at] ?? '"';
    const isLong = text.startsWith(sign.repeat(3), this.#at);
    const end = isLong ? sign.repeat(3) : sign;
    this.#at += end.length;
    while (this.#at < text.length && !text.startsWith(end, this.#at))
      this.#at += sign === '"' && text[this.#at] === '\\' ? 2 : 1;
    this.#at += end.length;
    // Up to two quotation marks may stand before the three that end the text.
    while (isLong && text[this.#at] === sign) this.#at += 1;
  }

  #after(sign: string): void {
    const found = this.#text.indexOf(sign, this.#at);
    this.#at = found < 0 ? this.#text.length : found + sign.length;
  }

  #blank(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
  }

  /** White space, comments, and what else is given. */
  #skip(also = ''): void {
    for (;;) {
      const sign = this.#text[this.#at];
      if (sign === '#') {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (sign !== undefined && (/[\s\ufeff]/.test(sign) || sign === also)) this.#at += 1;
      else return;
    }
  }
}

/** Steps into lists of tables go to their last one. */
function tableAt(from: Place, path: readonly string[], offset: number): Place {
  let place = from;
  for (const key of path) {
    const inner = Array.isArray(place.parts) ? (place.parts.at(-1) ?? place) : place;
    inner.parts ??= new Map();
    if (!(inner.parts instanceof Map)) return inner;
    const next = inner.parts.get(key) ?? { offset, keyOffset: offset, parts: new Map() };
    inner.parts.set(key, next);
    place = next;
  }
  return Array.isArray(place.parts) ? (place.parts.at(-1) ?? place) : place;
}

function nextOf(root: Place, path: readonly string[], offset: number): Place {
  const parent = tableAt(root, path.slice(0, -1), offset);
  const key = path.at(-1) ?? '';
  const table: Place = { offset, keyOffset: offset, parts: new Map() };
  if (!(parent.parts instanceof Map)) return table;
  const list = parent.parts.get(key);
  if (list && Array.isArray(list.parts)) list.parts.push(table);
  else parent.parts.set(key, { offset, keyOffset: offset, parts: [table] });
  return table;
}

function unescaped(inner: string): string {
  try {
    return String(JSON.parse(`"${inner}"`));
  } catch {
    return inner;
  }
}
