/** The checks and groups of a case on the terminal: what belongs to a group stands below it. */
import type { EvalCaseRecord } from '../../model/report.ts';
import { criterionWords, partWords } from '../../model/score.ts';
import type { Verdict } from '../../model/trial.ts';
import type { Cli } from '../cli.ts';
import { safeBlock, safeLine } from './safe-text.ts';

type Colors = Cli['colors'];

export function partLines(it: EvalCaseRecord, colors: Colors): string[] {
  const groups = it.groups ?? [];
  const members = new Set(groups.flatMap((group) => group.members));
  const roots = [...it.check_details.map(({ check }) => check), ...groups.map(({ group }) => group)];
  return roots.filter((id) => !members.has(id)).flatMap((id) => linesOf(id, it, colors, []));
}

function linesOf(id: string, it: EvalCaseRecord, colors: Colors, above: readonly string[]): string[] {
  const indent = '  '.repeat(above.length + 1);
  const group = it.groups?.find((one) => one.group === id);
  if (group && !above.includes(id))
    return [
      `${indent}${mark(group.verdict, colors)} ${safeLine(id)}${partWords(group.score)}: ${safeBlock(group.message)}`,
      ...group.members.flatMap((member) => linesOf(member, it, colors, [...above, id])),
    ];
  const check = it.check_details.find((one) => one.check === id);
  if (check) {
    const name = `${mark(check.verdict, colors)} ${safeLine(id)}${partWords(check.score)}`;
    return [`${indent}${name}${check.verdict === 'PASS' ? '' : `: ${safeBlock(check.message)}`}`];
  }
  const criterion = it.judge_verdict?.criteria.find((one) => one.id === id);
  // Its reason comes with the judge's other words.
  return criterion
    ? [`${indent}${mark(criterion.result, colors)} judge, ${safeLine(id)}${criterionWords(criterion.score)}`]
    : [];
}

function mark(verdict: Verdict, colors: Colors): string {
  return { PASS: colors.green('✓'), FAIL: colors.red('✗'), SKIP: colors.yellow('–') }[verdict];
}
