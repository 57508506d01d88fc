import { describe, expect, it } from 'vitest';
import type { Files } from '../../helpers/package.ts';
import { findingsOf, graded, onlyCase } from './read.ts';

const all = async (assertions: readonly unknown[], more: Files = {}, test: object = {}) =>
  graded(await onlyCase({ assert: assertions, ...test }, more));

describe('assertions about text', () => {
  it('are checks of the answer, in every spelling', async () => {
    expect(
      await all([
        { type: 'contains', value: 'a' },
        { type: 'contains_all', value: ['a', 'b'] },
        { type: 'contains-any', value: ['a', 'b'], negate: true },
        { type: 'icontains', value: 7 },
        { type: 'icontains-any', values: ['a'] },
        { type: 'icontains_all', value: ['a'] },
        { type: 'starts-with', value: 'Dear' },
        { type: 'ends_with', value: 'Bye' },
        { type: 'equals', value: '4', required: true },
        { type: 'regex', value: '^a', flags: 'i', weight: 2 },
        { type: 'is_json', required: 0.5 },
        { type: 'not-contains', value: 'x' },
        { type: 'not-regex', value: 'x', negate: true },
        { type: 'contains', value: 'a', name: 'mine', min_score: 0.4 },
      ]),
    ).toMatchInlineSnapshot(`
      [
        "contains-a: contains {"of":"said","values":["a"],"match":"all","ignoreCase":false}",
        "contains-all-a: contains {"of":"said","values":["a","b"],"match":"all","ignoreCase":false}",
        "contains-any-a: contains {"of":"said","values":["a","b"],"match":"any","ignoreCase":false} negated",
        "icontains-7: contains {"of":"said","values":["7"],"match":"all","ignoreCase":true}",
        "icontains-any-a: contains {"of":"said","values":["a"],"match":"any","ignoreCase":true}",
        "icontains-all-a: contains {"of":"said","values":["a"],"match":"all","ignoreCase":true}",
        "starts-with-Dear: starts-with {"of":"answer","value":"Dear"}",
        "ends-with-Bye: ends-with {"of":"answer","value":"Bye"}",
        "equals-4: equals {"of":"answer","value":"4"} required ≥0.8",
        "regex-a: regex {"of":"said","pattern":"^a","flags":"i"} ×2",
        "is-json: is-json {"of":"answer"} required ≥0.5",
        "not-contains-x: not-contains {"of":"said","values":["x"]}",
        "regex-x: regex {"of":"said","pattern":"x"}",
        "mine: contains {"of":"said","values":["a"],"match":"all","ignoreCase":false} ≥0.4",
      ]
    `);
  });

  it.each([
    [{ type: 'contains' }, 'needs a value'],
    [{ type: 'contains', value: [] }, 'value must not be empty'],
    [{ type: 'contains', value: { a: 1 } }, 'value must be a text'],
    [{ type: 'regex', value: '(' }, 'the pattern does not compile'],
    [{ type: 'contans', value: 'x' }, 'did you mean contains?'],
    [{ type: 'word-count' }, 'write it as a code-judge'],
    [{ type: 'inline-assert' }, 'cannot be run'],
    [{ value: 'x' }, 'an assertion needs a type'],
    [3, 'an assertion must be a text or a map'],
    [' ', 'must not be empty'],
    [{ type: 'contains', value: 'x', weight: -1 }, 'weight must be a number from 0 up to'],
    [{ type: 'contains', value: 'x', required: 'yes' }, 'required must be a number'],
    [{ type: 'contains', value: 'x', required: 1.5 }, 'required must be a number above 0 up to 1'],
    [{ type: 'contains', value: 'x', negate: 'no' }, 'negate must be true or false'],
    [{ type: 'starts-with', value: '' }, 'value must not be empty'],
    [{ type: 'ends-with', value: '  ' }, 'value must not be empty'],
    [{ type: 'regex', value: '.*' }, 'matches every text'],
    [{ type: 'contains', value: 'x', values: ['y'] }, 'value and values are two names for one thing'],
    [{ type: 'file-contains', path: 'x' }, 'needs a value'],
    [{ type: 'latency', threshold: 1, max_ms: 2 }, 'threshold and max_ms are two names'],
    [{ type: 'contains', value: 'x', weight: 0 }, 'all weights are 0'],
    [{ type: 'contains', value: 'x', weight: 1e7 }, 'weight must be a number from 0 up to 1000000'],
    [{ type: 'trajectory:tool-args-match', value: ['Bash'] }, 'needs the args of Bash'],
    [{ type: 'trajectory:tool-args-match', value: [] }, 'names no tool'],
    [{ type: 'trajectory:tool-used', value: { tool: 'Bash', min: 0 } }, 'min must be a whole number from 1'],
    [{ type: 'trajectory:tool-sequence', value: { steps: [] } }, 'names no tool'],
    [{ type: 'tool-trajectory', mode: 'any_order', minimums: { Bash: null } }, 'Bash must be a number'],
    [{ type: 'tool-trajectory', mode: 'any_order', minimums: {} }, 'names no tool'],
    [{ type: 'tool-trajectory', mode: 'superset', expected: [] }, 'names no tool'],
    [{ include: '' }, 'include must name a file'],
    [{ type: 'composite', assert: [{ type: 'is-json' }], assertions: [] }, 'assert and assertions are two'],
    [{ type: 'composite', assert: [{ type: 'is-json', weight: 0 }] }, 'all weights in composite are 0'],
    [
      { type: 'composite', threshold: 1, aggregator: { type: 'weighted_average' }, assert: ['It holds.'] },
      'threshold beside an aggregator is not read',
    ],
    [
      { type: 'composite', aggregator: { type: 'threshold', threshold: 0 }, assert: ['It holds.'] },
      'threshold must be a number above 0',
    ],
    [
      { type: 'rubrics', criteria: [{ outcome: 'Good.', min_score: 0 }] },
      'min_score must be a number above 0',
    ],
  ])('%j is an error at its place', async (assertion, message) => {
    const found = await findingsOf({ assert: [assertion] });
    expect(found.find((line) => line.startsWith('error evals/EVAL.yaml:'))).toContain(message);
  });

  it('ask for nothing of a list where its opposite is wanted, as not-contains does', async () => {
    expect(
      await all([
        { type: 'contains', value: ['a', 'b'], negate: true },
        { type: 'icontains', value: ['a', 'b'], negate: true },
        { type: 'contains-all', value: ['a', 'b'], negate: true },
      ]),
    ).toEqual([
      'contains-a: not-contains {"of":"said","values":["a","b"]}',
      'icontains-a: not-contains {"of":"said","values":["a","b"],"ignoreCase":true}',
      'contains-all-a: contains {"of":"said","values":["a","b"],"match":"all","ignoreCase":false} negated',
    ]);
  });

  it('that stand in another file are part of what the case is', async () => {
    const assert = [{ include: './more.yaml' }];
    const hash = async (value: string) =>
      (await onlyCase({ assert }, { 'evals/more.yaml': [{ type: 'contains', value }] })).hash;
    expect(await hash('a')).toBe(await hash('a'));
    expect(await hash('a')).not.toBe(await hash('b'));
    expect((await findingsOf({ assert }, { 'evals/more.yaml': [] })).join()).toContain(
      'there are no assertions in ./more.yaml',
    );
  });

  it('of two composites may have the same names', async () => {
    const composite = (weight: number) => ({
      ...{ type: 'composite', aggregator: { type: 'weighted_average', weights: { mine: weight } } },
      assert: [{ name: 'mine', type: 'is-json' }, 'It is short.'],
    });
    const graded = await all([composite(2), composite(3)]);
    expect(graded.filter((line) => line.startsWith('mine'))).toEqual([
      'mine: is-json {"of":"answer"} ×2',
      'mine-2: is-json {"of":"answer"} ×3',
    ]);
  });

  it('say so where a key has no effect', async () => {
    const found = await findingsOf({ assert: [{ type: 'contains', valeu: 'y', value: 'x', ignore: 1 }] });
    expect(found).toHaveLength(2);
    expect(found.join('\n')).toContain(
      '"valeu" is not a known field: it has no part in the verdict (did you mean value?)',
    );
  });
});

