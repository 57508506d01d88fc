/** `aam eval diff`. */
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { workingFolder } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { renderDiff } from '../render/diff.ts';

interface Options {
  readonly significant?: boolean;
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly html?: string;
  readonly cwd?: string;
}

export function evalDiffCommand(cli: Cli): Command {
  return new Command('diff')
    .description('Compare two reports: better, worse, or can’t tell yet, and how many runs would tell.')
    .argument('<report-a>', 'the earlier one: a path, a run id, latest or latest~1')
    .argument('<report-b>', 'the later one')
    .option('--significant', 'a regression is only what is more than chance')
    .option('--json', 'print the comparison for machines')
    .addOption(new Option('--markdown', 'print it as Markdown').conflicts('json'))
    .option('--html <file>', 'also write a page with both runs side by side')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Examples:
  aam eval diff latest~1 latest                     the last two runs of this package
  aam eval diff main.json latest --significant      for CI: fail only on evidence
  aam eval diff a.json b.json --markdown > diff.md
  aam eval diff latest~1 latest --html diff.html    both runs side by side, for a browser

A case called "diff" is run with:  aam eval --case diff

Exit codes: 0 no regression · 1 a case that passed now fails · 2 not comparable`,
    )
    .action((a: string, b: string, options: Options) => run(cli, a, b, options));
}

async function run(cli: Cli, a: string, b: string, options: Options): Promise<void> {
  const [{ diffEvals }, { checkOutputs, formatDiff, writeDiffHtml }] = await Promise.all([
    import('../../pipeline/eval-diff.ts'),
    import('../../pipeline/eval-outputs.ts'),
  ]);
  const cwd = workingFolder(cli, options);
  const html = options.html === undefined ? null : resolve(cwd, options.html);
  const compared = await diffEvals({ host: { cwd }, a, b, significant: options.significant ?? false });
  if (html !== null) await checkOutputs({ html }, [compared.a.path, compared.b.path]);
  const { diff } = compared;
  if (html !== null) await writeDiffHtml(html, compared, cwd);
  if (options.json) cli.out(JSON.stringify(diff, null, 2));
  else if (options.markdown) cli.out((await formatDiff(diff, 'markdown')).trimEnd());
  else cli.out(renderDiff(diff, cli));
  cli.exitWith(diff.exit_code);
}
