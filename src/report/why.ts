/** Why a case failed or stayed open, in lines. Every format shows the same ones. */
import type { EvalCaseRecord } from '../model/report.ts';

export function whyLines(it: EvalCaseRecord): string[] {
  const failed = it.check_details.filter(({ verdict }) => verdict === 'FAIL');
  const judged = it.judge_verdict?.criteria.filter(({ result }) => result !== 'PASS') ?? [];
  return [
    ...(it.error ? [it.error] : []),
    ...failed.map(({ check, message }) => (message ? `${check}: ${message}` : `${check} failed`)),
    ...judged.map(({ result, reason }) => `judge: ${result}: ${reason}`),
  ].filter((line, index, all) => all.indexOf(line) === index);
}
