/** Parts that hold in part, and groups of them, in every form of a report. */
import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import { renderEvalSummary } from '../../src/cli/render/eval.ts';
import type { Case } from '../../src/model/case.ts';
import { evalDiff } from '../../src/model/diff.ts';
import { grader } from '../../src/model/grader.ts';
import { evalReport } from '../../src/model/report.ts';
import { outOfTen, scoreWords } from '../../src/model/score.ts';
import type { Trial, TrialResult } from '../../src/model/trial.ts';
import { NO_USAGE } from '../../src/model/usage.ts';
import type { TrialOutcome } from '../../src/report/cases.ts';
import { diffReports } from '../../src/report/diff.ts';
import { evalJunit } from '../../src/report/eval-junit.ts';
import { jsonlRow } from '../../src/report/jsonl.ts';
import { diffMarkdown } from '../../src/report/markdown/diff.ts';
import { reportMarkdown } from '../../src/report/markdown/report.ts';
import { parseReport } from '../../src/report/read.ts';
import { whyLines } from '../../src/report/why.ts';
import { JUDGED, reportOf } from './reports.ts';

const [CRITERION] = JUDGED.criteria;

const scored = (score: number): Partial<TrialOutcome> => ({
  score,
  error: 'the score is 57 %, needed are 80 %: half of it',
  check_details: [
    { check: 'checker', verdict: 'FAIL', score: 0.6667, message: 'half of it', details: { f1: 0.5 } },
    { check: 'has-total', verdict: 'PASS', score: 1, message: 'it has' },
    { check: 'has-tax', verdict: 'FAIL', score: 0, message: 'it has not' },
  ],
  groups: [
    {
      ...{ group: 'either', verdict: 'FAIL', score: 0.5, message: '1 of 3 passed' },
      members: ['has-total', 'has-tax', 'tone'],
    },
  ],
  judge_verdict: {
    ...JUDGED,
    result: 'FAIL',
    criteria: CRITERION
      ? [{ ...CRITERION, id: 'tone', result: 'FAIL', score: 0.7, reason: 'It is curt.' }]
      : [],
  },
});

const REPORT = reportOf({ sum: 'F' }, { each: () => scored(0.57) });
const [SUM] = REPORT.cases;

describe('a report', () => {
  it('is one that can be read, as are those without scores', () => {
    expect(evalReport.parse(REPORT)).toEqual(REPORT);
    expect(parseReport(JSON.stringify(REPORT), 'x.json').cases[0]?.groups).toEqual(SUM?.groups);
    const old = reportOf({ sum: 'F' });
    expect(parseReport(JSON.stringify(old), 'x.json').cases[0]).not.toHaveProperty('groups');
  });

  it('says why, with what each part scored', () => {
    expect(SUM && whyLines(SUM)).toEqual([
      'the score is 57 %, needed are 80 %: half of it',
      'checker (0.67): half of it',
      'has-tax: it has not',
      'judge: FAIL (7/10): It is curt.',
      'either (0.5): 1 of 3 passed (a group of has-total, has-tax, tone)',
    ]);
  });

  it('on the terminal has the members below their group', () => {
    const text = renderEvalSummary(
      REPORT,
      { report: 'r.json', root: null },
      { colors: pc.createColors(false), asTyped: (text: string) => text },
    );
    expect(text).toContain(
      [
        '  score 0.57',
        '  ✗ checker (0.67): half of it',
        '  ✗ either (0.5): 1 of 3 passed',
        '    ✓ has-total',
        '    ✗ has-tax: it has not',
        '    ✗ judge, tone (7/10)',
        '  ✗ judge (7/10): It is curt.',
      ].join('\n'),
    );
  });

  it('in Markdown has a column for them, and only where there are some', () => {
    expect(reportMarkdown(REPORT)).toMatch(/\| case \| verdict \| score \|[\s\S]*\| 🔴 failed \| 0.57 \|/);
    expect(reportMarkdown(REPORT)).toContain('7/10');
    expect(reportMarkdown(reportOf({ sum: 'F' }))).not.toContain('| score |');
  });

  it('as JUnit has them in the words of the failure', () => {
    const xml = evalJunit(REPORT);
    expect(xml).toContain('checker (0.67): half of it');
    expect(xml).toContain('score: 0.57');
  });
});

