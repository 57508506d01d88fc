/** All that an agent printed, as far as it can be an answer. */

/** More than this is no answer. */
const MAX_OUTPUT = 4 * 1024 * 1024;

export interface Printed {
  readonly output: string;
  /** What is missing from it; null: nothing. */
  readonly cut: string | null;
}

export async function readAll(lines: AsyncIterable<string>): Promise<Printed> {
  const kept: string[] = [];
  let room = MAX_OUTPUT;
  for await (const line of lines) {
    kept.push(line.slice(0, room));
    room -= line.length + 1;
    if (room < 0) break;
  }
  const cut = room < 0 ? `of the output, only the first ${MAX_OUTPUT} characters are known` : null;
  return { output: kept.join('\n'), cut };
}
