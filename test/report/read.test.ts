import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import { parseReport, readReport } from '../../src/report/read.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { reportOf } from './reports.ts';

/** As the format's first description has it: without anything that came later. */
const FIRST = {
  version: 1,
  id: 'eval-run-2026-02-22T14-30-00Z',
  timestamp: '2026-02-22T14:30:00Z',
  duration_seconds: 87,
  config: { engine: 'claude-code', engine_version: '1.4.2', judge: 'claude-sonnet-4', timeout: 120 },
  agent: {
    runtime: 'claude-code',
    runtime_version: '1.4.2',
    model: 'claude-sonnet-4',
    model_provider: 'anthropic',
    session_id: 'sess_abc123',
  },
  judge: { model: 'claude-sonnet-4', model_provider: 'anthropic' },
  environment: {
    os: 'linux',
    arch: 'x86_64',
    aam_version: '0.5.0',
    node_version: '22.1.0',
    python_version: '3.12.3',
  },
  package: { name: '@my-org/code-review', version: '1.0.0' },
  summary: { total: 2, passed: 1, failed: 1, skipped: 0, pass_rate: 0.5 },
  cases: [
    {
      name: 'good',
      target: 'skill:pdf-tools',
      verdict: 'PASS',
      duration_seconds: 18,
      deterministic_checks: { contains: 'PASS' },
      judge_verdict: { result: 'PASS', reason: 'All there.', model: 'claude-sonnet-4' },
      agent_output_snippet: 'Hello',
    },
    {
      name: 'bad',
      target: null,
      verdict: 'FAIL',
      duration_seconds: 12,
      deterministic_checks: { agent_blocked: 'FAIL' },
      judge_verdict: null,
      agent_output_snippet: '',
      error: 'expected agent-blocked=true but hook exited 0',
    },
  ],
};

const read = (value: unknown) =>
  parseReport(typeof value === 'string' ? value : JSON.stringify(value), 'r.json');

/** A report of one case, three trials and a baseline, with something in it that is not so. */
function forged({ statistics, baseline, ...fields }: Readonly<Record<string, unknown>>): unknown {
  const report = reportOf({ one: 'PFF/F' });
  const cases = report.cases.map((it) => ({
    ...it,
    ...fields,
    statistics: { ...it.statistics, ...(statistics as object) },
    baseline: { ...it.baseline, ...(baseline as object) },
  }));
  return { ...report, cases };
}

