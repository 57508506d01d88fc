import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatOf, usualFile } from '../../../src/load/formats.ts';
import { skillText, writePackage } from '../../helpers/package.ts';
import { graded, lines, read } from './read.ts';

const SUPPORT = `tests:
  - id: "1"
    input: |
      A customer says their order #12345 has not arrived. Help them.
    expected_output: |
      An empathetic answer that offers to track the order.
    assert:
      - name: acknowledges
        type: llm-judge
        prompt: The answer acknowledges the customer's frustration
      - name: looks-up-order
        type: contains
        value: "12345"
`;

describe('a file', () => {
  it('becomes cases with prompt, reference, graders and criteria', async () => {
    const loaded = await read(SUPPORT);
    const [first] = loaded.suite.cases;
    expect(lines(loaded)).toEqual([]);
    expect(first).toMatchObject({
      name: '1',
      prompt: 'A customer says their order #12345 has not arrived. Help them.',
      followUps: [],
      reference: 'An empathetic answer that offers to track the order.',
      scoring: { mode: 'score', threshold: 0.8 },
      fault: null,
      file: 'evals/EVAL.yaml',
      line: 2,
    });
    expect(first && graded(first)).toMatchInlineSnapshot(`
      [
        "looks-up-order: contains {"of":"said","values":["12345"],"match":"all","ignoreCase":false}",
        "acknowledges: The answer acknowledges the customer's frustration",
      ]
    `);
  });

  it('is known by its name or by its tests, and not taken for results or files of others', async () => {
    await using folder = await writePackage({
      'EVAL.yaml': 'a: 1\n',
      'my.eval.yml': 'tests: []\n',
      'other.yaml': 'description: x\ntests:\n  - id: a\n',
      'carousel.yaml': 'schema_version: 1\nskill_or_agent: x\ntests: []\n',
      'plain.yaml': 'name: x\n',
      'lines.jsonl': '{"id": "a", "input": "Hi", "criteria": "Polite"}\n',
      'results.jsonl': '{"test_id": "a", "score": 1, "input": "Hi"}\n',
    });
    const of = (name: string) => formatOf(join(folder.root, name));
    expect(['EVAL.yaml', 'my.eval.yml', 'other.yaml', 'lines.jsonl'].map(of)).toEqual(
      Array(4).fill('agentv'),
    );
    expect(['carousel.yaml', 'plain.yaml', 'results.jsonl'].map(of)).toEqual(['agentcarousel', null, null]);
  });

  it('is found in a folder, if it is the only one there', async () => {
    await using one = await writePackage({ 'evals/csv.eval.yaml': SUPPORT });
    await using two = await writePackage({ 'evals/a.eval.yaml': SUPPORT, 'evals/b.eval.yaml': SUPPORT });
    expect(await usualFile(one.root)).toBe(join(one.root, 'evals/csv.eval.yaml'));
    await expect(usualFile(two.root)).rejects.toThrow('has several eval files');
  });

  it('installs the skill it belongs to, without what tells how it is graded', async () => {
    const { pkg, suite } = await read(SUPPORT, {
      'SKILL.md': skillText('support'),
      'evals/prompts/judge.md': 'x',
      'more.eval.yaml': SUPPORT,
      '.agentv/targets.yaml': 'targets: []',
      'reference.md': 'x',
    });
    expect(suite.cases[0]?.target).toBe('skill:support');
    expect([...pkg.files.keys()]).toEqual(['SKILL.md', 'reference.md']);
  });

  it('names the folders outside its own that tell how it is graded', async () => {
    const document = {
      tests: ['../../shared/tests/list.yaml'],
      assert: [{ type: 'llm-judge', prompt: '../../prompts/judge.md' }],
    };
    const loaded = await read(
      document,
      {
        '.agentv/targets.yaml': '',
        'shared/tests/list.yaml': '- {id: a, input: b}\n',
        'prompts/judge.md': 'Is it good?\nSay why.\n',
      },
      { file: 'one/evals/EVAL.yaml' },
    );
    expect(lines(loaded)).toEqual([]);
    const root = loaded.home.slice(0, -'/one'.length);
    expect(loaded.hides).toEqual([join(root, 'shared/tests'), join(root, 'prompts')]);
  });

  it('with a mistake in one test leaves the others alone', async () => {
    const loaded = await read(
      'tests:\n  - id: a\n    input: Hi\n    criteria: Polite\n  - id: b\n    criteria: x\n  - id: a\n    input: Hi\n    criteria: x\n',
    );
    expect(loaded.suite.cases.map(({ name }) => name)).toEqual(['a']);
    expect(loaded.found).toBe(3);
    expect(loaded.broken.map(({ words }) => words)).toEqual([['b'], ['a-2', 'a']]);
    expect(lines(loaded)).toMatchInlineSnapshot(`
      [
        "error evals/EVAL.yaml:5:5 missing-key: the test says nothing to the agent (write what is asked of the agent in input)",
        "error evals/EVAL.yaml:7:9 duplicate-id: the id "a" is there twice: also at evals/EVAL.yaml:2 (give each test an id of its own)",
      ]
    `);
  });
});
