import { describe, expect, it } from 'vitest';
import { filesCreated } from '../../src/check/kinds/files-created.ts';

function decide(
  expected: string[],
  created: string[],
  existedBefore: string[] = [],
  notFiles: Record<string, string> = {},
) {
  const { verdict, message, at } = filesCreated(expected, { created, existedBefore, notFiles });
  return `${verdict} ${message}${at ? ` at ${at}` : ''}`;
}

describe('files-created', () => {
  it('passes when every file is new', () => {
    expect(decide(['output/a.txt', './b.txt'], ['b.txt', 'c.txt', 'output/a.txt'])).toBe(
      'PASS all 2 were created',
    );
  });

  it('says what is there instead', () => {
    const cases = [
      decide(['output/extracted.txt'], []),
      decide(['output/extracted.txt'], ['extracted.txt']),
      decide(['output/extracted.txt'], ['output/Extracted.txt', 'z']),
      decide(['output/extracted.txt'], ['result/extracted.txt']),
      decide(['output/extracted.txt'], ['1', '2', '3', '4', '5', '6', '7']),
      decide(['output/extracted.txt'], ['1', '2', '3', '4', '5']),
      decide(['output'], ['output/a.txt']),
      decide(['src/empty.txt'], ['a.txt'], ['src/empty.txt']),
      decide(['ok.txt', '../x', '/etc/x', 'no.txt'], ['ok.txt']),
    ];
    expect(cases.join('\n')).toMatchInlineSnapshot(`
      "FAIL output/extracted.txt was not created; nothing was at 0
      FAIL output/extracted.txt was not created; close to it: extracted.txt at 0
      FAIL output/extracted.txt was not created; close to it: output/Extracted.txt at 0
      FAIL output/extracted.txt was not created; close to it: result/extracted.txt at 0
      FAIL output/extracted.txt was not created; created: 1, 2, 3, 4, 5 and 2 more at 0
      FAIL output/extracted.txt was not created; created: 1, 2, 3, 4, 5 at 0
      FAIL output is a folder, not a file at 0
      FAIL src/empty.txt was not created: it was there before the agent started at 0
      FAIL "../x" leads outside with "..", so it cannot be in the workspace; "/etc/x" is absolute, so it cannot be in the workspace; no.txt was not created; close to it: ok.txt at 1"
    `);
  });

  it('takes nothing else for a file', () => {
    const cases = [
      decide(['out/a'], ['out/b'], [], { 'out/a': 'a link to nothing' }),
      decide(['.git/HEAD', './.git'], ['.git/HEAD']),
    ];
    expect(cases.join('\n')).toMatchInlineSnapshot(`
      "FAIL out/a is a link to nothing, not a file at 0
      FAIL .git/HEAD is in the repository’s own folder, which is not looked at; .git is in the repository’s own folder, which is not looked at at 0"
    `);
  });
});
