/** A report as JSON, piece by piece: of ten thousand cases the whole text would take more room than the report. */
import type { EvalReport } from '../model/report.ts';

const CASES_AT_ONCE = 8;
const NO_CASES = '\n  "cases": []';

/** Each piece is so many whole lines, the last without its line break. Joined by line breaks they are the text. */
export function* reportJson(report: EvalReport): Generator<string> {
  const { cases } = report;
  const around = JSON.stringify({ ...report, cases: [] }, null, 2);
  const at = around.indexOf(NO_CASES);
  if (at < 0 || cases.length === 0) return yield around;
  yield `${around.slice(0, at)}\n  "cases": [`;
  for (let first = 0; first < cases.length; first += CASES_AT_ONCE) {
    const some = indented(cases.slice(first, first + CASES_AT_ONCE));
    yield first + CASES_AT_ONCE < cases.length ? `${some},` : some;
  }
  yield `  ]${around.slice(at + NO_CASES.length)}`;
}

/** For a file. */
export async function* reportBytes(report: EvalReport): AsyncGenerator<Uint8Array> {
  for (const piece of reportJson(report)) yield Buffer.from(`${piece}\n`);
}

const HEAD = '{\n  "cases": [\n';
const TAIL = '\n  ]\n}';

/** As they stand in the report. */
function indented(cases: readonly unknown[]): string {
  return JSON.stringify({ cases }, null, 2).slice(HEAD.length, -TAIL.length);
}
