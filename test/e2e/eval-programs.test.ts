/** Programs that grade, in the real sandbox. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import { type Grader, type GraderProgram, type Group, grader } from '../../src/model/grader.ts';
import { evalCase, withOwnAgent } from '../helpers/eval.ts';
import { verdicts } from '../helpers/model-server.ts';
import { type Files, writePackage } from '../helpers/package.ts';
import { type PlannedOptions, runPlanned } from '../helpers/plan.ts';

const AGENT = 'echo made > out.txt; ls / > seen.txt; ls /grader >> seen.txt 2>&1; echo "Total: 42"';

interface Setting {
  readonly files?: Files;
  readonly agent?: string;
  readonly case: (
    program: (argv: GraderProgram['argv'], more?: Partial<GraderProgram>) => GraderProgram,
  ) => Partial<Case>;
  readonly options?: Partial<PlannedOptions>;
}

async function run({ files = {}, agent = AGENT, case: changed, options = {} }: Setting) {
  await using pkg = await writePackage({
    ...withOwnAgent(agent),
    'evals/cases/a.yaml': evalCase('a'),
    ...files,
  });
  const program = (argv: GraderProgram['argv'], more: Partial<GraderProgram> = {}): GraderProgram => ({
    ...{ argv, cwd: join(pkg.root, 'evals/cases'), config: null, timeoutMs: 20_000 },
    ...more,
  });
  const scoring = { mode: 'score', threshold: 0.8 } as const;
  const change = (it: Case): Case => ({ ...it, criteria: [], scoring, ...changed(program) });
  const { report, captures, requests } = await runPlanned({ root: pkg.root, change, ...options });
  const [first] = report.cases;
  if (!first) throw new Error('there is no case');
  return { it: first, capture: captures[0] ?? null, requests };
}

const only = (id: string, program: GraderProgram): Partial<Case> => ({
  graders: [grader(id, 'program', program)],
});

const sh = (script: string): GraderProgram['argv'] => ['/bin/sh', '-c', script];

describe('a program', () => {
  it('gets the trial on its standard input and gives a score', async () => {
    const script = `
      let text = '';
      process.stdin.on('data', (chunk) => { text += chunk; }).on('end', () => {
        const told = JSON.parse(text);
        console.log(JSON.stringify({ score: 0.9, hits: ['read'], misses: ['one'], reasoning: 'Nearly.', details: told }));
      });`;
    const { it: result } = await run({
      files: { 'evals/graders/check.cjs': script },
      case: (program) => only('checker', program(['node', '../graders/check.cjs'], { config: { most: 3 } })),
    });
    expect(result).toMatchObject({
      verdict: 'PASS',
      score: 0.9,
      check_details: [{ check: 'checker', verdict: 'FAIL', score: 0.9, message: 'missed: one. Nearly.' }],
    });
    const told = {
      question: 'Do it.',
      answer: expect.stringContaining('Total: 42'),
      output: [{ role: 'assistant', content: expect.stringContaining('Total: 42') }],
      input: [{ role: 'user', content: 'Do it.' }],
      config: { most: 3 },
      workspace_path: '/workspace',
      file_changes: expect.stringContaining('+made'),
      token_usage: null,
      cost_usd: null,
    };
    expect(result.check_details[0]?.details).toMatchObject({ details: told });
  });

  it('works in the workspace, after everything was looked at, and the agent never sees it', async () => {
    const { it: result, capture } = await run({
      case: (program) => ({
        graders: [
          grader(
            'first',
            'program',
            program(sh('cd "$AGENTV_WORKSPACE_PATH" && test -f out.txt && rm out.txt')),
          ),
          grader('made', 'file-contains', { path: 'out.txt', values: ['made'], match: 'all' }),
        ],
      }),
    });
    expect(result.verdict).toBe('PASS');
    expect(capture?.files.map(({ path }) => path).sort()).toEqual(['out.txt', 'seen.txt']);
    const seen = capture?.files.find(({ path }) => path === 'seen.txt')?.diff ?? '';
    expect(seen).toContain('+workspace');
    expect(seen).not.toMatch(/^\+grader$/m);
  });

  it('has neither network nor the host’s variables, and cannot change its own folder', async () => {
    const script = [
      'test -z "$AAM_TEST_SECRET" || exit 1',
      'test "$(cat /proc/net/dev | grep -c :)" -le 1 || exit 2',
      'if touch new-file 2>/dev/null; then exit 3; fi',
      'exit 0',
    ].join('; ');
    const { it: result } = await run({
      case: (program) => only('alone', program(sh(script))),
      options: { env: { AAM_TEST_SECRET: 'x' } },
    });
    expect(result.check_details[0]?.message).toBe('exit code 0');
    expect(result.verdict).toBe('PASS');
  });

  it('sees no more of the disk than its own project', async () => {
    const { it: result } = await run({
      case: (program) =>
        only(
          'near',
          program(sh(`test -f /grader/a.yaml && test ! -e ${join(program(['x']).cwd, 'a.yaml')}`)),
        ),
    });
    expect(result.check_details[0]).toMatchObject({ verdict: 'PASS', message: 'exit code 0' });
  });

  it('that reads nothing breaks nothing', async () => {
    const { it: result } = await run({
      case: (program) => only('deaf', program(sh('exec 0<&-; echo fine'))),
    });
    expect(result.check_details[0]).toMatchObject({ verdict: 'PASS', message: 'exit code 0: fine' });
  });

  it.each([
    ['crashes', sh('echo "no such key" >&2; exit 1'), 'no such key'],
    ['hangs', sh('sleep 60'), 'still running after 1 s'],
    ['is not there', ['no-such-grader'] as const, 'no-such-grader'],
    ['prints nonsense', sh('echo "{nonsense"'), 'cannot be read'],
    ['scores too high', sh(`echo '{"score": 7}'`), 'score of 7'],
  ] as const)('that %s leaves the case undecided', async (_, argv, why) => {
    const { it: result } = await run({
      case: (program) => only('broken', program(argv, { timeoutMs: 1000 })),
    });
    expect(result).toMatchObject({ verdict: 'SKIP', error_kind: 'check-undecided', score: null });
    expect(result.error).toContain(why);
    expect(result.check_details[0]).toMatchObject({ verdict: 'SKIP', score: null });
  });

  it('works without a sandbox too', async () => {
    const { it: result } = await run({
      case: (program) => only('open', program(sh('test -f "$AGENTV_WORKSPACE_PATH/out.txt"'))),
      options: { sandbox: 'none' },
    });
    expect(result.verdict).toBe('PASS');
  });
});

const said = (id: string, value: string): Grader =>
  grader(id, 'contains', { of: 'said', values: [value], match: 'all' });

const group = (aggregator: Group['aggregator'], members: readonly string[]): Group => ({
  ...{ id: 'both', members, aggregator, weight: 1, required: false, negate: false },
});

describe('a group', () => {
  it('is decided by a program, from the results of its members', async () => {
    const script =
      'cat > /tmp/in; grep -q \'"wrong":{"score":0\' /tmp/in && grep -q \'"right":{"score":1\' /tmp/in && echo \'{"score": 0.85, "reasoning": "Good enough."}\'';
    const { it: result } = await run({
      case: (program) => ({
        graders: [said('right', 'Total'), said('wrong', 'Sum')],
        scoring: {
          ...{ mode: 'score', threshold: 0.8 },
          groups: [group({ kind: 'program', program: program(sh(script)) }, ['right', 'wrong'])],
        },
      }),
    });
    expect(result).toMatchObject({
      ...{ verdict: 'PASS', score: 0.85 },
      groups: [{ group: 'both', score: 0.85, message: 'Good enough.', members: ['right', 'wrong'] }],
    });
  });

  it('is undecided when its program does not work', async () => {
    const { it: result } = await run({
      case: (program) => ({
        graders: [said('right', 'Total')],
        scoring: {
          ...{ mode: 'score', threshold: 0.8 },
          groups: [group({ kind: 'program', program: program(sh('echo broken >&2; exit 1')) }, ['right'])],
        },
      }),
    });
    expect(result).toMatchObject({ verdict: 'SKIP', error_kind: 'check-undecided' });
    expect(result.error).toBe('both: the program ended with exit code 1: broken');
  });

  it('is decided by a judge, who gets the results as material', async () => {
    const { it: result, requests } = await run({
      case: () => ({
        graders: [said('right', 'Total'), said('wrong', 'Sum')],
        scoring: {
          ...{ mode: 'score', threshold: 0.6 },
          groups: [
            {
              ...group({ kind: 'judge', instructions: 'Weigh {{EVALUATOR_RESULTS_JSON}} well.' }, [
                'right',
                'wrong',
              ]),
              minScore: 0.6,
            },
          ],
        },
      }),
      options: {
        judge: 'claude-sonnet-5-5',
        judgeScript: (request) =>
          verdicts(request, [
            { id: 'both', evidence: ['the output does not contain'], reason: 'One of two.', score: 7 },
          ]),
      },
    });
    expect(result).toMatchObject({
      ...{ verdict: 'PASS', score: 0.7 },
      groups: [{ group: 'both', verdict: 'PASS', score: 0.7, message: 'One of two.' }],
      judge_verdict: { criteria: [{ id: 'both', score: 0.7 }] },
    });
    const asked = JSON.stringify(requests.at(-1)?.body);
    expect(asked).toContain('Weigh the results of the graders, which are given as material well.');
  });

  it('of criteria and checks waits for the judge', async () => {
    const { it: result } = await run({
      case: (program) => ({
        graders: [said('right', 'Total')],
        criteria: [
          { id: 'tone', text: 'It is polite.', weight: 1, required: false, scale: [], minScore: 0.5 },
        ],
        scoring: {
          ...{ mode: 'score', threshold: 0.5 },
          groups: [
            group(
              {
                kind: 'program',
                program: program(sh('grep -q \'"tone":{"score":0.6\' && echo \'{"score": 0.6}\'')),
              },
              ['right', 'tone'],
            ),
          ],
        },
      }),
      options: {
        judge: 'claude-sonnet-5-5',
        judgeScript: (request) =>
          verdicts(request, [{ id: 'tone', evidence: ['Total: 42'], reason: 'It is short.', score: 6 }]),
      },
    });
    expect(result).toMatchObject({ verdict: 'PASS', score: 0.6 });
  });
});
