/** What a user reads when an agent of their own does not work. */
import { describe, expect, it } from 'vitest';
import { aam } from '../helpers/cli.ts';
import { evalCase, runOwnAgent, withOwnAgent } from '../helpers/eval.ts';
import { writePackage } from '../helpers/package.ts';

async function outcome(command: readonly string[], args: readonly string[] = [], prompt = 'Do it.') {
  await using pkg = await writePackage({
    ...withOwnAgent('', { command }),
    'evals/cases/a.yaml': evalCase('a', { input: { prompt } }),
  });
  const { report } = await runOwnAgent(pkg.root, args);
  const [it] = report.cases;
  return `${it?.verdict} ${it?.error_kind}: ${it?.error}`;
}

describe('an agent of one’s own', () => {
  it.each([[[]], [['--max-cpu', '5']], [['--sandbox', 'none']]])('that is missing, with %j', async (args) => {
    expect(await outcome(['no-such-agent', '{prompt}'], args)).toMatch(
      /^SKIP engine-failed: the agent could not be started: there is no program no-such-agent (?:in the sandbox|on this machine)$/,
    );
  });

  it('that fails without a word, or with one', async () => {
    expect(await outcome(['/bin/sh', '-c', 'exit 1'])).toBe(
      'FAIL agent-crashed: the agent ended with exit code 1 without output',
    );
    expect(await outcome(['/bin/sh', '-c', 'echo "no token" >&2; exit 1'])).toBe(
      'FAIL agent-crashed: the agent ended with exit code 1 without output: no token',
    );
  });

  it('that cannot take so long a prompt as an argument', async () => {
    expect(await outcome(['/bin/echo', '{prompt}'], [], 'x'.repeat(1024 * 1024))).toMatch(
      /^SKIP engine-failed: the command line is longer .*\{prompt_file\}/,
    );
  });

  it.each(['bubblewrap', 'none'])(
    'finds nothing in HOME of what another left there, with %s',
    async (sandbox) => {
      const script = 'ls -A "$HOME" "$TMPDIR"; mkdir -p "$HOME/.config"; mktemp > /dev/null; echo done';
      await using pkg = await writePackage({
        ...withOwnAgent(script),
        ...Object.fromEntries(
          ['a', 'b', 'c'].map((name) => [
            `evals/cases/${name}.yaml`,
            evalCase(name, { expected: { 'not-contains': ['config', 'tmp.'] } }),
          ]),
        ),
      });
      const { report } = await runOwnAgent(pkg.root, ['--sandbox', sandbox, '-j', '1', '--no-judge']);
      expect(report.cases.map((it) => it.deterministic_checks)).toEqual(
        Array(3).fill({ not_contains: 'PASS' }),
      );
    },
  );

  it('gets no prompt with a NUL', async () => {
    await using pkg = await writePackage({
      ...withOwnAgent('cat'),
      'evals/cases/a.yaml': evalCase('a', { input: { prompt: 'a\0b' } }),
    });
    const { code, stderr } = await aam(['eval'], { cwd: pkg.root });
    expect(code).toBe(2);
    expect(stderr).toMatch(/evals\/cases\/a\.yaml:4:15: input\.prompt must not contain a NUL character/);
  });
});
