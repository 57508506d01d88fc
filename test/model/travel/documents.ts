/** Eval sources of every format that use what the format has, with the files they name. */
import { stringify } from 'yaml';
import { fixtureCase, fixtureText, mocksOf } from '../../helpers/fixture.ts';
import { type Files, skillText } from '../../helpers/package.ts';

const ASSERTIONS = [
  { type: 'contains', value: 'a' },
  { type: 'icontains-any', value: ['a', 'b'] },
  { type: 'not-contains', value: 'a', weight: 2 },
  { type: 'starts-with', value: 'a' },
  { type: 'ends-with', value: 'a', required: true },
  { type: 'equals', value: 'a', required: 0.5 },
  { type: 'regex', value: '^a', flags: 'i', negate: true },
  { type: 'is-json' },
  { type: 'json-subset', value: { a: [1, { b: null }] } },
  { type: 'files-created', value: ['out.txt'] },
  { type: 'files-exist', value: ['out.txt'] },
  { type: 'file-contains', path: 'out.txt', value: 'a' },
  { type: 'agent-blocked', value: true },
  { type: 'skill-trigger', skill: 'note-taker', should_trigger: true },
  { type: 'tool-trajectory', mode: 'any_order', minimums: { Read: 2 } },
  { type: 'tool-trajectory', mode: 'in_order', expected: [{ tool: 'Read', args: { path: 'a' } }] },
  {
    type: 'field-accuracy',
    fields: [
      { path: 'a.b[0]', match: 'exact' },
      { path: 'sum', match: 'numeric_tolerance', tolerance: 0.5, relative: true, weight: 3 },
      { path: 'day', match: 'date', formats: ['YYYY-MM-DD'], required: true },
    ],
  },
  { type: 'latency', threshold: 5000 },
  { type: 'cost', budget: 0.5 },
  { type: 'token-usage', max_total: 1000 },
  { type: 'execution-metrics', max_tool_calls: 3, target_exploration_ratio: 0.5 },
  { type: 'code-judge', command: ['node', 'grade.mjs'], strict: { level: [1] } },
  { type: 'llm-judge', prompt: 'Is it good?' },
  {
    type: 'rubrics',
    criteria: [{ id: 'r1', outcome: 'It is good.', score_ranges: { '0-4': 'bad', '5-10': 'good' } }],
  },
  {
    type: 'composite',
    name: 'together',
    assert: [
      { name: 'x', type: 'contains', value: 'a' },
      { name: 'y', type: 'llm-judge', prompt: 'Is it good?' },
    ],
    aggregator: { type: 'code-judge', path: 'grade.mjs', cwd: '.' },
  },
  'It is polite.',
];

export const AGENTV: Files = {
  'evals/EVAL.yaml': stringify({
    name: 'all',
    workspace: {
      template: '../template',
      hooks: { before_each: { command: 'echo a' }, after_all: { command: ['sh', 'clean.sh'], cwd: '..' } },
    },
    execution: { threshold: 0.6, trials: { count: 2 }, workers: 3, total_budget_usd: 1 },
    tests: [
      {
        id: 'all',
        input: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', value: 'Read it.' },
              { type: 'file', value: '../data/a.txt' },
            ],
          },
        ],
        expected_output: { a: { b: [1] }, sum: 2, day: '2024-01-01' },
        metadata: { owner: 'a', list: [1, { b: null }] },
        assert: ASSERTIONS,
      },
      { id: 'plain', input: 'Do it.', criteria: 'It is done.', tags: ['smoke'] },
    ],
  }),
  'evals/grade.mjs': '',
  'template/src/a.txt': 'A',
  'data/a.txt': 'a',
};

export const AGENT_SKILLS: Files = {
  'SKILL.md': skillText('csv-analyzer'),
  'evals/evals.json': {
    skill_name: 'csv-analyzer',
    evals: [
      {
        id: 1,
        prompt: 'Add it up.',
        expected_output: 'The sum.',
        files: ['evals/files/a.csv'],
        expectations: ['It names the sum.', 'The output contains "42"'],
      },
      { id: 2, prompt: 'What is it?', assertions: ['A file called sum.txt was created'] },
    ],
  },
  'evals/files/a.csv': '1,2\n',
};

export const AGENTCAROUSEL: Files = {
  'fixture.yaml': fixtureText([
    fixtureCase('rules', {
      description: 'By rules.',
      expected: {
        output: [
          { kind: 'contains', value: 'noted' },
          { kind: 'equals', field: '/a/0', value: '1' },
          { kind: 'regex', value: '^a(?i)b' },
        ],
        tool_sequence: [{ tool: 'Write', args_match: { path: 'a' }, order: 'strict' }],
        rubric: [{ id: 'r', description: 'Good.', weight: 1, auto_check: { kind: 'contains', value: 'a' } }],
      },
      input: {
        messages: [
          { role: 'user', content: 'Take a note.' },
          { role: 'assistant', content: 'Which?' },
          { role: 'user', content: 'This.' },
        ],
        context: { a: { b: 1 } },
        env_overrides: { MODE: 'x' },
      },
      timeout_secs: 9,
      seed: 7,
    }),
    fixtureCase('golden', {
      expected: {},
      evaluator_config: { evaluator: 'golden', golden_path: 'golden/a.txt', golden_threshold: 0.5 },
    }),
    fixtureCase('process', {
      expected: {},
      evaluator_config: { evaluator: 'process', process_cmd: ['python3', 'grade.py', '--strict'] },
    }),
    fixtureCase('judge', {
      expected: { rubric: [{ id: 'r', description: 'Good.', weight: 1, critical: true }] },
      evaluator_config: { evaluator: 'judge', judge_prompt: 'Be strict.' },
    }),
  ]),
  'golden/a.txt': 'noted\n',
  'grade.py': '',
  ...mocksOf({
    rules: { content: 'noted', tool_calls: [{ tool: 'Write', args: { path: 'a' }, result: 'ok' }] },
  }),
};
