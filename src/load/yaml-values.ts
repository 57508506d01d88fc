/** YAML nodes → values, and where they stand. Aliases are written out, within the limits every document has. */
import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { MAX_DEPTH, MAX_TOKENS, type Mistake, type Spot, TOO_DEEP, TOO_LONG } from './source.ts';

interface Read {
  readonly value: unknown;
  readonly spot: Spot;
  /** Values and levels inside, aliases written out. */
  readonly size: number;
  readonly height: number;
}

export class NodeReader {
  readonly mistakes: Mistake[] = [];
  /** Whether no value can stand for the document. */
  refused = false;
  readonly #jsonOnly: boolean;
  /** By anchor; null while the value is still being read. */
  readonly #anchored = new Map<string, Read | null>();
  #size = 0;

  constructor(jsonOnly: boolean) {
    this.#jsonOnly = jsonOnly;
  }

  read(node: unknown, depth = 1): Read {
    const offset = offsetOfNode(node, 0);
    if (isAlias(node)) {
      this.#beyondJson(offset, 'aliases');
      return this.#alias(offset, node.source, depth);
    }
    const { anchor, tag } = isScalar(node) || isMap(node) || isSeq(node) ? node : {};
    if (tag) this.#beyondJson(offset, 'tags');
    if (!anchor) return this.#content(node, offset, depth);
    this.#beyondJson(offset, 'anchors');
    this.#anchored.set(anchor, null);
    const read = this.#content(node, offset, depth);
    this.#anchored.set(anchor, read);
    return read;
  }

  #content(node: unknown, offset: number, depth: number): Read {
    this.#size += 1;
    if (depth > MAX_DEPTH && (isMap(node) || isSeq(node))) return this.#refuse(offset, TOO_DEEP);
    if (isMap(node)) return this.#map(node, offset, depth);
    if (!isSeq(node))
      return { value: isScalar(node) ? node.value : null, spot: { offset }, size: 1, height: 0 };
    const items = node.items.map((item) => this.read(item, depth + 1));
    const spot = { offset, parts: items.map((item) => item.spot) };
    return { value: items.map(({ value }) => value), spot, ...measure(items) };
  }

  #map(node: YAMLMap, offset: number, depth: number): Read {
    const object: Record<string, unknown> = {};
    const parts = new Map<string, Spot>();
    const values: Read[] = [];
    for (const pair of node.items) {
      const keyOffset = offsetOfNode(pair.key, offset);
      const key = String(this.read(pair.key, depth + 1).value);
      if (parts.has(key)) {
        const message = `the key ${JSON.stringify(key)} is there twice`;
        this.mistakes.push({
          offset: keyOffset,
          rule: 'duplicate-key',
          message,
          hint: 'remove one of them',
        });
      }
      if (key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN') {
        const message = 'merge keys are not part of YAML 1.2';
        const hint = 'write the keys out';
        this.mistakes.push({ offset: keyOffset, rule: 'yaml-subset', message, hint });
      }
      const read = this.read(pair.value, depth + 1);
      // defineProperty: a key called __proto__ must stay a key.
      const property = { value: read.value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(object, key, property);
      parts.set(key, { ...read.spot, keyOffset });
      values.push(read);
    }
    return { value: object, spot: { offset, parts }, ...measure(values) };
  }

  #alias(offset: number, name: string, depth: number): Read {
    const read = this.#anchored.get(name);
    if (!read) {
      if (read === null) {
        return this.#refuse(offset, { rule: 'syntax', message: `*${name} stands for a value it is part of` });
      }
      const message = `*${name} stands for nothing: there is no &${name} before it`;
      const hint = 'put the value in quotes if it is text that begins with *';
      return this.#refuse(offset, { rule: 'syntax', message, hint });
    }
    const before = this.#size;
    this.#size += read.size;
    if (before <= MAX_TOKENS && this.#size > MAX_TOKENS) return this.#refuse(offset, TOO_LONG);
    if (depth + read.height > MAX_DEPTH + 1) return this.#refuse(offset, TOO_DEEP);
    return { ...read, spot: { offset } };
  }

  #refuse(offset: number, mistake: Omit<Mistake, 'offset'>): Read {
    this.mistakes.push({ offset, ...mistake });
    this.refused = true;
    return { value: null, spot: { offset }, size: 1, height: 0 };
  }

  #beyondJson(offset: number, what: string): void {
    if (!this.#jsonOnly) return;
    const hint = 'write the value out';
    this.mistakes.push({ offset, rule: 'yaml-subset', message: `${what} are not allowed here`, hint });
  }
}

function offsetOfNode(node: unknown, otherwise: number): number {
  return (node as Node | null)?.range?.[0] ?? otherwise;
}

function measure(parts: readonly Read[]): { size: number; height: number } {
  let size = 1;
  let height = 0;
  for (const part of parts) {
    size += part.size;
    height = Math.max(height, part.height);
  }
  return { size, height: height + 1 };
}
