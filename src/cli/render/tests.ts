/** A test run on the terminal: a line per case, then what failed and why. */
import type { CheckRecord, TestCaseRecord, TestReport, TestRunRecord } from '../../model/test-report.ts';
import type { Cli } from '../cli.ts';
import { renderDiagnostic } from './diagnostics.ts';
import { duration, lastLines, plural, safeLine, safeText } from './safe-text.ts';

type Paint = Pick<Cli, 'colors'>;

export function renderCaseLine(it: TestCaseRecord, { colors }: Paint): string {
  const mark = { PASS: colors.green('✓'), FAIL: colors.red('✗'), SKIP: colors.yellow('–') }[it.verdict];
  const stem = it.stem === it.name ? '' : colors.dim(`  ${it.stem}`);
  const why = it.verdict === 'SKIP' ? colors.yellow(`  ${safeLine(it.error ?? '')}`) : '';
  return `${mark} ${colors.dim(safeLine(it.target))}  ${it.name}${stem}  ${colors.dim(duration(it.duration_ms))}${why}`;
}

/** Everything after the case lines: problems, failures, totals. */
export function renderTestSummary(report: TestReport, paint: Paint): string {
  const { colors } = paint;
  const several = report.packages.length > 1;
  const blocks = report.packages.flatMap((pkg) => [
    ...pkg.warnings.map((it) => renderDiagnostic(it, paint)),
    ...pkg.cases
      .filter((it) => it.verdict === 'FAIL')
      .map((it) => renderFailure(it, several ? pkg.name : null, paint)),
    ...pkg.errors.map((it) => renderDiagnostic(it, paint)),
    ...pkg.cases
      .filter((it) => it.verdict !== 'FAIL')
      .flatMap((it) => it.notes.map((note) => noteLine(it, note, paint))),
  ]);
  const { passed, failed, skipped, invalid } = report.summary;
  const counts = [
    passed > 0 && colors.green(`${passed} passed`),
    failed > 0 && colors.red(`${failed} failed`),
    invalid > 0 && colors.red(`${invalid} invalid`),
    skipped > 0 && colors.yellow(`${skipped} undecided`),
  ].filter((it) => it !== false);
  const noun = report.sandbox === null ? 'fixture' : 'package';
  const where = several ? ` in ${plural(report.packages.length, noun)}` : '';
  const open = report.sandbox === 'none' ? colors.yellow('  (sandbox: none)') : '';
  const deferred = report.packages.flatMap((pkg) => pkg.deferred ?? []);
  const later =
    deferred.length > 0 ? [colors.dim(`deferred, not run: ${deferred.map(safeLine).join(', ')}`)] : [];
  const total = `${counts.join(', ')}${where} ${colors.dim(`in ${duration(report.duration_ms)}`)}${open}`;
  return ['', ...blocks.flatMap((block) => [block, '']), ...later, total].join('\n');
}

function renderFailure(it: TestCaseRecord, pkg: string | null, { colors }: Paint): string {
  const title = `${colors.bgRed(colors.bold(' FAIL '))} ${colors.bold(safeLine(`${pkg ? `${pkg} ` : ''}${it.target} ${it.name}`))}`;
  const failed = it.checks.filter((check) => check.verdict === 'FAIL');
  const place = failed[0] ?? it;
  return [
    `${title}  ${colors.cyan(safeLine(`${place.file}:${place.line}:${place.column}`))}`,
    ...(it.error ? [`  ${colors.red(safeText(it.error))}`] : []),
    ...failed.flatMap((check) => checkLines(check, colors)),
    ...it.runs.flatMap((run) => runLines(run, colors)),
    ...it.notes.map((note) => `  ${colors.yellow(`note: ${safeText(note)}`)}`),
  ].join('\n');
}

function checkLines(check: CheckRecord, colors: Paint['colors']): string[] {
  const lines = [`  ${colors.red('✗')} ${check.check}: ${safeText(check.message)}`];
  if (check.diff === undefined) return lines;
  const painted = safeText(check.diff)
    .split('\n')
    .map(
      (line) =>
        `      ${line.startsWith('-') ? colors.green(line) : line.startsWith('+') ? colors.red(line) : line}`,
    );
  return [...lines, `      ${colors.green('- expected')}  ${colors.red('+ actual')}`, ...painted];
}

const TAIL_LINES = 12;

function runLines(run: TestRunRecord, colors: Paint['colors']): string[] {
  const ended = run.ended === 'exited' ? `exit code ${run.exit_code}` : run.ended;
  const [first = '', ...more] = safeText(run.command).trimEnd().split('\n');
  return [
    `  ${colors.dim('$')} ${first}  ${colors.dim(`(in ${safeLine(run.cwd)}; ${ended}; ${duration(run.duration_ms)})`)}`,
    ...more.map((line) => `    ${line}`),
    ...tail('stdout', run.stdout, colors),
    ...tail('stderr', run.stderr, colors),
  ];
}

function tail(name: string, text: string, colors: Paint['colors']): string[] {
  if (text.trim() === '') return [];
  const { lines, before } = lastLines(safeText(text), TAIL_LINES);
  const title = before > 0 ? `${name}, last ${TAIL_LINES} of ${before + TAIL_LINES} lines` : name;
  return [`  ${colors.dim(title)}`, ...lines.map((line) => `    ${colors.dim('│')} ${line}`)];
}

function noteLine(it: TestCaseRecord, note: string, { colors }: Paint): string {
  return `${colors.yellow('note:')} ${safeLine(it.target)} ${it.name}: ${safeText(note)}`;
}