describe('assertions for the judge', () => {
  const more = { 'evals/judge.md': 'Is {{answer}} right for {{ question }}? {{criteria}} {{what}}\n' };

  it('are graded from 0 to 10; a plain text holds or not', async () => {
    expect(
      await all(
        [
          'Is polite',
          { type: 'llm-judge', prompt: 'Is it kind?' },
          { type: 'llm_grader', prompt: 'judge.md', name: 'file', required: true },
          { type: 'llm-rubric', value: 'Is it short?', threshold: 0.6 },
          { type: 'llm-judge', name: 'usual', negate: true },
          { type: 'agent-judge', prompt: 'Look around.', max_steps: 3 },
          { type: 'trajectory:goal-success', value: 'It is done' },
        ],
        more,
        { criteria: 'Names the city' },
      ),
    ).toMatchInlineSnapshot(`
      [
        "criterion-1: Is polite",
        "llm-judge: Is it kind?",
        "file: Is [the agent’s answer] right for [the task that was given to the agent]? Names the city {{what}} 0–10 required ≥0.8",
        "llm-judge-2: Is it short?",
        "usual: Names the city 0–10 ≥0.8 negated",
        "agent-judge: Look around.",
        "goal-success: The agent reached this goal: It is done 0–10 ≥0.8",
      ]
    `);
  });

  it('tell what they do without', async () => {
    const found = await findingsOf(
      {
        assert: [
          { type: 'llm-judge', prompt: 'judge.md', model: 'x', temperature: 0 },
          { type: 'agent-judge', prompt: 'Look around.', max_steps: 3 },
        ],
      },
      more,
    );
    expect(found).toMatchInlineSnapshot(`
      [
        "warning evals/EVAL.yaml:9:11 unknown-placeholder: {{what}} in a judge’s prompt stands for nothing, so the judge sees it as it is written (known are: criteria, metadata, question, input, answer, output, candidate_answer, reference_answer, expected_output, file_changes, tool_calls, trace, rubrics)",
        "warning evals/EVAL.yaml:10:11 not-honoured: model: all criteria of a run have one judge: choose it with --judge",
        "warning evals/EVAL.yaml:11:11 not-honoured: temperature: the judge’s temperature is not set",
        "warning evals/EVAL.yaml:13:9 agent-judge: agent-judge: the judge is shown what the agent did and changed, and has no tools to look further",
        "warning evals/EVAL.yaml:16:11 not-honoured: max_steps: the judge answers in one step",
      ]
    `);
  });

  it.each([
    [{ type: 'llm-judge' }, 'needs a prompt, for the test has no criteria'],
    [{ type: 'llm-judge', prompt: '../nowhere.md' }, 'the file "../nowhere.md" does not exist'],
    [{ type: 'llm-judge', prompt: { command: ['bun', 'x.ts'] } }, 'that a program writes cannot be used'],
    [{ type: 'llm-judge', prompt: '../x.ts' }, 'that a program writes cannot be used'],
    [{ type: 'llm-judge', prompt: '' }, 'the prompt must not be empty'],
    [{ type: 'rubrics' }, 'needs a list of criteria'],
    [{ type: 'rubrics', criteria: [] }, 'the list of criteria is empty'],
    [{ type: 'rubrics', criteria: [{ weight: 1 }] }, 'needs an outcome'],
    [
      { type: 'rubrics', criteria: [{ id: 'a', score_ranges: { 11: 'x' } }] },
      'score_ranges must say in words',
    ],
    [{ type: 'rubrics', criteria: [{ id: 'a', score_ranges: 'x' }] }, 'score_ranges must say in words'],
    [{ type: 'trajectory:goal-success' }, 'needs a goal'],
  ])('%j is an error', async (assertion, message) => {
    const found = await findingsOf({ assert: [assertion] });
    expect(found.find((line) => line.startsWith('error'))).toContain(message);
  });

  it('of a rubric count as one, by their weights, with words for scores', async () => {
    const it = await onlyCase({
      assert: [
        { type: 'contains', name: 'first', value: 'x' },
        {
          type: 'rubrics',
          name: 'quality',
          weight: 2,
          criteria: [
            'Is clear',
            { id: 'first', outcome: 'Is right', weight: 3, required: true },
            {
              id: 'depth_of_detail',
              required_min_score: 6,
              score_ranges: { 0: 'None', 5: 'Some', 9: 'All' },
            },
            {
              outcome: 'Old',
              score_ranges: [
                { score_range: [0, 4], outcome: 'Bad' },
                { score_range: [5, 10], outcome: 'Good' },
              ],
            },
            { outcome: 'The earth is flat', operator: 'contradiction' },
          ],
        },
      ],
    });
    expect(graded(it)).toMatchInlineSnapshot(`
      [
        "first: contains {"of":"said","values":["x"],"match":"all","ignoreCase":false}",
        "quality-1: Is clear",
        "first-2: Is right ×3 required",
        "depth_of_detail: depth of detail 0–10 required ≥0.6",
        "quality-4: Old 0–10 ≥0.8",
        "quality-5: The answer does not contradict this: The earth is flat",
        "quality: weighted-average of quality-1, first-2, depth_of_detail, quality-4, quality-5 ×2 ≥0.8",
      ]
    `);
    expect(it.criteria[2]?.scale).toEqual([
      { from: 0, to: 4, text: 'None' },
      { from: 5, to: 8, text: 'Some' },
      { from: 9, to: 10, text: 'All' },
    ]);
    expect(it.criteria[3]?.scale).toHaveLength(2);
  });
});

