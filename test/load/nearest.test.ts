import { describe, expect, it } from 'vitest';
import { nearest, nearMisses } from '../../src/model/nearest.ts';

describe('nearest', () => {
  it.each([
    ['contians', ['contains', 'not-contains'], 'contains'],
    ['desciption', ['description', 'dependencies'], 'description'],
    ['PreToolUse', ['pre-tool-use', 'stop'], 'pre-tool-use'],
    ['ab', ['ba'], 'ba'],
    ['same', ['same'], 'same'],
    ['Claude', ['codex', 'claude-code'], 'claude-code'],
    ['clau', ['claude-code'], undefined],
    ['x', ['y'], undefined],
    ['', ['a'], undefined],
    ['completely', ['different'], undefined],
    ['abc', [], undefined],
  ])('of %s among %j is %s', (word, candidates, meant) => {
    expect(nearest(word, candidates)).toBe(meant);
  });

  it('takes the first of equally close ones', () => {
    expect(nearest('cat', ['bat', 'car'])).toBe('bat');
  });

  it('does not compare what is too long to be a word', () => {
    const long = 'a'.repeat(1_000_000);
    expect(nearest(long, [`${long}b`])).toBeUndefined();
    expect(nearMisses(`${long}b`, [`${long}c`])).toEqual([]);
  });
});

describe('nearMisses', () => {
  it('names the close ones and those that contain the word, closest first', () => {
    expect(nearMisses('pdf', ['pdf-tools', 'pfd', 'other', 'read-pdf', 'pdfs'])).toEqual([
      'pdf-tools',
      'pfd',
      'read-pdf',
    ]);
    expect(nearMisses('zzz', ['pdf', 'echo'])).toEqual([]);
  });
});
