/** The comparison of two reports in Markdown. */
import type { CaseDiff, CaseSide, EvalDiff } from '../../model/diff.ts';
import { REPORT_MARK } from '../../model/report.ts';
import { partWords, scoreWords } from '../../model/score.ts';
import { change, dollars, percent, points, seconds, tokenCount } from '../../model/words.ts';
import { code, inline } from './escape.ts';
import { table } from './table.ts';

export function diffMarkdown(diff: EvalDiff): string {
  const { a, b, counts, deltas } = diff;
  const figure = (
    name: string,
    { a: before, b: after }: EvalDiff['deltas']['seconds'],
    words: (value: number) => string,
  ) =>
    before === null || after === null
      ? []
      : [[name, words(before), words(after), change(before, after, words)]];
  const rates = deltas.pass_rate;
  const sections = [
    `<!-- ${REPORT_MARK} -->`,
    `## ${TITLES[diff.comparable ? diff.conclusion : 'not-comparable']}`,
    inline(diff.reason),
    table(
      ['', 'first', 'second', ''],
      [
        ['run', code(a.id), code(b.id), ''],
        ['agent', inline(a.engine), inline(b.engine), ''],
        ...(rates.a === null || rates.b === null
          ? []
          : [['pass rate', percent(rates.a), percent(rates.b), `${points(rates.b - rates.a)} points`]]),
        ...(deltas.score ? figure('score', deltas.score, scoreWords) : []),
        ...figure('time per trial', deltas.seconds, seconds),
        ...figure('tokens per trial', deltas.tokens, tokenCount),
        ...figure('cost per trial', deltas.cost_usd, dollars),
      ],
    ),
    ...diff.notes.map((note) => `> ${inline(note)}`),
    ...(diff.changes.length === 0
      ? []
      : [
          '### What else changed',
          table(
            ['', 'first', 'second'],
            diff.changes.map((it) => [it.what, code(it.a ?? 'not known'), code(it.b ?? 'not known')]),
          ),
        ]),
    '### Cases',
    Object.entries(counts)
      .filter(([, count]) => count > 0)
      .map(([what, count]) => `${count} ${what.replaceAll('_', ' ')}`)
      .join(', '),
    ...caseTable(diff.cases.filter((it) => it.change !== 'unchanged')),
  ];
  return `${sections.join('\n\n')}\n`;
}

const TITLES = {
  better: '🟢 Better',
  worse: '🔴 Worse',
  'no-evidence': '⚪ No evidence of a difference',
  'not-comparable': '🟡 Not comparable',
};

function caseTable(cases: readonly CaseDiff[]): string[] {
  if (cases.length === 0) return [];
  const rows = cases.map((it) => [
    code(it.name),
    it.change.replaceAll('-', ' '),
    sideText(it.a),
    sideText(it.b),
    inline(it.kept_out ?? (it.change === 'regressed' ? (it.b?.error ?? '') : '')),
  ]);
  return [table(['case', 'change', 'first', 'second', 'why'], rows)];
}

function sideText(side: CaseSide | null): string {
  if (side === null) return '';
  const times = side.total > 1 ? ` ${side.passed}/${side.decided}` : '';
  return `${side.verdict}${times}${partWords(side.score)}`;
}
