/** An eval run in Markdown, for people and for the summary page of a CI job. */
import type { ArmComparison, EvalCaseRecord, EvalReport } from '../../model/report.ts';
import { REPORT_MARK } from '../../model/report.ts';
import { scoreWords } from '../../model/score.ts';
import {
  ARM_LISTS,
  allTokens,
  chance,
  change,
  costWords,
  dollars,
  percent,
  points,
  seconds,
  tokenCount,
} from '../../model/words.ts';
import { whyLines } from '../why.ts';
import { block, code, inline } from './escape.ts';
import { table } from './table.ts';

/** GitHub refuses summaries above 1 MiB. */
const MAX_CHARACTERS = 400_000;

export function reportMarkdown(report: EvalReport): string {
  const open = report.cases.filter(({ verdict }) => verdict !== 'PASS');
  const sections = [
    `<!-- ${REPORT_MARK} -->`,
    `## ${TITLES[String(report.exit_code)] ?? TITLES['1']}: ${inline(title(report))}`,
    totals(report),
    ...(report.tape.note === null ? [] : [`> ${inline(report.tape.note)}`]),
    ...report.warnings.map((warning) => `> ${inline(warning)}`),
    ...open.map(caseSection),
    ...armsSection(report.comparison),
    ...casesSection(report),
  ];
  return `${cutSections(sections).join('\n\n')}\n`;
}

const TITLES: Readonly<Record<string, string>> = {
  '0': '🟢 Passed',
  '1': '🔴 Failed',
  '2': '🟡 Not whole',
  '3': '🟡 Undecided',
  '130': '🟡 Interrupted',
};

function title({ package: { name, version } }: EvalReport): string {
  return version === null ? name : `${name} ${version}`;
}

function totals(report: EvalReport): string {
  const { passed, failed, skipped } = report.summary;
  const { agent, judge, usage } = report;
  const cost = costWords(usage, report.tape.mode === 'replay');
  const who = [agent.runtime, agent.runtime_version, agent.model].filter((it) => it !== null).join(' ');
  return [
    `**${passed} passed, ${failed} failed, ${skipped} undecided** in ${seconds(report.duration_seconds)}`,
    ...(usage.requests > 0 ? [`${tokenCount(allTokens(usage))} tokens`] : []),
    ...(cost === null ? [] : [inline(cost)]),
    inline(who),
    ...(judge.model === null ? [] : [`judge ${inline(judge.model)}`]),
    ...(report.sandbox?.kind === 'none' ? ['**no sandbox**'] : []),
  ].join(' · ');
}

function caseSection(it: EvalCaseRecord): string {
  const place = it.file === null ? '' : ` ${code(it.line === null ? it.file : `${it.file}:${it.line}`)}`;
  const said = it.agent_output_snippet.trim();
  return [
    `### ${it.verdict === 'FAIL' ? '🔴' : '🟡'} ${inline(it.name)}`,
    `${it.verdict === 'FAIL' ? 'failed' : 'undecided'}${it.error_kind ? ` (${code(it.error_kind)})` : ''}${place}`,
    whyLines(it)
      .map((line) => `- ${inline(line)}`)
      .join('\n'),
    ...(said ? ['<details><summary>what the agent said</summary>', block(said), '</details>'] : []),
  ].join('\n\n');
}

function armsSection(comparison: ArmComparison | null): string[] {
  if (comparison === null) return [];
  const { pass_rate: rate, lift } = comparison;
  const row = (name: string, arms: ArmComparison['seconds'], words: (value: number) => string) =>
    arms === null
      ? []
      : [[name, words(arms.without), words(arms.with), change(arms.without, arms.with, words)].map(inline)];
  const named = (what: string, names: readonly string[] | null) =>
    names === null || names.length === 0 ? [] : [`- ${what}: ${names.map(code).join(', ')}`];
  return [
    '### What the package changes',
    table(
      ['', 'without', 'with', ''],
      [
        ...(rate === null
          ? []
          : [['pass rate', percent(rate.without), percent(rate.with), `${points(rate.difference)} points`]]),
        ...row('time', comparison.seconds, seconds),
        ...row('tokens', comparison.tokens, tokenCount),
        ...row('cost', comparison.cost_usd, dollars),
      ],
    ),
    ...(lift === null
      ? ['No case is decided both with and without the package.']
      : [
          `95 % interval ${points(lift.interval[0])} to ${points(lift.interval[1])} points; ${chance(lift.p_value)} (${inline(lift.method)})`,
        ]),
    ARM_LISTS.flatMap(([list, words]) => named(words, comparison[list])).join('\n'),
  ].filter((section) => section !== '');
}

function casesSection({ cases, config }: EvalReport): string[] {
  if (cases.length === 0) return [];
  const repeated = config.runs > 1;
  const scored = cases.some(({ score }) => score !== undefined);
  const rows = cases.map(
    ({ name, verdict, score, duration_seconds, statistics: { passed, decided, total, interval, flaky } }) => [
      code(name),
      WORDS[verdict],
      ...(scored ? [typeof score === 'number' ? scoreWords(score) : ''] : []),
      ...(repeated
        ? [
            `${passed}/${decided}${decided < total ? ` (${total - decided} undecided)` : ''}${flaky ? ' flaky' : ''}`,
            interval === null ? '' : `${percent(interval[0])} to ${percent(interval[1])}`,
          ]
        : []),
      seconds(duration_seconds),
    ],
  );
  const head = [
    'case',
    'verdict',
    ...(scored ? ['score'] : []),
    ...(repeated ? ['passed', '95 % interval'] : []),
    'time',
  ];
  return [`<details><summary>all ${cases.length} cases</summary>`, table(head, rows), '</details>'];
}

const WORDS = { PASS: '🟢 passed', FAIL: '🔴 failed', SKIP: '🟡 undecided' } as const;

function cutSections(sections: readonly string[]): string[] {
  let length = 0;
  const kept = sections.filter((section) => {
    length += section.length + 2;
    return length <= MAX_CHARACTERS;
  });
  return kept.length === sections.length ? kept : [...kept, '_There is more; see the report itself._'];
}
