import { describe, expect, it } from 'vitest';
import { decode } from '../../src/load/decode.ts';
import { parseJson } from '../../src/load/json.ts';
import { hooksFile } from '../../src/model/hooks.ts';

const TEXT = `{
  "version": 1,
  "hooks": {
    "stop": [
      { "hooks": [{ "type": "cmd" }, { "type": "command", "command": "one" }, { "type": "command" }, { "type": "command", "command": "two" }] },
      { "hooks": 7 },
      { "hooks": [{ "type": "command", "command": "three" }] }
    ]
  }
}`;

function positionOf(part: string) {
  const before = TEXT.slice(0, TEXT.indexOf(part)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

describe('a document with mistakes', () => {
  const { located, diagnostics } = decode(hooksFile, parseJson(TEXT, 'hooks.json'), { partial: true });

  it('gives what is right in it', () => {
    const commands = located?.value.hooks['stop']?.map((group) =>
      group.hooks.map((hook) => 'command' in hook && hook.command),
    );
    expect(commands).toEqual([['one', 'two'], ['three']]);
    expect(diagnostics.map(({ line }) => line)).toEqual([5, 5, 6]);
  });

  it('knows where each part stood before the wrong ones were taken out', () => {
    const place = (group: number, hook: number) =>
      located?.at(['hooks', 'stop', group, 'hooks', hook, 'command']);
    expect([place(0, 0), place(0, 1), place(1, 0)]).toEqual(['"one"', '"two"', '"three"'].map(positionOf));
  });

  it('gives nothing when too little is left, or when nobody asked for a part', () => {
    expect(decode(hooksFile, parseJson('{"hooks": {}}', 'hooks.json'), { partial: true }).located).toBeNull();
    expect(decode(hooksFile, parseJson(TEXT, 'hooks.json')).located).toBeNull();
  });
});
