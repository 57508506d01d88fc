/** `aam init`. */
import { relative } from 'node:path';
import { Command, Option } from 'commander';
import { UserError } from '../../model/errors.ts';
import type { InitAnswers, InitResult } from '../../pipeline/init.ts';
import { workingFolder } from '../arguments.ts';
import { word } from '../as-typed.ts';
import { type Cli, EXIT } from '../cli.ts';
import { plural, safeText } from '../render/safe-text.ts';

interface Options {
  readonly name?: string;
  readonly description?: string;
  readonly skill?: string;
  readonly engine?: InitAnswers['engine'];
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly cwd?: string;
}

type Init = typeof import('../../pipeline/init.ts');
type Checked = 'name' | 'skill' | 'description';

export function initCommand(cli: Cli): Command {
  return new Command('init')
    .description('Make a package that validates and passes its tests: a skill, a hook, an eval case.')
    .argument('[dir]', 'where to make it', '.')
    .option('--name <name>', 'name of the package')
    .option('--description <text>', 'what the package is for')
    .option('--skill <name>', 'name of its skill')
    .addOption(
      new Option('--engine <engine>', 'agent that runs the eval case').choices(['claude-code', 'codex']),
    )
    .option('-y, --yes', 'ask nothing: the package gets the folder’s name')
    .option('--json', 'ask nothing, and print {root, name, files, kept} for machines')
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Examples:
  aam init                                  ask, then make a package in this folder
  aam init my-package --yes                 a package called my-package, in a new folder
  aam init --name @my-org/reviews --skill review-notes --engine codex

Files that are there already are never overwritten: a README.md or .gitignore is kept, others stop it.

Exit codes: 0 made · 2 could not run, nothing was written · 130 interrupted, nothing was written`,
    )
    .action((dir: string, options: Options) => run(cli, dir, options));
}

async function run(cli: Cli, dir: string, options: Options): Promise<void> {
  const init = await import('../../pipeline/init.ts');
  for (const field of ['name', 'skill', 'description'] as const) refuseBad(init, field, options[field]);
  const { root, folderName } = await init.prepareInit(workingFolder(cli, options), dir);

  const flags = given(options);
  const asks = cli.isInteractive && !options.yes && !options.json && Object.keys(flags).length < 4;
  const answers = asks
    ? await ask(cli, init, flags, folderName)
    : { ...init.INIT_DEFAULTS, ...flags, name: nameWithoutAsking(options, folderName) };
  if (answers === null) {
    cli.exitWith(EXIT.interrupted);
    return;
  }
  const result = await init.initPackage(root, answers, cli.signal);
  cli.out(options.json ? JSON.stringify(result, null, 2) : render(result, answers, cli));
}

/** The answers that came as flags. */
function given({ name, description, skill, engine }: Options): Partial<InitAnswers> {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(skill !== undefined && { skill }),
    ...(engine !== undefined && { engine }),
  };
}

function refuseBad(init: Init, field: Checked, value: string | undefined): void {
  const problem = value === undefined ? null : init.problemWith(field, value);
  if (!problem) return;
  const { rule, suggestion } = problem;
  const shown = field === 'description' ? '' : ` ${JSON.stringify(value)}`;
  throw new UserError(
    `--${field}${shown} ${rule}`,
    ...(suggestion ? [`for example:  --${field} ${suggestion}`] : []),
  );
}

function nameWithoutAsking({ name, yes }: Options, folderName: string): string {
  if (name !== undefined) return name;
  if (!yes) {
    throw new UserError(
      'the package needs a name, and there is nobody to ask',
      'take the folder’s name:  aam init --yes',
      'or give one:  aam init --name my-package',
    );
  }
  if (folderName !== '') return folderName;
  throw new UserError(
    'the folder’s name has nothing that a package’s name could be made of',
    'give one:  aam init --name my-package',
  );
}

/** Asks what the flags left open; null when the answer was Ctrl-C. */
async function ask(
  cli: Cli,
  init: Init,
  flags: Partial<InitAnswers>,
  folderName: string,
): Promise<InitAnswers | null> {
  const { cancel, intro, outro, select, text } = await import('@clack/prompts');
  // Ctrl-D closes the input without an answer, and then nothing keeps the program alive.
  const closed = new AbortController();
  process.once('beforeExit', () => closed.abort());
  const signal = AbortSignal.any([cli.signal, closed.signal]);

  const words = async (field: Checked, message: string, standard: string) => {
    const validate = (value = '') => complaint(init, field, value.trim() || standard);
    const hint = standard && { placeholder: standard, defaultValue: standard };
    return answered(await text({ message, signal, validate, ...hint })).trim() || standard;
  };
  const agent = async (initialValue: InitAnswers['engine']) =>
    answered(
      await select({
        message: 'Which agent runs the evals?',
        signal,
        initialValue,
        options: [
          { value: 'claude-code', label: 'Claude Code' },
          { value: 'codex', label: 'Codex' },
        ],
      }),
    );

  const { description, skill, engine } = init.INIT_DEFAULTS;
  try {
    intro(cli.colors.bold('A new package'));
    const answers = {
      name: flags.name ?? (await words('name', 'What is the package called?', folderName)),
      description: flags.description ?? (await words('description', 'What is it for?', description)),
      skill: flags.skill ?? (await words('skill', 'What is its first skill called?', skill)),
      engine: flags.engine ?? (await agent(engine)),
    };
    outro('That is all.');
    return answers;
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    cancel('Nothing was written.');
    return null;
  }
}

class Cancelled extends Error {}

function answered<T>(answer: T): Exclude<T, symbol> {
  if (typeof answer === 'symbol') throw new Cancelled();
  return answer as Exclude<T, symbol>;
}

function complaint(init: Init, field: Checked, value: string): string | undefined {
  const problem = init.problemWith(field, value);
  if (!problem) return undefined;
  return `${problem.suggestion ? `Try ${problem.suggestion}: it` : 'It'} ${problem.rule}.`;
}

function render({ root, name, files, kept }: InitResult, { skill }: InitAnswers, cli: Cli): string {
  const { colors } = cli;
  const tests = (dir: string) => files.filter((path) => path.startsWith(`${dir}/tests/cases/`)).length;
  const made = [
    ['package.agent.json', 'its name, its version, what it may do'],
    [`skills/${skill}/`, `a skill with a script and ${plural(tests(`skills/${skill}`), 'test')}`],
    ['hooks/', `a hook that protects files, with ${plural(tests('hooks'), 'test')}`],
    ['evals/', 'a case for a real agent'],
    kept.includes('README.md') ? ['README.md', 'kept as it was'] : ['README.md', 'what is where'],
  ];
  const folder = safeText(relative(cli.host.cwd, root));
  // A path to aam itself would be another one after the change of folder.
  const isAnywhere = !cli.program.includes('/');
  const goTo = folder && isAnywhere ? [[`cd ${word(folder)}`, '']] : [];
  const where = folder && !isAnywhere ? ` -C ${word(folder)}` : '';
  const next = [
    ...goTo,
    [`${cli.program} validate${where}`, 'find mistakes'],
    [`${cli.program} test${where}`, 'run the tests, without a model'],
    [`${cli.program} eval${where}`, 'let a real agent work on the case'],
  ];
  const title = `${colors.green('✓')} ${colors.bold(name)} is made: ${plural(files.length, 'file')} in ${folder || 'this folder'}`;
  return [title, '', ...columns(made, colors.dim), '', 'Next:', ...columns(next, colors.dim)].join('\n');
}

function columns(rows: readonly string[][], dim: (text: string) => string): string[] {
  const width = Math.max(...rows.map(([left = '']) => left.length)) + 2;
  return rows.map(([left = '', right = '']) => `  ${right ? left.padEnd(width) + dim(right) : left}`);
}
