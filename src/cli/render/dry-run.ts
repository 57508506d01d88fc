/** What an eval run would do. */
import type { DryCase, DryRun } from '../../pipeline/eval-dry-run.ts';
import type { Cli } from '../cli.ts';
import { plural, safeText } from './safe-text.ts';

type Paint = Pick<Cli, 'colors'>;

export function renderDryRun(plan: DryRun, { colors }: Paint): string {
  const rows = [
    ['engine', `${plan.engine}${plan.program ? colors.dim(` (${plan.program})`) : ''}`],
    ['time per case', `${plan.timeout_seconds} s`],
    [
      'judge',
      `${plan.judge ?? 'the model of the agent'}${plan.judge_votes > 1 ? `, ${plan.judge_votes} votes` : ''}`,
    ],
    ...(plan.runs > 1 ? [['runs', `${plan.runs} of each case`]] : []),
    ...(plan.baseline ? [['baseline', 'each case also without the package']] : []),
    ['network', plan.network ? 'open' : 'only the model'],
    ['may write', plan.writable_paths?.join(', ') ?? 'the workspace'],
    ...(plan.env.length > 0 ? [['variables', plan.env.join(', ')]] : []),
    ['installed', plan.installed.join(', ') || 'nothing'],
  ];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  return [
    `${colors.bold(plan.package)}: ${plural(plan.cases.length, 'case')} would run`,
    ...rows.map(([name = '', value = '']) => `  ${colors.dim(name.padEnd(width))}  ${safeText(value)}`),
    ...plan.warnings.map((it) => `${colors.yellow('warning:')} ${safeText(it)}`),
    ...plan.cases.flatMap((it) => ['', ...caseLines(it, colors)]),
    '',
    colors.dim('Nothing was run, no model was called.'),
  ].join('\n');
}

function caseLines(it: DryCase, colors: Paint['colors']): string[] {
  const rows = [
    ...(it.target ? [['target', it.target]] : []),
    ['prompt', firstLine(it.prompt)],
    ...it.follow_ups.map((text) => ['then', firstLine(text)]),
    ...(it.files.length > 0 ? [['files', it.files.join(', ')]] : []),
    ...it.setup.map((text) => ['setup', firstLine(text)]),
    ['runs', firstLine(it.command.join(' '))],
    ['checks', it.checks.join(', ') || 'none'],
    ...it.criteria.map((text) => ['judged', firstLine(text)]),
  ];
  return [
    `${colors.bold(it.name)}  ${colors.cyan(`${it.file}:${it.line}`)}`,
    ...rows.map(([name = '', value = '']) => `  ${colors.dim(name.padEnd(7))} ${safeText(value)}`),
  ];
}

function firstLine(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 150 ? `${line.slice(0, 149)}…` : line;
}
