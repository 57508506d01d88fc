/** A run with one of everything, as a reader would meet it. */
import type { EvalDiff } from '../../src/model/diff.ts';
import type { EvalReport, JudgeVerdictRecord } from '../../src/model/report.ts';
import type { Capture } from '../../src/model/trial.ts';
import { diffReports } from '../../src/report/diff.ts';
import { captureOf, message, NO_USAGE, reportOf, toolCall } from './reports.ts';

const OUTPUT = `I extracted the text of fixtures/sample.pdf into output/extracted.txt.

The document has two pages. Page 1 holds the heading "Invoice 17", two line items
and the total of 120.00. Page 2 holds the terms of payment.`;

const judge: JudgeVerdictRecord = {
  result: 'FAIL',
  reason: 'The second criterion does not hold.',
  model: 'claude-sonnet-5-5',
  transport: 'api',
  model_provider: 'anthropic',
  prompt: null,
  duration_seconds: 2.1,
  usage: NO_USAGE,
  cost_usd: 0.0041,
  votes: [
    { state: 'cast', model: 'claude-sonnet-5-5', attempts: 1, error: null, verdicts: [] },
    { state: 'cast', model: 'claude-sonnet-5-5', attempts: 1, error: null, verdicts: [] },
    {
      state: 'unusable',
      model: 'claude-sonnet-5-5',
      attempts: 3,
      error: 'quoted a passage that is not there',
      verdicts: [],
    },
  ],
  criteria: [
    {
      id: 'c1',
      text: 'The summary names heading and total of the invoice.',
      result: 'PASS',
      reason: 'Both are named in the answer.',
      evidence: ['the heading "Invoice 17", two line items and the total of 120.00'],
      votes: { pass: 2, fail: 0, undecided: 1 },
      agreement: 0.6667,
    },
    {
      id: 'c2',
      text: 'Nothing outside output/ is changed.',
      result: 'FAIL',
      reason: 'The agent wrote notes.md beside the output.',
      evidence: ['cat > notes.md', 'A passage that is nowhere in the page'],
      votes: { pass: 0, fail: 2, undecided: 1 },
      agreement: 0.6667,
    },
  ],
};

export const CAPTURE: Capture = captureOf(
  [
    {
      type: 'session',
      sessionId: '5f1c',
      model: 'claude-sonnet-5-5',
      engineVersion: '2.1.325',
      skills: ['pdf-tools'],
      agents: null,
    },
    message('I will use the pdf-tools skill to read the file.'),
    { type: 'skill', name: 'pdf-tools', how: 'tool' },
    ...toolCall(
      't1',
      'Bash',
      { command: 'node scripts/extract-text.mjs fixtures/sample.pdf' },
      'Invoice 17\n1 x paper 20.00\n2 x ink 100.00\ntotal 120.00',
    ),
    ...toolCall(
      't2',
      'Write',
      { file_path: 'output/extracted.txt', content: 'Invoice 17\n…' },
      'File written',
    ),
    { type: 'tool-call', id: 't3', tool: 'Bash', input: { command: 'cat > notes.md' }, subAgent: false },
    { type: 'hook', event: 'PreToolUse', blocked: true, exitCode: 2, detail: 'notes.md is protected' },
    { type: 'denied', tool: 'Bash', by: 'hook', reason: 'notes.md is protected' },
    { type: 'tool-result', id: 't3', output: 'blocked by a hook: notes.md is protected', isError: true },
    { type: 'error', message: 'API overloaded, asked again' },
    message(OUTPUT),
    { type: 'end', ok: true, output: OUTPUT, reason: null, costUsd: 0.0213, modelError: null },
  ],
  {
    output: OUTPUT,
    hooks: [
      {
        event: 'pre-tool-use',
        group: 0,
        index: 0,
        command: 'node hooks/scripts/protect-files.mjs',
        toolName: 'Bash',
        exitCode: 2,
        decision: 'block',
        reason: 'notes.md is protected',
        stdout: '',
        stderr: 'notes.md is protected\n',
        error: null,
        durationMs: 41,
      },
    ],
    files: [
      {
        path: 'output/extracted.txt',
        change: 'created',
        diff: '--- output/extracted.txt\n+++ output/extracted.txt\n@@ -0,0 +1,4 @@\n+Invoice 17\n+1 x paper 20.00\n+2 x ink 100.00\n+total 120.00\n',
      },
      {
        path: 'README.md',
        change: 'modified',
        diff: '--- README.md\n+++ README.md\n@@ -1,3 +1,3 @@\n # Sample\n-No text yet.\n+See output/extracted.txt.\n end\n',
      },
    ],
  },
);

