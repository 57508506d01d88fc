/** An eval run on the terminal: a line per case, then what failed or stayed open, and why. */
import { isAbsolute, join } from 'node:path';
import type { EvalCaseRecord, EvalReport } from '../../model/report.ts';
import { criterionWords, isPartial, scoreWords } from '../../model/score.ts';
import type { TrialResult } from '../../model/trial.ts';
import type { Usage } from '../../model/usage.ts';
import { allTokens, costWords, dollars, tokenCount } from '../../model/words.ts';
import type { EvalEvent } from '../../pipeline/eval-events.ts';
import type { Cli } from '../cli.ts';
import { partLines } from './parts.ts';
import { duration, plural, safeBlock, safeLine, safeText } from './safe-text.ts';
import { renderComparison, renderStatistics } from './statistics.ts';

type Paint = Pick<Cli, 'colors'>;

type RunStart = Extract<EvalEvent, { type: 'run-start' }>;

export function renderRunStart(start: RunStart): string {
  const { package: name, cases, runs, baseline, engine, known, total } = start;
  const each = runs > 1 ? `, ${runs} runs each` : '';
  const arms = baseline ? ', with and without the package' : '';
  const rest = known > 0 ? `; ${plural(known, 'trial')} done before, ${total} to run` : '';
  return `${safeLine(name)}: ${plural(cases, 'case')} with ${engine}${each}${arms}${rest}\n`;
}

/** `isReplay`: it costs nothing. */
export function renderTrialLine(
  result: TrialResult,
  label: string,
  isReplay: boolean,
  { colors }: Paint,
): string {
  const mark = { PASS: colors.green('✓'), FAIL: colors.red('✗'), SKIP: colors.yellow('–') }[result.verdict];
  const [reason = ''] = safeText(result.error ?? '').split('\n');
  const why = result.verdict === 'SKIP' && reason ? colors.yellow(`  ${reason}`) : '';
  const cost = result.costUsd === null || isReplay ? '' : `  ${dollars(result.costUsd)}`;
  const score = isPartial(result.score) ? `score ${scoreWords(result.score)}  ` : '';
  return `${mark} ${safeText(label)}  ${colors.dim(`${score}${duration(result.durationMs)}  ${tokens(result.usage)}${cost}`)}${why}`;
}

export interface SummaryPlaces {
  /** From where the user is; null: it could not be written. */
  readonly report: string | null;
  /** What paths in the report are relative to, from where the user is; null: not known. */
  readonly root: string | null;
}

/** `next`: what to do now, one line each. */
export function renderEvalSummary(
  report: EvalReport,
  places: SummaryPlaces,
  { colors, asTyped }: Paint & Pick<Cli, 'asTyped'>,
  next: readonly string[] = [],
): string {
  const at = (path: string) => (places.root === null ? path : join(places.root, path));
  const open = report.cases.filter((it) => it.verdict !== 'PASS');
  const { passed, failed, skipped } = report.summary;
  const counts = [
    passed > 0 && colors.green(`${passed} passed`),
    failed > 0 && colors.red(`${failed} failed`),
    skipped > 0 && colors.yellow(`${skipped} undecided`),
  ].filter((it) => it !== false);
  const cost = costWords(report.usage, report.tape.mode === 'replay');
  const spent = [
    duration(report.duration_seconds * 1000),
    `${tokenCount(allTokens(report.usage))} tokens`,
    ...(cost === null ? [] : [cost]),
  ].join(', ');
  const who = [report.agent.runtime, report.agent.runtime_version, report.agent.model]
    .filter((it) => it !== null)
    .map(safeLine)
    .join(' ');
  const judge = report.judge.model === null ? '' : `; judge: ${safeLine(report.judge.model)}`;
  return [
    '',
    ...report.warnings.map((it) => `${colors.yellow('warning:')} ${safeBlock(it)}`),
    ...(report.warnings.length > 0 ? [''] : []),
    ...open.flatMap((it) => [...caseLines(it, colors, asTyped, at), '']),
    ...renderStatistics(report, colors),
    ...renderComparison(report, colors),
    ...(report.interrupted
      ? [
          colors.yellow(
            asTyped(
              `the run was interrupted; the rest:  aam eval --resume ${safeLine(report.id.replace(/^eval-run-/, ''))}`,
            ),
          ),
        ]
      : []),
    `${counts.join(', ') || plural(0, 'case')} ${colors.dim(`in ${spent}`)}`,
    ...(report.tape.note === null ? [] : [tapeLine(report.tape, colors, at)]),
    colors.dim(
      `${who}${judge}; sandbox: ${report.sandbox?.kind ?? 'not known'}; report: ${places.report === null ? 'not written' : safeLine(places.report)}`,
    ),
    ...next.map((it) => colors.dim(it)),
  ].join('\n');
}