describe('criteria', () => {
  it('are what is judged where there are no assertions; else what is expected', async () => {
    expect(graded(await onlyCase({ criteria: 'Is polite' }))).toEqual(['criteria: Is polite 0–10 ≥0.8']);
    expect(graded(await onlyCase({ expected_outcome: 'Is polite', assert: [] }))).toEqual([
      'criteria: Is polite 0–10 ≥0.8',
    ]);
    expect(graded(await onlyCase({ expected_output: '4' }))).toEqual([
      'expected-output: What the agent did and answered agrees with the reference. 0–10 ≥0.8',
    ]);
    expect((await findingsOf({})).join()).toContain('says nothing that could be graded');
  });

  it('that nothing grades are told', async () => {
    const unused = 'criteria is not graded';
    expect(
      (await findingsOf({ criteria: 'x', assert: [{ type: 'contains', value: 'y' }] })).join(),
    ).toContain(unused);
    expect(await findingsOf({ criteria: 'x', assert: [{ type: 'llm-judge' }] })).toEqual([]);
  });
});

describe('assertions of the suite', () => {
  const suite = { assert: [{ type: 'contains', value: 'suite' }], execution: { evaluators: ['Also this'] } };

  it('come after those of the test, unless it wants none', async () => {
    const own = {
      assert: [{ type: 'contains', value: 'own' }],
      execution: { assertions: [{ type: 'is-json' }] },
    };
    const ids = (lines: string[]) => lines.map((line) => line.split(':')[0]);
    expect(ids(graded(await onlyCase(own, {}, suite)))).toEqual([
      'contains-own',
      'is-json',
      'contains-suite',
      'criterion-1',
    ]);
    const alone = { ...own, execution: { skip_defaults: true } };
    expect(ids(graded(await onlyCase(alone, {}, suite)))).toEqual(['contains-own']);
  });

  it('may be included from files, three deep', async () => {
    const more = {
      '.agentv/templates/base.yaml': '- type: contains\n  value: base\n- include: ./deeper.yaml\n',
      '.agentv/templates/deeper.yaml': 'assertions:\n  - Is deep\n',
      'evals/loop.yaml': '- include: ./loop.yaml\n',
    };
    expect(graded(await onlyCase({ assert: [{ include: 'base' }] }, more))).toHaveLength(2);
    expect((await findingsOf({ assert: [{ include: './loop.yaml' }] }, more)).join()).toContain(
      'more than 3 files deep',
    );
    expect((await findingsOf({ assert: [{ include: 'nothing' }] }, more)).join()).toContain(
      'there is no nothing to include',
    );
  });
});

