/** One eval in two formats: what an evals.json says with sentences alone and an EVAL.yaml in part with a check. */
import { expect, it } from 'vitest';
import { type AgentEngine, ENGINE_NAMES, type Judge, runEval } from '../helpers/eval.ts';
import { type ModelRequest, verdicts } from '../helpers/model-server.ts';
import { skillText, writePackage } from '../helpers/package.ts';

const PROMPT = "A customer says their order #12345 hasn't arrived after 2 weeks. Help them.";
const REFERENCE = 'An empathetic response that offers to track the order and provides next steps.';
const SENTENCES = {
  frustration: "Response acknowledges the customer's frustration",
  order: 'Response offers to look up order #12345',
  steps: 'Response provides clear next steps',
};

const FILES = {
  'SKILL.md': skillText('support-agent'),
  'evals/evals.json': {
    skill_name: 'support-agent',
    evals: [{ id: 1, prompt: PROMPT, expected_output: REFERENCE, assertions: Object.values(SENTENCES) }],
  },
  'evals/EVAL.yaml': {
    tests: [
      {
        id: '1',
        input: `${PROMPT}\n`,
        expected_output: `${REFERENCE}\n`,
        assert: [
          { name: 'acknowledges-frustration', type: 'llm-judge', prompt: SENTENCES.frustration },
          { name: 'looks-up-order', type: 'contains', value: '12345' },
          { name: 'has-next-steps', type: 'llm-judge', prompt: SENTENCES.steps },
        ],
      },
    ],
  },
};

const GOOD = 'I am sorry about the wait. I will look up order #12345. Next: check your mail today.';
const BAD = 'Orders take time. Please be patient and wait for another week.';

/** By what stands in the answer, as a judge would. */
function judge(request: ModelRequest) {
  const asked = [...JSON.stringify(request.body).matchAll(/\{\\+"id\\+":\\+"([^"\\]+)\\+",\\+"criterion/g)];
  const ids = [...new Set(asked.map(([, id]) => String(id)))];
  const isGood = JSON.stringify(request.body).includes('I am sorry about the wait');
  return verdicts(
    request,
    ids.map((id) => ({
      id,
      evidence: isGood ? ['I am sorry about the wait'] : ['Please be patient'],
      reason: 'The answer says so.',
      verdict: isGood ? 'PASS' : 'FAIL',
    })),
  );
}

it.each(ENGINE_NAMES)('both agree on a good answer of %s', (engine) =>
  agree(engine, GOOD, judge, { verdict: 'PASS', code: 0 }),
);

it.each([
  ['a bad answer', BAD, judge, { verdict: 'FAIL', code: 1 }],
  ['no judge to be understood', GOOD, () => ({ text: 'well' }), { verdict: 'SKIP', code: 3 }],
])('both agree on %s', (_, text, says, expected) => agree('codex', text, says, expected));

async function agree(engine: AgentEngine, text: string, says: Judge, expected: object): Promise<void> {
  await using pkg = await writePackage(FILES);
  for (const file of ['evals/evals.json', 'evals/EVAL.yaml']) {
    const { report, code, requests } = await runEval(pkg.root, engine, [{ text }], [file], {}, says);
    expect({ verdict: report.cases[0]?.verdict, code }, file).toEqual(expected);
    const [first] = requests;
    expect(JSON.stringify(first?.body)).toContain("hasn't arrived after 2 weeks");
    for (const secret of [REFERENCE, SENTENCES.frustration])
      expect(JSON.stringify(first?.body)).not.toContain(secret);
  }
}
