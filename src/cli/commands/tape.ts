/** `aam tape`. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CheckedTape, TapeCheckReport, TapeScrubReport } from '../../model/tape-report.ts';
import { workingFolder } from '../arguments.ts';
import { word } from '../as-typed.ts';
import { type Cli, EXIT } from '../cli.ts';
import { plural, safeLine } from '../render/safe-text.ts';

interface Options {
  readonly tapes?: string;
  readonly json?: boolean;
  readonly cwd?: string;
}

export function tapeCommand(cli: Cli): Command {
  return new Command('tape')
    .description('Look after recorded model traffic: does it still match, does it hold secrets?')
    .addCommand(checkCommand(cli))
    .addCommand(scrubCommand(cli))
    .addHelpText(
      'after',
      `
Examples:
  aam eval --tape record     make tapes, with a model
  aam eval --tape replay     run the cases without one
  aam tape check             see which tapes still match the package
  aam tape scrub             before you commit them`,
    );
}

function checkCommand(cli: Cli): Command {
  return withOptions(new Command('check'))
    .description('List tapes: how old, how made, and whether they still match the package.')
    .addHelpText(
      'after',
      `
Nothing is run: a tape is stale when its case, an installed file of the package, the judge or the version
of the agent is another than when it was recorded. Whether it still answers, only a replay can tell.

Examples:
  aam tape check
  aam tape check skills/pdf-tools/evals/evals.json
  aam tape check -C examples/pdf-tools --json

Exit codes: 0 all current · 1 some are stale, damaged or missing · 2 could not run`,
    )
    .action(async (path: string | undefined, options: Options) => {
      const { checkTapes } = await import('../../pipeline/tape-check.ts');
      const report = await checkTapes(requestOf(cli, path, options));
      cli.out(options.json ? JSON.stringify(report, null, 2) : renderCheck(report, path, options, cli));
      cli.exitWith(report.ok ? EXIT.ok : EXIT.failed);
    });
}

function scrubCommand(cli: Cli): Command {
  return withOptions(new Command('scrub'))
    .description('Prove that no tape holds anything that looks like a secret.')
    .addHelpText(
      'after',
      `
Looks for keys and tokens of the usual providers, private keys, passwords in URLs, random values after names
such as api_key, and the keys that this machine has for models. Secrets themselves are never printed.

Examples:
  aam tape scrub
  aam tape scrub --tapes recordings --json

Exit codes: 0 nothing found · 1 something found · 2 could not run`,
    )
    .action(async (path: string | undefined, options: Options) => {
      const { scrubTapes } = await import('../../pipeline/tape-scrub.ts');
      const report = await scrubTapes(requestOf(cli, path, options));
      cli.out(options.json ? JSON.stringify(report, null, 2) : renderScrub(report, cli));
      cli.exitWith(report.ok ? EXIT.ok : EXIT.failed);
    });
}

function withOptions(command: Command): Command {
  return command
    .argument('[path]', 'an eval file or a folder, as for aam eval')
    .option('--tapes <dir>', 'where tapes are (default: evals/tapes of the package)')
    .option('--json', 'print the findings for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder');
}

function requestOf(cli: Cli, path: string | undefined, options: Options) {
  const cwd = workingFolder(cli, options);
  const folder = options.tapes === undefined ? null : resolve(cwd, options.tapes);
  return { host: { ...cli.host, cwd }, path: path ?? null, folder };
}

type Paint = Pick<Cli, 'colors'>;

function renderCheck(
  { folder, tapes }: TapeCheckReport,
  path: string | undefined,
  options: Options,
  { colors, asTyped }: Cli,
): string {
  const count = (state: CheckedTape['state']) => tapes.filter((it) => it.state === state).length;
  const counts = [
    colors.green(`${count('current')} current`),
    count('stale') > 0 && colors.yellow(`${count('stale')} stale`),
    count('damaged') > 0 && colors.red(`${count('damaged')} damaged`),
    count('missing') > 0 && colors.yellow(`${count('missing')} missing`),
  ].filter((it) => it !== false);
  const old = tapes.filter(({ state }) => state !== 'current');
  const engines = [...new Set(old.map(({ engine }) => engine))];
  const again = engines.map((engine) => {
    const words = [
      path && word(path),
      engine && `--engine ${engine}`,
      '--tape record',
      options.tapes && `--tapes ${word(options.tapes)}`,
    ];
    return colors.dim(asTyped(`record again:  aam eval ${words.filter(Boolean).join(' ')}`));
  });
  return [
    ...tapes.flatMap((tape) => tapeLines(tape, colors)),
    '',
    `${counts.join(', ')} ${colors.dim(`in ${safeLine(folder)}`)}`,
    ...again,
  ].join('\n');
}

function tapeLines(tape: CheckedTape, colors: Paint['colors']): string[] {
  const { state, file, source, engine, engine_version: version, models, age_days: age, reasons } = tape;
  const mark = {
    current: colors.green('✓'),
    stale: colors.yellow('–'),
    damaged: colors.red('✗'),
    missing: colors.yellow('–'),
  }[state];
  const about = [source, [engine, version].filter(Boolean).join(' '), models.join(', '), ageOf(age)];
  const facts = source === null ? '' : `  ${colors.dim(safeLine(about.filter(Boolean).join(', ')))}`;
  return [
    `${mark} ${safeLine(file.slice(file.lastIndexOf('/') + 1))}${facts}`,
    ...reasons.map((reason) => `    ${colors.yellow(`${state}: ${safeLine(reason)}`)}`),
  ];
}

function ageOf(days: number | null): string {
  if (days === null) return '';
  return days === 0 ? 'today' : `${plural(days, 'day')} old`;
}

function renderScrub({ folder, files, findings }: TapeScrubReport, { colors }: Paint): string {
  const looked = `${plural(files, 'tape')} in ${safeLine(folder)}`;
  if (findings.length === 0) return `${colors.green('✓')} nothing that looks like a secret in ${looked}`;
  return [
    ...findings.map(
      ({ file, line, kind }) => `${colors.cyan(`${safeLine(file)}:${line}`)}: ${colors.red(kind)}`,
    ),
    '',
    `${colors.red(plural(findings.length, 'finding'))} ${colors.dim(`in ${looked}`)}`,
    colors.dim('change those keys, and remove the tapes; they may be in the history of your repository'),
  ].join('\n');
}
