import { describe, expect, it } from 'vitest';
import { evalDiff } from '../../src/model/diff.ts';
import type { EvalReport } from '../../src/model/report.ts';
import { diffReports } from '../../src/report/diff.ts';
import { JUDGED, reportOf, type Trials } from './reports.ts';

function diff(a: EvalReport, other: EvalReport, significant = false) {
  const b = { ...other, id: `${other.id}-b` };
  return evalDiff.parse(
    diffReports({ path: 'a.json', report: a }, { path: 'b.json', report: b }, significant),
  );
}

function numbered(count: number, letters: (index: number) => string): Trials {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`case-${index}`, letters(index)]));
}

const all = (count: number, letters: string) => numbered(count, () => letters);

describe('a diff', () => {
  it('says of each case how its verdict changed', () => {
    const a = reportOf({ same: 'P', worse: 'P', better: 'F', lost: 'P', open: 'S', gone: 'P' });
    const b = reportOf({ same: 'P', worse: 'F', better: 'P', lost: 'S', open: 'F', fresh: 'F' });
    const { cases, counts, exit_code } = diff(a, b);
    expect(Object.fromEntries(cases.map(({ name, change }) => [name, change]))).toEqual({
      same: 'unchanged',
      worse: 'regressed',
      better: 'improved',
      lost: 'newly-undecided',
      open: 'newly-decided',
      fresh: 'added',
      gone: 'removed',
    });
    expect(counts).toMatchObject({ regressed: 1, improved: 1, newly_undecided: 1, added: 1, removed: 1 });
    expect(exit_code).toBe(1);
  });

  it('takes no case that was added or removed, or got undecided, for a regression', () => {
    const a = reportOf({ same: 'P', lost: 'P', gone: 'P' });
    const b = reportOf({ same: 'P', lost: 'S', fresh: 'F' });
    expect(diff(a, b)).toMatchObject({ exit_code: 0, comparable: true, conclusion: 'no-evidence' });
  });

  it('concludes from single runs by McNemar’s test', () => {
    const better = diff(reportOf(numbered(12, (it) => (it < 6 ? 'F' : 'P'))), reportOf(all(12, 'P')));
    expect(better).toMatchObject({ conclusion: 'better', exit_code: 0 });
    expect(better.test).toMatchObject({
      method: 'exact McNemar test',
      cases: 12,
      p_value: 0.03125,
      pass_rate: { a: 0.5, b: 1, difference: 0.5 },
    });
    const five = diff(reportOf(numbered(12, (it) => (it < 5 ? 'F' : 'P'))), reportOf(all(12, 'P')));
    expect(five).toMatchObject({ conclusion: 'no-evidence', test: { p_value: 0.0625 } });
    expect(five.test?.runs_needed).toBeGreaterThan(1);
    expect(five.reason).toMatchInlineSnapshot(
      `"No evidence of a difference: pass rate 58 % → 100 % over 12 cases (+41.7 points, 95 % interval ±0 to +68.1; p = 0.063, exact McNemar test). A difference of this size would show with about 2 runs of each case (--runs 2)."`,
    );
  });

  it('concludes nothing where the test points one way and the mean another', () => {
    // One case got worse beyond doubt, and several with a single trial each got better.
    const few = numbered(8, () => 'F');
    const a = reportOf({ ...few, often: 'P'.repeat(60) });
    const b = reportOf({ ...numbered(8, () => 'P'), often: 'PF'.repeat(30) });
    for (const [before, after] of [
      [a, b],
      [b, a],
    ] as const) {
      const { conclusion, test, reason } = diff(before, after);
      expect(conclusion).toBe('no-evidence');
      expect(test?.p_value).toBeLessThan(0.001);
      expect(test?.interval[0]).toBeLessThanOrEqual(0);
      expect(test?.interval[1]).toBeGreaterThanOrEqual(0);
      expect(reason).toContain('The test and the mean do not agree');
    }
  });

  it('asks for no more runs than can be made', () => {
    const even = 'PF'.repeat(200);
    const { reason, test } = diff(reportOf({ one: even }), reportOf({ one: `P${even.slice(1, -1)}P` }));
    expect(test?.runs_needed).toBeGreaterThan(1000);
    expect(reason).toMatch(/would take more than 1000 runs of each case to show\.$/);
  });

  it('concludes from repeats of few cases', () => {
    const a = reportOf({ one: 'PPPPPPPPPP', two: 'PPPPPPPPFP' });
    const b = reportOf({ one: 'PFFPFPFFPF', two: 'PPPPPPFPFP' });
    const worse = diff(a, b);
    expect(worse).toMatchObject({
      conclusion: 'worse',
      exit_code: 1,
      test: { method: 'exact permutation test by case', cases: 2 },
    });
    expect(worse.reason).toMatchInlineSnapshot(
      `"Worse: pass rate 95 % → 60 % over 2 cases (−35 points, 95 % interval −57.8 to −9.5; p = 0.019, exact permutation test by case)."`,
    );
    expect(diff(b, a)).toMatchObject({
      conclusion: 'better',
      test: {
        p_value: worse.test?.p_value,
        pass_rate: { difference: -(worse.test?.pass_rate.difference ?? 0) },
      },
    });
  });

  it('with --significant lets a regression pass that may be chance', () => {
    const a = reportOf({ one: 'P', two: 'P' });
    const b = reportOf({ one: 'P', two: 'F' });
    expect([diff(a, b).exit_code, diff(a, b, true).exit_code]).toEqual([1, 0]);
    const worse = [reportOf(all(6, 'P')), reportOf(all(6, 'F'))] as const;
    expect(diff(...worse, true)).toMatchObject({ conclusion: 'worse', exit_code: 1 });
  });

  it('keeps a case out whose definition changed', () => {
    const a = reportOf(all(6, 'P'));
    const changed = { each: ({ name }: { name: string }) => ({ case_hash: `sha256:${name} 2` }) };
    const every = diff(a, reportOf(all(6, 'F'), changed));
    expect(every).toMatchObject({ comparable: false, exit_code: 2, conclusion: 'no-evidence', test: null });
    expect(every.counts).toMatchObject({ not_comparable: 6, regressed: 0 });
    expect(every.reason).toMatchInlineSnapshot(
      `"Not comparable: of every case that is in both reports, the definition of the case, its checks or its files changed."`,
    );
    const one = diff(
      a,
      reportOf(all(6, 'P'), { each: ({ name }) => (name === 'case-3' ? { case_hash: 'x' } : {}) }),
    );
    expect(one).toMatchObject({ comparable: true, test: { cases: 5 } });
    expect(one.notes).toEqual([
      '1 case is kept out of the conclusion: the definition of the case, its checks or its files changed',
    ]);
  });

  it('keeps cases out that another model judged, but not those that only checks decided', () => {
    const judge_verdict = { ...JUDGED, model: 'claude-opus-5' };
    const a = reportOf({ judged: 'P', checked: 'F' });
    const b = reportOf(
      { judged: 'P', checked: 'F' },
      {
        report: { judge: { ...a.judge, model: 'claude-opus-5' } },
        each: ({ verdict }) => (verdict === 'PASS' ? { judge_verdict } : {}),
      },
    );
    const { cases, test } = diff(a, b);
    expect(cases.map(({ kept_out }) => kept_out)).toEqual([
      'another model judged it (name one with --judge for both runs)',
      null,
    ]);
    expect(test?.cases).toBe(1);
  });

  it('reads both runs at the threshold of the second', () => {
    const a = reportOf({ one: 'PPPPF' }, { threshold: 1 });
    const b = reportOf({ one: 'PPPPF' }, { threshold: 0.8 });
    expect([a.cases[0]?.verdict, b.cases[0]?.verdict]).toEqual(['FAIL', 'PASS']);
    expect(diff(a, b).cases[0]?.change).toBe('unchanged');
    expect(diff(a, b).notes).toEqual([
      'the first run let cases pass at 1, the second at 0.8; both are read at 0.8',
    ]);
  });

  it('is not comparable without a case in both, or one that is decided in both', () => {
    expect(diff(reportOf({ one: 'P' }), reportOf({ two: 'P' }))).toMatchObject({
      exit_code: 2,
      reason: 'Not comparable: no case is in both reports.',
    });
    expect(diff(reportOf({ one: 'S' }), reportOf({ one: 'P' }))).toMatchObject({
      exit_code: 2,
      reason: 'Not comparable: no case is decided in both reports.',
    });
  });

  it('tells what else changed, and how time, tokens and cost did', () => {
    const a = reportOf({ one: 'PP' });
    const b = reportOf(
      { one: 'PP' },
      {
        report: {
          agent: { ...a.agent, model: 'claude-opus-5' },
          package: { ...a.package, hash: 'sha256:2' },
          config: { ...a.config, timeout: 90 },
        },
        each: () => ({ duration_seconds: 3, cost_usd: null }),
      },
    );
    const { changes, deltas, notes } = diff(a, b);
    expect(changes).toEqual([
      { what: 'model', a: 'claude-sonnet-5-5', b: 'claude-opus-5' },
      { what: 'package content', a: 'sha256:1', b: 'sha256:2' },
      { what: 'timeout', a: '60', b: '90' },
    ]);
    expect(deltas).toEqual({
      pass_rate: { a: 1, b: 1, difference: 0 },
      seconds: { a: 2, b: 3, difference: 1 },
      tokens: { a: 120, b: 120, difference: 0 },
      cost_usd: { a: null, b: null, difference: null },
    });
    expect(notes).toEqual([]);
  });

  it('tells that another command was run, and concludes: the agent is what is compared', () => {
    const a = reportOf(all(6, 'F'));
    const withCommand = (...command: string[]) => ({ ...a.config, engine: 'command', command });
    const { changes, conclusion } = diff(
      { ...a, config: withCommand('my-agent', '{prompt}') },
      reportOf(all(6, 'P'), { report: { config: withCommand('my-agent', '--fast', '{prompt}') } }),
    );
    expect(changes).toEqual([{ what: 'command', a: 'my-agent {prompt}', b: 'my-agent --fast {prompt}' }]);
    expect(conclusion).toBe('better');
  });

  it('takes no answers that a person wrote for evidence', () => {
    const tape = { mode: 'replay', folder: 'evals/tapes', recorded_at: null, note: 'played' } as const;
    const replayed = (source: 'scripted' | 'recorded') =>
      diff(reportOf(all(6, 'P')), reportOf(all(6, 'F'), { report: { tape: { ...tape, source } } }));
    expect(replayed('recorded')).toMatchObject({ conclusion: 'worse', exit_code: 1 });
    expect(replayed('scripted')).toMatchObject({
      conclusion: 'no-evidence',
      reason: 'No evidence: answers of the model were written by a person (scripted tapes).',
      notes: ['the second run: played'],
      exit_code: 1,
    });
  });

  it('takes only trials with the package, and no figures of trials that were broken off', () => {
    const a = reportOf(
      { one: 'PS/FF' },
      { each: ({ verdict }) => (verdict === 'SKIP' ? { duration_seconds: 99 } : {}) },
    );
    const b = reportOf({ one: 'PP/PP' });
    expect(diff(a, b)).toMatchObject({
      deltas: { seconds: { a: 2, b: 2 }, pass_rate: { a: 1, b: 1 } },
      cases: [{ a: { passed: 1, decided: 1, total: 2 }, b: { passed: 2, decided: 2 } }],
    });
  });
});