describe('reading a report', () => {
  it('gives back what was written', () => {
    const report = reportOf({ one: 'PPF/FS', two: 'S' }, { threshold: 0.5 });
    expect(read(report)).toEqual(report);
    expect(evalReport.parse(read(report))).toEqual(report);
  });

  it('fills in what the first reports did not have', () => {
    const report = evalReport.parse(read(FIRST));
    expect(report).toMatchObject({
      config: { runs: 1, pass_threshold: 1, baseline: false },
      package: { hash: null },
      sandbox: null,
      comparison: null,
      exit_code: 1,
      interrupted: false,
      warnings: [],
      judge: { model: 'claude-sonnet-4', prompt_sha256: null },
    });
    expect(report.cases[0]).toMatchObject({
      verdict: 'PASS',
      file: null,
      case_hash: null,
      cost_usd: null,
      judge_verdict: { result: 'PASS', reason: 'All there.', transport: null, criteria: [] },
      statistics: { total: 1, decided: 1, passed: 1, pass_rate: 1, flaky: false },
      baseline: null,
      trials: [{ arm: 'with', repetition: 1, verdict: 'PASS', duration_seconds: 18 }],
    });
    expect(report.cases[1]).toMatchObject({
      error: 'expected agent-blocked=true but hook exited 0',
      check_details: [{ check: 'agent_blocked', verdict: 'FAIL' }],
    });
  });

  it('fills in what reports with trials did not have yet', () => {
    const report = reportOf({ one: 'PF' });
    const { tape, ...older } = report;
    const cases = report.cases.map(({ tape, trials, ...it }) => ({
      ...it,
      trials: trials.map(({ tape, warnings, ...trial }) => trial),
    }));
    expect(read({ ...older, cases })).toEqual(report);
  });

  it('counts again where the totals do not fit the cases, and says so', () => {
    const report = read({
      ...FIRST,
      summary: { ...FIRST.summary, total: 5, passed: 5, failed: 0 },
      exit_code: 0,
    });
    expect(report.summary).toMatchObject({ total: 2, passed: 1, failed: 1 });
    expect(report.exit_code).toBe(1);
    expect(report.warnings).toEqual([
      'the totals in this report’s file do not fit its cases; they were counted again',
    ]);
  });

  it.each([
    ['', 'r.json is no report: it is not JSON'],
    ['{"version": 1, "cases": [', 'r.json is no report: it is not JSON'],
    ['[]', 'r.json is no report: it holds no JSON object'],
    ['{}', 'r.json is no eval report but something else: it has no list of cases'],
    [
      { version: 1, packages: [] },
      'r.json is no eval report but a report of aam test: it has no list of cases',
    ],
    [{ ...FIRST, cases: [] }, 'r.json has no cases, so it is not the report of a finished run'],
    [{ ...FIRST, cases: [FIRST.cases[0], FIRST.cases[0]] }, 'r.json has two cases called good'],
    ...[0, -1, 1.5].map((pass_threshold): [unknown, string] => [
      { ...FIRST, config: { ...FIRST.config, pass_threshold } },
      `r.json: config.pass_threshold is ${pass_threshold}, and must be above 0 and at most 1`,
    ]),
    [forged({ verdict: 'PASS' }), 'contradicts itself: the case one says PASS, and its trials say FAIL'],
    [forged({ statistics: { passed: 3 } }), 'the case one says passed 3, and its trials say 1'],
    [forged({ statistics: { pass_rate: 1 } }), 'the case one says pass_rate 1, and its trials say 0.3333'],
    [forged({ statistics: { threshold: 0.1 } }), 'the case one says threshold 0.1, and its trials say 1'],
    [forged({ baseline: { verdict: 'PASS' } }), 'the case one says PASS, and its trials say FAIL'],
    [forged({ trials: [] }), 'the case one has no trial with the package'],
    [{ version: 2, cases: [] }, 'r.json was written by a newer aam (its version is 2, this one knows 1)'],
    [{ version: 1, cases: [], conclusion: 'better' }, 'r.json is a diff of two reports, not a report'],
    [
      { ...FIRST, cases: [{ name: 'x' }] },
      'r.json is no report that aam can read: cases[0] has no name or no verdict',
    ],
    [
      { ...FIRST, cases: [null] },
      'r.json is no report that aam can read: cases[0] has no name or no verdict',
    ],
    [{ ...FIRST, cases: [{ ...FIRST.cases[0], duration_seconds: 'long' }] }, 'cases[0].duration_seconds'],
    [{ ...FIRST, id: undefined }, 'r.json is no report that aam can read: id:'],
    [
      { ...FIRST, cases: [{ ...FIRST.cases[0], trials: [{}] }] },
      'r.json is no report that aam can read: cases[0].',
    ],
  ])('refuses what is none: %j', (value, message) => {
    expect(() => read(value)).toThrow(message);
    expect(() => read(value)).toThrow(expect.objectContaining({ name: 'UserError' }));
  });

  it('tells of files that are not there or are folders', async () => {
    await using folder = await temporaryFolder();
    await expect(readReport(join(folder.path, 'x.json'))).rejects.toThrow('there is no report ');
    await expect(readReport(folder.path)).rejects.toThrow('is a folder, not a report');
    const file = join(folder.path, 'r.json');
    await writeFile(file, `\ufeff${JSON.stringify(FIRST)}`);
    expect((await readReport(file)).id).toBe(FIRST.id);
    expect(JSON.parse((await readFile(file, 'utf8')).slice(1))).toEqual(FIRST);
  });
});
