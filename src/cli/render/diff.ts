/** The comparison of two reports on the terminal: the conclusion comes last, where the eye rests. */
import type { CaseDiff, CaseSide, EvalDiff } from '../../model/diff.ts';
import { partWords, scoreWords } from '../../model/score.ts';
import { change, dollars, percent, points, seconds, tokenCount } from '../../model/words.ts';
import type { Cli } from '../cli.ts';
import { columns, cut, wrap } from './layout.ts';
import { safeLine } from './safe-text.ts';

type Paint = Pick<Cli, 'colors'>;

export function renderDiff(diff: EvalDiff, { colors }: Paint): string {
  const changed = diff.cases.filter((it) => it.change !== 'unchanged');
  return [
    ...sideLines(diff).map((line) => cut(line)),
    ...section('what else changed', changeLines(diff), colors),
    ...section('cases', [...caseLines(changed, colors), unchangedLine(diff, colors)], colors),
    ...section('means of the cases that can be compared', deltaLines(diff), colors),
    '',
    ...diff.notes.flatMap((note) => wrap(`${colors.yellow('note:')} ${safeLine(note)}`, '  ')),
    ...paintedConclusion(diff, colors),
    ...regressionLine(diff, colors),
  ].join('\n');
}

function section(title: string, lines: readonly string[], colors: Paint['colors']): string[] {
  const shown = lines.filter((line) => line !== '');
  return shown.length === 0 ? [] : ['', colors.dim(title), ...shown];
}

function sideLines({ a, b }: EvalDiff): string[] {
  const same = a.engine === b.engine;
  const row = (name: string, side: EvalDiff['a']) =>
    [name, side.timestamp, side.package, same ? '' : side.engine].map(safeLine);
  return [
    ...columns([row('first', a), row('second', b)]),
    ...(same ? [`both    ${safeLine(a.engine)}`] : []),
  ];
}

const VALUE_WIDTH = 26;

function changeLines({ changes }: EvalDiff): string[] {
  const value = (text: string | null) => cut(safeLine(text ?? 'not known'), VALUE_WIDTH);
  return columns(changes.map((it) => [`  ${it.what}`, value(it.a), '→', value(it.b)]));
}

const MARKS = {
  regressed: '✗',
  improved: '✓',
  'newly-undecided': '–',
  'newly-decided': '·',
  'not-comparable': '~',
  added: '+',
  removed: '-',
  unchanged: ' ',
} as const satisfies Record<CaseDiff['change'], string>;

const ORDER = Object.keys(MARKS) as CaseDiff['change'][];

function caseLines(cases: readonly CaseDiff[], colors: Paint['colors']): string[] {
  const sorted = ORDER.flatMap((change) => cases.filter((it) => it.change === change));
  const rows = columns(
    sorted.map((it) => [
      `${MARKS[it.change]} ${cut(safeLine(it.name), 40)}`,
      sideText(it.a),
      it.a && it.b ? '→' : ' ',
      sideText(it.b),
      it.change.replaceAll('-', ' '),
    ]),
  );
  return sorted.flatMap((it, index) => {
    const why =
      it.kept_out ?? (it.change === 'regressed' || it.change === 'newly-undecided' ? it.b?.error : null);
    return [
      paintOf(it.change, colors)(`  ${rows[index]}`),
      ...(why ? [colors.dim(`      ${cut(safeLine(why), 74)}`)] : []),
    ];
  });
}

function paintOf(change: CaseDiff['change'], colors: Paint['colors']): (text: string) => string {
  if (change === 'regressed') return colors.red;
  if (change === 'improved') return colors.green;
  return change === 'newly-undecided' || change === 'not-comparable' ? colors.yellow : (text) => text;
}

function sideText(side: CaseSide | null): string {
  if (side === null) return '';
  const times = side.total > 1 ? ` ${side.passed}/${side.decided}` : '';
  return `${side.verdict}${times}${partWords(side.score)}`;
}

function unchangedLine({ counts: { unchanged } }: EvalDiff, colors: Paint['colors']): string {
  return unchanged === 0 ? '' : colors.dim(`  ${unchanged} unchanged`);
}

function deltaLines({ deltas }: EvalDiff): string[] {
  const { pass_rate: rate } = deltas;
  const row = (name: string, { a, b }: EvalDiff['deltas']['seconds'], words: (value: number) => string) =>
    a === null || b === null ? [] : [[`  ${name}`, words(a), '→', words(b), change(a, b, words)]];
  return columns([
    ...(rate.a === null || rate.b === null
      ? []
      : [['  pass rate', percent(rate.a), '→', percent(rate.b), `${points(rate.b - rate.a)} points`]]),
    ...(deltas.score ? row('score', deltas.score, scoreWords) : []),
    ...row('time', deltas.seconds, seconds),
    ...row('tokens', deltas.tokens, tokenCount),
    ...row('cost', deltas.cost_usd, dollars),
  ]);
}

/** Why the exit code is 1, whatever the conclusion. */
function regressionLine(
  { counts: { regressed }, exit_code, significant }: EvalDiff,
  colors: Paint['colors'],
): string[] {
  if (exit_code !== 1 || significant) return [];
  return [
    colors.red(
      regressed === 1 ? '1 case that passed now fails.' : `${regressed} cases that passed now fail.`,
    ),
  ];
}

function paintedConclusion({ reason, conclusion, comparable }: EvalDiff, colors: Paint['colors']): string[] {
  const paint = !comparable
    ? colors.yellow
    : { better: colors.green, worse: colors.red, 'no-evidence': colors.bold }[conclusion];
  return wrap(safeLine(reason)).map((line) => paint(line));
}
