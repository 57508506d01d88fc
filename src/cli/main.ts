/** Reads the command line, runs one command, turns errors into messages and exit codes. */
import { Command, CommanderError } from 'commander';
import { type Cli, createCli, EXIT } from './cli.ts';
import { cleanCommand } from './commands/clean.ts';
import { convertCommand } from './commands/convert.ts';
import { doctorCommand } from './commands/doctor.ts';
import { evalCommand } from './commands/eval.ts';
import { evidenceCommand } from './commands/evidence.ts';
import { initCommand } from './commands/init.ts';
import { promptCommand } from './commands/prompt.ts';
import { queueCommand } from './commands/queue.ts';
import { reportCommand } from './commands/report.ts';
import { runsCommand } from './commands/runs.ts';
import { schemaCommand } from './commands/schema.ts';
import { tapeCommand } from './commands/tape.ts';
import { testCommand } from './commands/test.ts';
import { validateCommand } from './commands/validate.ts';
import { workerCommand } from './commands/worker.ts';
import { renderError } from './render/error.ts';

const COMMANDS = {
  init: initCommand,
  validate: validateCommand,
  test: testCommand,
  eval: evalCommand,
  tape: tapeCommand,
  report: reportCommand,
  convert: convertCommand,
  prompt: promptCommand,
  evidence: evidenceCommand,
  runs: runsCommand,
  worker: workerCommand,
  queue: queueCommand,
  clean: cleanCommand,
  doctor: doctorCommand,
  schema: schemaCommand,
} as const satisfies Record<string, (cli: Cli) => Command>;

export async function main(argv: readonly string[], version: string): Promise<void> {
  const cli = createCli(version, argv);
  const program = new Command('aam')
    .description('Tells whether an agent package works: its skills, hooks and sub-agents.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    // A command below a command has options of its own.
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES);
  for (const create of Object.values(COMMANDS)) program.addCommand(create(cli));
  for (const command of withInner(program)) {
    command.exitOverride().helpOption('-h, --help', 'print this help');
    command.configureOutput({ outputError: (text, write) => write(text) });
  }
  if (argv.length === 0) {
    cli.out(program.helpInformation() + EXAMPLES);
    return;
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    cli.exitWith(report(error, cli));
  }
}

function withInner(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withInner)];
}

const EXAMPLES = `
Examples:
  aam init my-package        make a package that validates and passes its tests
  aam validate               find every mistake in the package of this folder
  aam test                   run the tests of its skills and hooks, without a model
  aam eval                   run its eval cases in a real agent
  aam eval --tape replay     the same without a model, from recorded answers
  aam eval --resume          go on with a run that was killed or interrupted
  aam doctor                 see what this machine has and what it lacks

Exit codes: 0 all well · 1 something failed · 2 could not run · 3 undecided · 130 interrupted
`;

/** Errors the user can mend are told in their own words; anything else is a bug, shown whole. */
function report(error: unknown, cli: Cli): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.cannotRun;
  const told = renderError(error, cli);
  if (told !== null) cli.err(told);
  if (cli.signal.aborted) return EXIT.interrupted;
  if (told === null) cli.err(whole(error));
  return EXIT.cannotRun;
}

/** What the system refused is told in a line; anything else is a bug. Code 1 stays for verdicts. */
function whole(error: unknown): string {
  if (error instanceof Error && 'syscall' in error) return `error: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
