/** Tests of an EVAL.yaml with every way to be graded in part, run in the real agents. */
import { describe, expect, it } from 'vitest';
import type { EvalCaseRecord } from '../../src/model/report.ts';
import { ENGINE_NAMES, runEval, shell } from '../helpers/eval.ts';
import { type ModelRequest, verdicts } from '../helpers/model-server.ts';
import { writePackage } from '../helpers/package.ts';

const CHECKER = `
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; }).on('end', () => {
  const { answer, output, trace, config } = JSON.parse(text);
  const told = [answer, typeof output, trace.tool_names.join(), config.wanted].join(' | ');
  console.log(JSON.stringify({ score: 0.5, hits: ['ran'], misses: ['half'], reasoning: told }));
});`;

const EVALS = `
name: totals
tests:
  - id: sum
    input: What is the total?
    expected_output: '{"total": 42, "currency": "EUR"}'
    execution: {threshold: 0.6}
    assert:
      - {name: calls, type: tool-trajectory, mode: any_order, minimums: {Bash: 1, Read: 1}}
      - name: fields
        type: field-accuracy
        fields:
          - {path: total, match: numeric_tolerance, tolerance: 1}
          - {path: currency, match: exact, weight: 3}
      - {name: tokens, type: token-usage, max_total: 1000000}
      - name: checker
        type: code-judge
        command: [node, ../judges/check.cjs]
        wanted: ten
      - name: rated
        type: llm-judge
        prompt: "How friendly is {{answer}}?"
      - name: either
        type: composite
        assert:
          - {name: has-total, type: contains, value: total}
          - {name: has-tax, type: contains, value: tax}
        aggregator: {type: threshold, threshold: 0.5}
`;

const ANSWER = '{"total": 42.5, "currency": "USD"}';

const judge = (request: ModelRequest) =>
  verdicts(request, [{ id: 'rated', evidence: ['"currency": "USD"'], reason: 'It is curt.', score: 7 }]);

function outcomes({ check_details, groups = [], judge_verdict }: EvalCaseRecord) {
  return Object.fromEntries([
    ...check_details.map(({ check, verdict, score }) => [check, `${verdict} ${score}`]),
    ...groups.map(({ group, verdict, score }) => [group, `${verdict} ${score}`]),
    ...(judge_verdict?.criteria ?? []).map(({ id, result, score }) => [id, `${result} ${score}`]),
  ]);
}

describe.each(ENGINE_NAMES)('with %s', (engine) => {
  it('parts of a test count with what they scored', async () => {
    await using pkg = await writePackage({ 'evals/sum.eval.yaml': EVALS, 'judges/check.cjs': CHECKER });
    const script = [{ text: 'Looking.', tools: [shell(engine, 'echo 42')] }, { text: ANSWER }];
    const { report, code } = await runEval(pkg.root, engine, script, ['evals/sum.eval.yaml'], {}, judge);
    const [it] = report.cases;
    if (!it) throw new Error('there is no case');
    expect(outcomes(it)).toEqual({
      calls: 'FAIL 0.5',
      fields: 'FAIL 0.25',
      tokens: 'PASS 1',
      checker: 'FAIL 0.5',
      rated: 'FAIL 0.7',
      'has-total': 'PASS 1',
      'has-tax': 'FAIL 0',
      either: 'PASS 0.5',
    });
    expect(it.check_details.find(({ check }) => check === 'checker')?.message).toBe(
      `missed: half. ${ANSWER} | object | Bash | ten`,
    );
    const mean = (0.5 + 0.25 + 1 + 0.5 + 0.7 + 0.5) / 6;
    expect(it.score).toBeCloseTo(mean, 3);
    expect(it.verdict).toBe('FAIL');
    expect(it.error).toMatch(/^the score is 57\.5 %, needed are 60 %: /);
    expect(code).toBe(1);
  });
});
