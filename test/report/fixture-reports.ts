/** Runs that ended in every way there is: each form of a report must say the same of them. */
import type { EvalReport } from '../../src/model/report.ts';
import { reportOf } from './reports.ts';

/** Control characters, marks of every format, and what GitHub would obey. */
const HOSTILE = [
  '\x1b[2J\x1b]0;owned\x07\r\x00\x9b31m\u202e\u2028::error::x\u2029',
  ']]></failure><testcase name="fake"/><!--',
  '</details><script>alert(1)</script><img src=x onerror=alert(1)>',
  '```\n## 9 passed, 0 failed, 0 undecided\n````',
  '| a | b |\n::error file=x::fake\n##[error]fake\n::stop-commands::x',
  '[link](javascript:alert(1)) ![image](https://example.com/x.png) @someone #1 $x$ \ud800\ufffe',
  '0 passed, 0 failed, 0 undecided',
].join('\n');

const hostile = () => ({
  file: HOSTILE,
  error_kind: HOSTILE,
  capture: HOSTILE,
  target: HOSTILE,
  agent_output_snippet: HOSTILE,
  error: HOSTILE,
  warnings: [HOSTILE],
  check_details: [{ check: 'contains', verdict: 'FAIL' as const, message: HOSTILE }],
});

const COMPARED = reportOf({ one: 'P/F', two: 'P/P' });

export const REPORTS: Readonly<Record<string, EvalReport>> = {
  passed: reportOf({ one: 'P', two: 'P' }),
  failed: reportOf({ one: 'P', two: 'F' }),
  'is undecided': reportOf({ one: 'P', two: 'S' }),
  'failed and is undecided': reportOf({ one: 'F', two: 'S', three: 'P' }),
  'failed at a threshold': reportOf({ one: 'PPF', two: 'PFF' }, { threshold: 0.6 }),
  'is undecided at a threshold': reportOf({ one: 'PPS', two: 'PPP' }, { threshold: 1 }),
  'has a baseline': reportOf({ one: 'PP/FF', two: 'PP/PP', three: 'SS/PF' }),
  'fails only without the package': reportOf({ one: 'P/F' }),
  'was interrupted': reportOf({ one: 'P', two: 'S' }, { report: { interrupted: true } }),
  'was interrupted at the last moment': reportOf({ one: 'P' }, { report: { interrupted: true } }),
  'was interrupted after a failure': reportOf({ one: 'F', two: 'S' }, { report: { interrupted: true } }),
  'has a hostile baseline': {
    ...COMPARED,
    comparison: COMPARED.comparison && {
      ...COMPARED.comparison,
      lift: { interval: [0, 1], p_value: 0.5, method: HOSTILE },
    },
  },
  'is told by a hostile report': reportOf(
    { one: 'F', two: 'S', three: 'P' },
    {
      each: hostile,
      report: {
        warnings: [HOSTILE],
        agent: {
          runtime: HOSTILE,
          runtime_version: null,
          model: HOSTILE,
          model_provider: null,
          session_id: null,
        },
        package: { name: HOSTILE, version: null, hash: null, git_commit: null },
      },
    },
  ),
};