describe('assertions about the run', () => {
  it('have limits', async () => {
    expect(
      await all([
        { type: 'latency', threshold: 500 },
        { type: 'cost', budget: 0.1 },
        { type: 'token_usage', max_total: 10, max_output: 5 },
        { type: 'execution-metrics', max_tool_calls: 3, target_exploration_ratio: 0.5 },
        { type: 'skill-trigger', skill: 'pdf', should_trigger: false },
        { type: 'not-skill-used', value: 'csv' },
      ]),
    ).toMatchInlineSnapshot(`
      [
        "latency: latency {"maxMs":500}",
        "cost: cost {"maxUsd":0.1}",
        "token-usage: token-usage {"maxTotal":10,"maxInput":null,"maxOutput":5} ≥0.8",
        "execution-metrics: execution-metrics {"maxToolCalls":3,"maxModelCalls":null,"maxTokens":null,"maxCostUsd":null,"maxDurationMs":null,"targetExplorationRatio":0.5,"explorationTolerance":0.2} ≥0.8",
        "skill-trigger-pdf: skill-trigger {"skill":"pdf","expected":false}",
        "skill-trigger-csv: skill-trigger {"skill":"csv","expected":true} negated",
      ]
    `);
  });

  it('name the tools that are called', async () => {
    expect(
      await all([
        { type: 'tool-trajectory', mode: 'any_order', minimums: { Read: 1, Bash: 2 } },
        {
          type: 'tool-trajectory',
          name: 'order',
          mode: 'in_order',
          args_match: 'superset',
          expected: [
            { tool: 'Read', args: { path: 'a' }, max_duration_ms: 9 },
            { tool: 'Bash', args: 'any', args_match: ['command'] },
            { tool: 'Write' },
            'Edit',
          ],
        },
        { type: 'trajectory:tool-used', value: ['Read', { name: 'Bash', min: 2 }] },
        { type: 'trajectory:tool-args-match', value: { name: 'Read', args: { path: 'a' } } },
        { type: 'trajectory:tool-sequence', value: { steps: ['Read', 'Edit'], mode: 'exact' } },
      ]),
    ).toMatchInlineSnapshot(`
      [
        "tool-trajectory: tool-trajectory {"mode":"any-order","minimums":{"Read":1,"Bash":2},"expected":[]} ≥0.8",
        "order: tool-trajectory {"mode":"in-order","minimums":{},"expected":[{"tool":"Read","args":{"path":"a"},"argsMatch":"superset","maxDurationMs":9},{"tool":"Bash","args":null,"argsMatch":["command"],"maxDurationMs":null},{"tool":"Write","args":null,"argsMatch":"superset","maxDurationMs":null},{"tool":"Edit","args":null,"argsMatch":"superset","maxDurationMs":null}]} ≥0.8",
        "trajectory-tool-used: tool-trajectory {"mode":"any-order","minimums":{"Read":1,"Bash":2},"expected":[]} ≥0.8",
        "trajectory-tool-args-match: tool-trajectory {"mode":"superset","minimums":{},"expected":[{"tool":"Read","args":{"path":"a"},"argsMatch":"superset","maxDurationMs":null}]} ≥0.8",
        "trajectory-tool-sequence: tool-trajectory {"mode":"exact","minimums":{},"expected":[{"tool":"Read","args":null,"argsMatch":"ignore","maxDurationMs":null},{"tool":"Edit","args":null,"argsMatch":"ignore","maxDurationMs":null}]} ≥0.8",
      ]
    `);
  });

  it('compare fields with the expected output', async () => {
    const assertion = {
      type: 'field-accuracy',
      aggregation: 'all_or_nothing',
      fields: [
        { path: 'a', match: 'exact', weight: 2, required: false },
        { path: 'b[0].c', match: 'numeric_tolerance', tolerance: 0.1, relative: true },
        { path: 'd', match: 'date', formats: ['DD.MM.YYYY'] },
      ],
    };
    const reference = { a: 1, b: [{ c: 2 }], d: '01.02.2026' };
    const [check] = (await onlyCase({ expected_output: reference, assert: [assertion] })).graders;
    expect(check).toMatchObject({
      options: {
        reference,
        aggregation: 'all-or-nothing',
        fields: [
          { path: 'a', match: { kind: 'exact' }, required: false, weight: 2 },
          { match: { kind: 'numeric-tolerance', tolerance: 0.1, relative: true }, required: true },
          { match: { kind: 'date', formats: ['DD.MM.YYYY'] } },
        ],
      },
    });
    const text = await onlyCase({
      expected_output: [{ role: 'assistant', content: '{"a": 1}' }],
      assert: [assertion],
    });
    expect(text.graders[0]?.options).toMatchObject({ reference: { a: 1 } });
    expect((await findingsOf({ expected_output: 'four', assert: [assertion] })).join()).toContain(
      'which is no data here',
    );
  });

  it.each([
    [{ type: 'latency' }, 'needs a threshold'],
    [{ type: 'cost', budget: 'much' }, 'budget must be a number'],
    [{ type: 'token-usage' }, 'needs one of max_total'],
    [{ type: 'skill-trigger' }, 'needs a value'],
    [{ type: 'tool-trajectory' }, 'needs a mode'],
    [{ type: 'tool-trajectory', mode: 'sometimes' }, 'mode must be one of'],
    [{ type: 'tool-trajectory', mode: 'exact' }, 'needs expected'],
    [{ type: 'tool-trajectory', mode: 'any-order' }, 'needs minimums'],
    [{ type: 'tool-trajectory', mode: 'exact', expected: [{ args: {} }] }, 'needs a tool'],
    [{ type: 'trajectory:tool-used', value: { pattern: 'R*' } }, 'pattern of a tool cannot be checked'],
    [{ type: 'trajectory:step-count', value: { max: 3 } }, 'cannot be counted'],
    [{ type: 'field-accuracy' }, 'needs a list of fields'],
    [
      { type: 'field-accuracy', fields: [{ path: 'not.there' }], required: true },
      'expected_output has none of its fields',
    ],
  ])('%j is an error', async (assertion, message) => {
    const found = await findingsOf({ assert: [assertion], expected_output: { a: 1 } });
    expect(found.find((line) => line.startsWith('error'))).toContain(message);
  });
});

