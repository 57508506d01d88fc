/** Tells what aam itself writes, by marks that survive a change of name and indentation. */
import { REPORT_MARK } from './report.ts';

/** What the text is; null: nothing of aam's, as far as can be told. */
export function recordIn(text: string): string | null {
  return RECORDS.find(({ has }) => has.every((mark) => mark.test(text)))?.what ?? null;
}

/** Whether it is what a run writes for people and other tools, and not what it keeps for itself. */
export function isReport(text: string): boolean {
  return /^is (?:a report|a result|a benchmark|the output) /.test(recordIn(text) ?? '');
}

const RECORDS: readonly { readonly what: string; readonly has: readonly RegExp[] }[] = [
  { what: 'is a report of aam eval', has: [/"eval-run-/, /"(?:deterministic_checks|conclusion)"/] },
  { what: 'is a report of aam eval', has: [new RegExp(REPORT_MARK)] },
  { what: 'is a report of aam test', has: [/"exit_code"/, /"duration_ms"/, /"checks"/, /"skill:|"hook:/] },
  { what: 'is a benchmark of a skill', has: [/"run_summary"/, /"runs_per_configuration"/] },
  { what: 'is a tape', has: [/"tape":\s*\d+,\s*"source":/] },
  { what: 'is a record of a run', has: [/"errorKind":/, /"skillsActivated":/] },
  { what: 'is a record of a run', has: [/"trial":/, /"ended":/, /"events":/, /"stderr":/] },
  { what: 'is a result for CI', has: [/<testsuites?\b[^>]*\bname="aam /] },
  { what: 'is the output of aam eval', has: [/; sandbox: \w+; report: /] },
  {
    what: 'is the output of aam eval',
    has: [/[✗×] \w+: (?:the output does not contain |expected agent-blocked=)/],
  },
];
