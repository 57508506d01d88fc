/** `aam doctor`. */
import { Command } from 'commander';
import type { DoctorCheck, DoctorReport } from '../../model/doctor-report.ts';
import { type Cli, EXIT } from '../cli.ts';
import { safeText } from '../render/safe-text.ts';

export function doctorCommand(cli: Cli): Command {
  return new Command('doctor')
    .description('Tell what this machine has and what it lacks, with the command that fixes it.')
    .option('--json', 'print the findings for machines')
    .addHelpText(
      'after',
      `
Keys are told by name, never by value. The logins of claude and codex are asked for on a read-only
system without network; where that cannot be had, the two may write to their own config folders.

Examples:
  aam doctor
  aam doctor --json

Exit codes: 0 aam test and aam eval can run · 1 something is missing · 2 could not run · 130 interrupted`,
    )
    .action(async (options: { readonly json?: boolean }) => {
      const { runDoctor } = await import('../../pipeline/doctor.ts');
      const report = await runDoctor({ host: cli.host, version: cli.version, signal: cli.signal });
      if (cli.signal.aborted) {
        cli.exitWith(EXIT.interrupted);
        return;
      }
      cli.out(options.json ? JSON.stringify(report, null, 2) : render(report, cli));
      cli.exitWith(report.ok ? EXIT.ok : EXIT.failed);
    });
}

type Paint = Pick<Cli, 'colors'>;

function render(report: DoctorReport, paint: Paint): string {
  const width = Math.max(...report.checks.map((it) => it.id.length));
  const lines = report.checks.flatMap((check) => checkLines(check, width, paint));
  return [...lines, '', ...verdictLines(report, paint)].join('\n');
}

const STATE_WIDTH = 'optional'.length;

function checkLines({ id, state, summary, fix }: DoctorCheck, width: number, { colors }: Paint): string[] {
  const color = { ok: colors.green, missing: colors.red, problem: colors.red, optional: colors.dim }[state];
  const indent = ' '.repeat(STATE_WIDTH + width + 4);
  const [first = '', ...more] = safeText(summary).split('\n');
  return [
    `${color(state.padEnd(STATE_WIDTH))}  ${id.padEnd(width)}  ${state === 'optional' ? colors.dim(first) : first}`,
    ...more.map((line) => `${indent}${line}`),
    ...(fix ? safeText(fix).split('\n') : []).map((line) => `${indent}${colors.cyan(line)}`),
  ];
}

function verdictLines({ checks, ready }: DoctorReport, { colors }: Paint): string[] {
  const wrong = (ids: RegExp) =>
    checks
      .filter((it) => ids.test(it.id) && (it.state === 'missing' || it.state === 'problem'))
      .map((it) => `${it.id}: ${safeText(it.summary).split('\n')[0]}`)
      .join('; ');
  const line = (command: string, isReady: boolean, text: string) =>
    `${colors.bold(`${command}:`)} ${isReady ? colors.green(`ready${text}`) : colors.red(`not ready: ${text}`)}`;
  const whyNot = ready.test ? wrong(/^(claude-code|codex)|_BASE_URL$/) : 'it needs what aam test needs';
  return [
    line('aam test', ready.test, ready.test ? '' : wrong(/^(node|sandbox)$/)),
    ready.eval.length > 0
      ? line('aam eval', true, ` with ${ready.eval.join(', ')}`)
      : line('aam eval', false, whyNot),
  ];
}