describe('programs that grade', () => {
  it('are given as a list or for the shell, with settings of their own', async () => {
    const it = await onlyCase(
      {
        assert: [
          {
            type: 'code-judge',
            name: 'a',
            command: ['sh', './grade.sh'],
            cwd: '..',
            config: { b: 2 },
            expected: ['x'],
          },
          { type: 'script', command: 'sh grade.sh', timeout_ms: 5 },
        ],
      },
      { 'grade.sh': '', 'evals/grade.sh': '' },
    );
    const [first, second] = it.graders;
    const cwd = first?.kind === 'program' ? first.options.cwd : '';
    expect(first?.options).toEqual({
      argv: ['sh', './grade.sh'],
      cwd,
      config: { expected: ['x'], b: 2 },
      timeoutMs: 60_000,
    });
    expect(second?.options).toEqual({
      output: 'text',
      argv: ['sh', '-c', 'sh grade.sh'],
      cwd: `${cwd}/evals`,
      config: {},
      timeoutMs: 5,
    });
  });

  it.each([
    [{ command: [] }, 'error', 'a command must be a text or a list of texts'],
    [{}, 'error', 'needs a command'],
    [{ command: 'x', target: { max_calls: 3 } }, 'error', 'cannot call a model'],
    [{ command: 'x', cwd: 'nowhere' }, 'error', 'the folder "nowhere" does not exist'],
    [{ command: ['sh', 'missing.sh'] }, 'warning', 'names the file missing.sh, which does not exist'],
  ])('%j gives a finding', async (fields, severity, message) => {
    const found = await findingsOf({ assert: [{ type: 'code-judge', ...fields }] });
    expect(found.find((line) => line.startsWith(severity))).toContain(message);
  });
});

