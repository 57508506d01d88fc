/** Takes out of a report what may differ between two runs of the same, and nothing else: times, ids and names of machines. */
import { hostname } from 'node:os';
import type { EvalReport } from '../../src/model/report.ts';

/** Keys whose numbers are measured. */
const TIMES = new Set(['duration_seconds', 'seconds']);
/** Keys of ids that an agent makes up anew for each session. */
const SESSIONS = new Set(['session_id']);

/** The text of a report, to be compared byte by byte. */
export function comparable(report: EvalReport): string {
  const run = report.id.replace(/^eval-run-/, '');
  const text = JSON.stringify(
    report,
    (key, value) => {
      if (TIMES.has(key) && value !== null) return 'TIME';
      if (SESSIONS.has(key) && value !== null) return 'SESSION';
      return typeof value === 'string' ? withoutNames(value, run, report.timestamp) : value;
    },
    2,
  );
  return `${text}\n`;
}

/** Of a capture: agents that are shell scripts leave no other times or ids in it. */
export function comparableCapture(text: string, report: EvalReport): string {
  const run = report.id.replace(/^eval-run-/, '');
  return withoutNames(text, run, report.timestamp);
}

function withoutNames(text: string, run: string, timestamp: string): string {
  return text.replaceAll(run, 'RUN').replaceAll(timestamp, 'TIMESTAMP').replaceAll(hostname(), 'MACHINE');
}
