/** A case and settings in which everything there can be is there, every path included. */
import type { Case, SuiteSettings } from '../../../src/model/case.ts';
import { type GraderKind, type GraderOf, type GraderProgram, grader } from '../../../src/model/grader.ts';

export const HOME = '/home/planner/project';

const program: GraderProgram = {
  argv: ['/bin/sh', `${HOME}/evals/grade.sh`, '--strict'],
  cwd: `${HOME}/evals`,
  config: { deep: [{ a: null }] },
  output: 'text',
  timeoutMs: 1000,
  protocol: 'agentcarousel',
};

const of = 'answer';

/** The compiler asks for each kind that there is. */
export const EVERY_GRADER: { readonly [Kind in GraderKind]: GraderOf<Kind> } = {
  contains: grader('a', 'contains', { of, values: ['x'], ignoreCase: true, match: 'any' }),
  'not-contains': grader('b', 'not-contains', { of: 'said', values: ['x'] }),
  'starts-with': grader('c', 'starts-with', { of, value: 'x' }),
  'ends-with': grader('d', 'ends-with', { of, value: 'x', ignoreCase: false }),
  equals: grader('e', 'equals', { of, value: 'x', exact: true }),
  regex: grader('f', 'regex', { of, pattern: 'x', flags: 'i', dialect: 'rust' }),
  'is-json': grader('g', 'is-json', { of }),
  'json-subset': grader('h', 'json-subset', { of, value: { a: [1] } }),
  'json-field': grader('i', 'json-field', { of, field: '/a', relation: 'equals', value: '1' }),
  golden: grader('j', 'golden', { of, path: 'g.txt', text: null, ignoreSpace: true, least: 0.5 }),
  'files-created': grader('k', 'files-created', { paths: ['a'] }),
  'files-exist': grader('l', 'files-exist', { paths: ['a'] }),
  'file-contains': grader('m', 'file-contains', { path: 'a', values: ['x'], match: 'none' }),
  'agent-blocked': grader('n', 'agent-blocked', { expected: true }),
  'skill-trigger': grader('o', 'skill-trigger', { skill: 's', expected: false }),
  'tool-trajectory': grader('p', 'tool-trajectory', {
    mode: 'in-order',
    minimums: { Read: 2 },
    expected: [
      { tool: 'Read', args: { path: 'x' }, argsMatch: ['path'], maxDurationMs: null },
      { tool: 'Bash', args: null, argsMatch: 'ignore', maxDurationMs: 5 },
    ],
  }),
  'field-accuracy': grader('q', 'field-accuracy', {
    reference: { a: 1 },
    fields: [
      { path: 'a', match: { kind: 'exact' }, required: true, weight: 1 },
      {
        path: 'b',
        match: { kind: 'numeric-tolerance', tolerance: 0.1, relative: true },
        required: false,
        weight: 2,
      },
      { path: 'c', match: { kind: 'date', formats: ['YYYY'] }, required: false, weight: 1 },
    ],
    aggregation: 'all-or-nothing',
  }),
  latency: grader('r', 'latency', { maxMs: 5 }),
  cost: grader('s', 'cost', { maxUsd: 0.5 }),
  'token-usage': grader('t', 'token-usage', { maxTotal: 5, maxInput: null, maxOutput: null }),
  'execution-metrics': grader('u', 'execution-metrics', {
    ...{ maxToolCalls: 1, maxModelCalls: 2, maxTokens: 3, maxCostUsd: 4, maxDurationMs: 5 },
    ...{ targetExplorationRatio: null, explorationTolerance: 0.2 },
  }),
  program: grader('v', 'program', program, {
    minScore: 0.5,
    negate: true,
    place: { line: 3, column: 1 },
  }),
};

export const WHOLE_CASE: Required<Case> = {
  name: 'whole',
  aliases: ['all'],
  description: 'Everything there is.',
  target: 'skill:s',
  prompt: 'Do it.',
  followUps: ['And then?'],
  instructions: 'Be brief.',
  setup: {
    repositories: [{ from: `${HOME}/repos/a`, to: 'a', ref: 'main', ancestor: 2 }],
    before: [
      { name: 'before', argv: [`${HOME}/evals/setup`, 'x'], cwd: `${HOME}/evals`, timeoutMs: 1 },
      { name: 'here', argv: ['make'], cwd: null, timeoutMs: 1 },
    ],
    after: [{ name: 'after', argv: ['rm', `${HOME}/repos/a/x`], cwd: `${HOME}/other`, timeoutMs: 1 }],
  },
  timeoutSeconds: 9,
  env: { A: '1' },
  tags: ['smoke'],
  assertions: ['a'],
  files: [
    { from: `${HOME}/evals/fixtures/a.txt`, to: 'in/a.txt' },
    { from: null, to: 'empty.txt' },
  ],
  mock: { response: 'x', toolCalls: [{ tool: 'Read', input: { path: 'x' }, output: 'y' }] },
  graders: Object.values(EVERY_GRADER),
  criteria: [
    {
      ...{ id: 'w', text: 'It is good.', weight: 2, required: true, minScore: 0.7, negate: true },
      scale: [{ from: 0, to: 10, text: 'good' }],
    },
  ],
  reference: 'A good answer.',
  scoring: {
    mode: 'score',
    threshold: 0.8,
    groups: (
      [
        { kind: 'weighted-average' },
        { kind: 'threshold', threshold: 0.5 },
        { kind: 'program', program: { ...program, cwd: `${HOME}/groups` } },
        { kind: 'judge', instructions: 'Decide.' },
      ] as const
    ).map((aggregator, index) => ({
      ...{ id: `group-${index}`, members: ['a'], aggregator, negate: false, weight: 1, required: false },
    })),
  },
  fault: { errorKind: 'file_copy_error', error: 'It is not there.', files: ['x'] },
  written: { criteria: null, input: 'x', expectedOutput: [{ role: 'assistant', content: 'y' }] },
  metadata: { owner: { team: ['a'] } },
  sources: [`${HOME}/evals/prompt.md`],
  file: 'evals/EVAL.yaml',
  line: 3,
  hash: 'abc',
};

export const WHOLE_SETTINGS: Required<SuiteSettings> = {
  engine: 'command',
  timeoutSeconds: 60,
  judge: 'claude',
  runs: 3,
  network: false,
  writablePaths: ['out'],
  env: { B: '2' },
  command: ['/bin/sh', `${HOME}/agent.sh`, '{prompt}'],
  target: {
    ...{ name: 't', engine: 'command', model: 'm', timeoutSeconds: 5, instructions: 'Be brief.' },
    shell: {
      command: 'sh agent.sh {PROMPT}',
      cwd: `${HOME}/agents`,
      filesFormat: '{path}',
      healthcheck: { command: 'sh agent.sh --check', cwd: `${HOME}/health` },
    },
    ...{ provider: 'anthropic', response: 'x', judge: 'claude', template: `${HOME}/template` },
  },
  passThreshold: 0.5,
  maxCostUsd: 2,
  jobs: 4,
  prices: { claude: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 } },
};