function tapeLine(tape: EvalReport['tape'], colors: Paint['colors'], at: (path: string) => string): string {
  const { mode, source, recorded_at: oldest, folder, note, not_kept: notKept = 0 } = tape;
  const where = mode === 'record' && folder !== null ? ` (${isAbsolute(folder) ? folder : at(folder)})` : '';
  const since =
    mode === 'replay' && source === 'recorded' ? `; the oldest is of ${oldest?.slice(0, 10)}` : '';
  const text = safeLine(`${note}${where}${since}`);
  return source === 'recorded' && notKept === 0 ? colors.dim(text) : colors.yellow(text);
}

const SNIPPET_LINES = 6;

function caseLines(
  it: EvalCaseRecord,
  colors: Paint['colors'],
  asTyped: Cli['asTyped'],
  at: (path: string) => string,
): string[] {
  const badge =
    it.verdict === 'FAIL' ? colors.bgRed(colors.bold(' FAIL ')) : colors.bgYellow(colors.black(' OPEN '));
  const snippet = safeText(it.agent_output_snippet).trim().split('\n').slice(0, SNIPPET_LINES);
  const place = it.file === null ? '' : `  ${colors.cyan(safeLine(`${at(it.file)}:${it.line ?? 1}`))}`;
  // Of the words in an error only those about tapes are all ours.
  const told = (error: string) => (it.error_kind === 'tape-miss' ? asTyped(error) : error);
  return [
    `${badge} ${colors.bold(safeLine(it.name))}${place}${it.error_kind ? colors.dim(`  ${safeLine(it.error_kind)}`) : ''}`,
    // A failed check says itself what is wrong.
    ...(it.error &&
    (it.statistics.total > 1 ||
      (it.judge_verdict?.result !== 'FAIL' && it.check_details.every(({ verdict }) => verdict === 'PASS')))
      ? [`  ${told(safeBlock(it.error))}`]
      : []),
    ...(isPartial(it.score) ? [`  ${colors.dim(`score ${scoreWords(it.score)}`)}`] : []),
    ...partLines(it, colors),
    ...judgeLines(it, colors),
    ...it.warnings.map((warning) => `  ${colors.yellow(`warning: ${safeBlock(warning)}`)}`),
    ...(snippet.join('').trim()
      ? [`  ${colors.dim('the agent said')}`, ...snippet.map((line) => `    ${colors.dim('│')} ${line}`)]
      : []),
    ...(it.capture
      ? [`  ${colors.dim(`look closer: ${safeLine(isAbsolute(it.capture) ? it.capture : at(it.capture))}`)}`]
      : []),
  ];
}

const EVIDENCE_SHOWN = 2;

/** What failed or stayed open, with the judge's reason and what it quotes. */
function judgeLines({ judge_verdict: judged }: EvalCaseRecord, colors: Paint['colors']): string[] {
  if (!judged) return [];
  // The error of the case has said it already.
  if (judged.result === 'SKIP' && judged.votes.length === 1) return [];
  if (judged.result === 'PASS') return [`  ${colors.green('✓')} judge`];
  const open = judged.criteria.filter(({ result }) => result !== 'PASS');
  return open.flatMap(({ id, result, score, reason, evidence, votes }) => {
    const mark = result === 'FAIL' ? colors.red('✗') : colors.yellow('–');
    const name = `${judged.criteria.length > 1 ? `judge, ${safeLine(id)}` : 'judge'}${criterionWords(score)}`;
    const cast = judged.votes.length > 1 ? colors.dim(` (${votes.pass} PASS, ${votes.fail} FAIL)`) : '';
    const quotes = evidence
      .slice(0, EVIDENCE_SHOWN)
      .map((it) => `    ${colors.dim('“')}${safeLine(it)}${colors.dim('”')}`);
    return [`  ${mark} ${name}: ${safeBlock(reason)}${cast}`, ...quotes];
  });
}

export function tokens(usage: Usage): string {
  const all = usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return `${tokenCount(all)} tokens`;
}
