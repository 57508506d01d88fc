/** Puts the names of this run into a recorded answer: the sub-agent that the model goes on with, a file it reads. */

type Pairs = readonly (readonly [string, string])[];

/** The names are longer than a word and random, so that they cannot stand in an answer by chance. */
export function renamed(bytes: Buffer, pairs: Pairs): Buffer {
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) return bytes;
  return Buffer.from(replaced(joinedWhereSplit(text, pairs), pairs), 'utf8');
}

function replaced(text: string, pairs: Pairs): string {
  // In one pass: a name of this run may be a name of the other run too.
  const values = new Map(pairs);
  const any = [...values.keys()].sort((a, b) => b.length - a.length).map(escaped);
  return text.replace(new RegExp(any.join('|'), 'g'), (value) => values.get(value) ?? value);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A stream may cut a name into several deltas; those of its block become one. */
function joinedWhereSplit(text: string, pairs: Pairs): string {
  const events = text.split(/(?<=\n\n)/);
  const deltas = events.map(deltaOf);
  const whole = new Map<string, string>();
  for (const delta of deltas) {
    if (delta) whole.set(delta.block, (whole.get(delta.block) ?? '') + delta.text);
  }
  const isSplit = (block: string) =>
    pairs.some(([then]) => {
      const inWhole = countOf(whole.get(block) ?? '', then);
      const inDeltas = deltas.reduce(
        (sum, delta) => sum + (delta?.block === block ? countOf(delta.text, then) : 0),
        0,
      );
      return inWhole > inDeltas;
    });
  const joined = new Set([...whole.keys()].filter(isSplit));
  const done = new Set<string>();
  return events
    .map((event, index) => {
      const delta = deltas[index];
      if (!delta || !joined.has(delta.block)) return event;
      if (done.has(delta.block)) return '';
      done.add(delta.block);
      return delta.withText(whole.get(delta.block) ?? '');
    })
    .join('');
}

interface Delta {
  /** The block it belongs to, and which text of the block. */
  readonly block: string;
  readonly text: string;
  withText(text: string): string;
}

function deltaOf(event: string): Delta | null {
  const [, before = '', data = ''] = /^((?:event: [^\n]*\n)?data: )(\{.*\})\n\n$/.exec(event) ?? [];
  if (!data.includes('delta')) return null;
  try {
    const value = JSON.parse(data) as AnthropicDelta & OpenaiDelta;
    if (value.type === 'content_block_delta') {
      const field = ['text', 'partial_json'].find((it) => typeof value.delta[it] === 'string');
      if (field === undefined) return null;
      return {
        block: `${value.index} ${field}`,
        text: value.delta[field] as string,
        withText: (text) =>
          `${before}${JSON.stringify({ ...value, delta: { ...value.delta, [field]: text } })}\n\n`,
      };
    }
    if (!value.type?.endsWith('.delta') || typeof value.delta !== 'string') return null;
    return {
      block: `${value.output_index} ${value.content_index} ${value.type}`,
      text: value.delta,
      withText: (text) => `${before}${JSON.stringify({ ...value, delta: text })}\n\n`,
    };
  } catch {
    return null;
  }
}

interface AnthropicDelta {
  readonly type?: string;
  readonly index?: number;
  readonly delta: Readonly<Record<string, unknown>>;
}

interface OpenaiDelta {
  readonly output_index?: number;
  readonly content_index?: number;
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