describe('a line of JSON', () => {
  const options = { of: 'said', values: ['x'], match: 'all' } as const;
  const it1: Case = {
    ...{ name: 'a', aliases: [], description: null, target: null, prompt: '', followUps: [], files: [] },
    graders: [grader('checker', 'contains', options), grader('inner', 'contains', options, { weight: 2 })],
    ...{ criteria: [], reference: null, fault: null, metadata: {}, file: 'a.yaml', line: 1, hash: '' },
    scoring: {
      ...{ mode: 'score', threshold: 0.8 },
      groups: [
        {
          ...{ id: 'both', members: ['inner'], weight: 3, required: false, negate: false },
          aggregator: { kind: 'weighted-average' },
        },
      ],
    },
  };
  const trial: Trial = { id: 't', case: it1, engine: 'command', arm: 'with', repetition: 1 };
  const result: TrialResult = {
    ...{ trial: 't', case: 'a', verdict: 'FAIL', score: 0.5, error: null, errorKind: null, durationMs: 1 },
    checks: [
      { check: 'checker', verdict: 'FAIL', score: 1 / 3, message: 'a third' },
      { check: 'inner', verdict: 'SKIP', score: null, message: 'not known' },
    ],
    groups: [{ group: 'both', verdict: 'SKIP', score: null, message: 'open', members: ['inner'] }],
    ...{ usage: NO_USAGE, costUsd: null, judged: null, sessionId: null, model: null, engineVersion: null },
    ...{ output: '', skillsActivated: [], warnings: [], tape: null, capture: null },
  };

  it('has groups with their members inside', () => {
    const inner = { name: 'inner', type: 'contains', weight: 2, score: null, verdict: 'skip' };
    expect(jsonlRow({ trial, result }, { dataset: 'd', timestamp: '' }).scores).toEqual([
      { name: 'checker', type: 'contains', weight: 1, score: 0.3333, verdict: 'fail', reasoning: 'a third' },
      {
        ...{ name: 'both', type: 'composite', weight: 3, score: null, verdict: 'skip', reasoning: 'open' },
        scores: [{ ...inner, reasoning: 'not known' }],
      },
    ]);
  });
});

describe('two reports', () => {
  const before = { path: 'a.json', report: REPORT };
  const after = { path: 'b.json', report: reportOf({ sum: 'F' }, { each: () => scored(0.75) }) };

  it('show how far a score went, though the verdict stays', () => {
    const diff = diffReports(before, after, false);
    expect(evalDiff.parse(diff)).toEqual(diff);
    expect(diff.cases[0]).toMatchObject({ change: 'unchanged', a: { score: 0.57 }, b: { score: 0.75 } });
    expect(diff.deltas.score).toEqual({ a: 0.57, b: 0.75, difference: 0.18 });
    expect(diffMarkdown(diff)).toMatch(/\| score \| 0.57 \| 0.75 \|/);
  });

  it('say nothing of scores where one has none', () => {
    const plain = { path: 'c.json', report: reportOf({ sum: 'F' }) };
    const diff = diffReports(plain, after, false);
    expect(diff.deltas).not.toHaveProperty('score');
    expect(diff.cases[0]?.a).not.toHaveProperty('score');
  });
});

it('what is not all is never shown as all', () => {
  expect([0.999, 0.001, 2 / 3, 1, 0].map(scoreWords)).toEqual(['>0.99', '<0.01', '0.67', '1', '0']);
  expect([0.7, 0.65, 1].map(outOfTen)).toEqual(['7/10', '6.5/10', '10/10']);
});