export function showcase(changes: Partial<EvalReport> = {}): EvalReport {
  const pass = { verdict: 'PASS' as const };
  const fail = { verdict: 'FAIL' as const };
  return reportOf(
    [
      {
        name: 'pdf-extraction-e2e',
        description: 'Reads a PDF of two pages and writes its text to a file.',
        trials: [
          {
            verdict: 'FAIL',
            capture: '.aam/runs/x/captures/a.json',
            judge,
            output: OUTPUT,
            checks: [
              ['contains', 'PASS', 'the output has all of 2'],
              ['files-created', 'FAIL', 'output/summary.txt was not created\ncreated: output/extracted.txt'],
            ],
          },
          pass,
          fail,
          pass,
          { verdict: 'SKIP', error: 'rate limit outlasted 5 retries', errorKind: 'model-rate-limit' },
          { ...pass, arm: 'without' },
          { ...fail, arm: 'without' },
          { ...fail, arm: 'without' },
          { ...fail, arm: 'without' },
          { ...fail, arm: 'without' },
        ],
      },
      { name: 'one-page-only', trials: [pass, pass, pass, pass, pass] },
      {
        name: 'hook-blocks-protected-write',
        target: 'hook:pre-tool-use',
        trials: [
          { verdict: 'FAIL', error: 'the agent did not end within 120 s', errorKind: 'timeout', cost: null },
          fail,
          fail,
          fail,
          fail,
        ],
      },
      {
        name: 'table-checker-finds-wrong-row',
        target: 'agent:table-checker',
        trials: Array.from({ length: 5 }, () => ({
          verdict: 'SKIP' as const,
          error: 'the model could not be reached',
          errorKind: 'model-unreachable',
          checks: [],
        })),
      },
      ...Array.from({ length: 14 }, (_, at) => ({
        name: `scan-${String(at + 1).padStart(2, '0')}-is-not-invented`,
        trials: [pass, pass, pass, pass, { verdict: at % 5 === 3 ? ('FAIL' as const) : ('PASS' as const) }],
      })),
    ],
    {
      comparison: {
        cases: 1,
        pass_rate: { with: 0.82, without: 0.41, difference: 0.41 },
        lift: { interval: [0.12, 0.66], p_value: 0.0078, method: 'paired permutation' },
        normalised_gain: 0.6949,
        seconds: { with: 12.1, without: 9.4, difference: 2.7 },
        tokens: { with: 19_018, without: 11_200, difference: 7_818 },
        cost_usd: { with: 0.0213, without: 0.0141, difference: 0.0072 },
        passed_in_both: ['one-page-only'],
        passed_in_neither: [],
        gained: ['pdf-extraction-e2e'],
        lost: [],
        undecided: ['table-checker-finds-wrong-row'],
        skills_never_activated: ['pdf-forms'],
      },
      warnings: ['evals/cases/pdf.yaml:7:3: expected.contians is not a known field'],
      ...changes,
    },
  );
}

/** The showcase as the later of two runs. */
export function showcaseDiff(): { diff: EvalDiff; a: EvalReport; b: EvalReport } {
  const b = showcase();
  const a = reportOf(
    [
      { name: 'pdf-extraction-e2e', trials: [{ output: 'All text is in output/extracted.txt.' }] },
      { name: 'one-page-only', trials: [{ verdict: 'FAIL' }] },
      { name: 'table-checker-finds-wrong-row', trials: [{}] },
      { name: 'was-here-before', trials: [{}] },
      ...b.cases
        .filter(({ name }) => name.startsWith('scan-'))
        .map(({ name }) => ({
          name,
          hash: name === 'scan-02-is-not-invented' ? 'sha256:1' : 'sha256:0',
          trials: [{}],
        })),
    ],
    {
      id: 'eval-run-2026-11-10T08-00-00Z-aaaaaa',
      timestamp: '2026-11-10T08:00:00Z',
      package: { ...b.package, hash: 'sha256:1a2b' },
    },
  );
  const diff = diffReports({ path: 'a.json', report: a }, { path: 'b.json', report: b }, false);
  return { diff, a, b };
}
