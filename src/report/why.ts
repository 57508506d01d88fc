/** Why a case failed or stayed open, in lines. Every format shows the same ones. */
import type { EvalCaseRecord } from '../model/report.ts';
import { criterionWords, partWords } from '../model/score.ts';

export function whyLines(it: EvalCaseRecord): string[] {
  const failed = it.check_details.filter(({ verdict }) => verdict === 'FAIL');
  const groups = it.groups?.filter(({ verdict }) => verdict !== 'PASS') ?? [];
  const judged = it.judge_verdict?.criteria.filter(({ result }) => result !== 'PASS') ?? [];
  return [
    ...(it.error ? [it.error] : []),
    ...failed.map(({ check, score, message }) =>
      message ? `${check}${partWords(score)}: ${message}` : `${check} failed`,
    ),
    ...judged.map(({ result, score, reason }) => `judge: ${result}${criterionWords(score)}: ${reason}`),
    ...groups.map(
      ({ group, score, message, members }) =>
        `${group}${partWords(score)}: ${message} (a group of ${members.join(', ')})`,
    ),
  ].filter((line, index, all) => all.indexOf(line) === index);
}
