import { describe, expect, it } from 'vitest';
import type { HookRun } from '../../src/model/hook-log.ts';
import { hookWarnings } from '../../src/pipeline/hook-warnings.ts';

const RUN: HookRun = {
  event: 'pre-tool-use',
  group: 0,
  index: 0,
  command: 'guard.sh',
  toolName: 'Bash',
  exitCode: 2,
  decision: 'block',
  reason: '',
  stdout: '',
  stderr: '',
  error: null,
  durationMs: 5,
};

describe('warnings about hooks', () => {
  it('name a block that may not be meant', () => {
    const words = [
      'grep: /no/such/file: No such file or directory',
      'usage: x.py [-h]\nx.py: error: unrecognized arguments: --bogus',
      'awk: not an option: -Z',
    ];
    expect(words.flatMap((stderr) => hookWarnings([{ ...RUN, stderr }]))).toMatchInlineSnapshot(`
      [
        "the pre-tool-use hook guard.sh ended with exit code 2, which blocks, and an error-like message: grep: /no/such/file: No such file or directory",
        "the pre-tool-use hook guard.sh ended with exit code 2, which blocks, and an error-like message: usage: x.py [-h]",
        "the pre-tool-use hook guard.sh ended with exit code 2, which blocks, and an error-like message: awk: not an option: -Z",
      ]
    `);
  });

  it('leave a block with a reason alone', () => {
    for (const stderr of ['protected: /etc/config', 'no writes to production', ''])
      expect(hookWarnings([{ ...RUN, stderr }]), stderr).toEqual([]);
    const error = { ...RUN, stderr: 'cat: x: No such file or directory' };
    expect(hookWarnings([{ ...error, exitCode: 0, decision: 'none' }])).toEqual([]);
  });

  it('name each broken hook once', () => {
    const broken = { ...RUN, error: 'exited with 1' };
    expect(hookWarnings([broken, broken])).toEqual([
      'the pre-tool-use hook guard.sh is broken: exited with 1',
    ]);
  });
});