describe('composites', () => {
  it('are groups, also in groups, with the weights of their aggregator', async () => {
    const members = [
      { name: 'safety', type: 'llm-judge', prompt: 'Safe?' },
      {
        name: 'inner',
        type: 'composite',
        assert: [{ name: 'deep', type: 'contains', value: 'x' }, 'Is nice'],
      },
    ];
    const weights = { safety: 0.3, inner: 0.7 };
    expect(
      await all([
        {
          name: 'gate',
          type: 'composite',
          required: true,
          assert: members,
          aggregator: { type: 'weighted_average', weights },
        },
        { type: 'assert-set', threshold: 0.5, assert: [{ type: 'is-json' }] },
      ]),
    ).toMatchInlineSnapshot(`
      [
        "deep: contains {"of":"said","values":["x"],"match":"all","ignoreCase":false}",
        "is-json: is-json {"of":"answer"}",
        "safety: Safe? 0–10 ×0.3 ≥0.8",
        "criterion-2: Is nice",
        "inner: weighted-average of deep, criterion-2 ×0.7 ≥0.8",
        "gate: weighted-average of safety, inner required ≥0.8",
        "composite: threshold of is-json",
      ]
    `);
  });

  it('may be decided by a program or by a judge', async () => {
    const assert = [{ type: 'is-json', name: 'json' }];
    const it = await onlyCase(
      {
        assert: [
          { name: 'a', type: 'composite', assert, aggregator: { type: 'code-judge', path: 'node agg.js' } },
          { name: 'b', type: 'composite', assert, aggregator: { type: 'llm-judge', prompt: 'agg.md' } },
        ],
      },
      { 'evals/agg.js': '', 'evals/agg.md': 'See {{EVALUATOR_RESULTS_JSON}}' },
    );
    const groups = it.scoring.mode === 'score' ? it.scoring.groups : [];
    expect(groups).toMatchObject([
      {
        id: 'a',
        members: ['json'],
        aggregator: { kind: 'program', program: { argv: ['sh', '-c', 'node agg.js'] } },
      },
      {
        id: 'b',
        members: ['json-2'],
        aggregator: { kind: 'judge', instructions: 'See {{EVALUATOR_RESULTS_JSON}}' },
      },
    ]);
  });

  it.each([
    [{}, 'needs a list of assertions'],
    [{ assert: [] }, 'has no assertion that can be used'],
    [{ assert: ['x'], aggregator: { type: 'median' } }, 'type must be one of'],
    [{ assert: ['x'], aggregator: { type: 'threshold' } }, 'needs a threshold'],
    [
      {
        assert: [{ name: 'ab', type: 'is-json' }],
        aggregator: { type: 'weighted_average', weights: { abc: 1 } },
      },
      'did you mean ab?',
    ],
  ])('%j is an error', async (fields, message) => {
    const found = await findingsOf({ assert: [{ type: 'composite', ...fields }] });
    expect(found.find((line) => line.startsWith('error'))).toContain(message);
  });
});
