/** `aam test`. */
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { UserError } from '../../model/errors.ts';
import type { TestReport } from '../../model/test-report.ts';
import type { TestEvent } from '../../pipeline/test-events.ts';
import { collect, tagsIn, whole, workingFolder } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';
import { renderError } from '../render/error.ts';
import { LiveView } from '../render/live-view.ts';
import { renderCaseLine, renderTestSummary } from '../render/tests.ts';

interface Options {
  readonly skill?: string[];
  readonly hooks?: boolean;
  readonly event?: string[];
  readonly case?: string[];
  readonly filter?: string[];
  readonly filterTags?: string[];
  readonly workspace?: boolean;
  readonly jobs: number;
  readonly bail?: boolean;
  readonly watch?: boolean;
  readonly junit?: string;
  readonly json?: boolean;
  readonly sandbox: 'bubblewrap' | 'none';
  readonly cwd?: string;
}

export function testCommand(cli: Cli): Command {
  return new Command('test')
    .description(
      'Run deterministic tests, of skills and hooks or of fixtures: no model, no network, no cost.',
    )
    .argument('[path...]', 'the package, or agentcarousel fixtures', ['.'])
    .option('--skill <name>', 'only the tests of this skill (may be repeated)', collect)
    .option('--hooks', 'only the tests of hooks')
    .option('--event <event>', 'only the tests of hooks for this event (may be repeated)', collect)
    .option('--case <name>', 'only this case, by its name or its file’s name (may be repeated)', collect)
    .option('--filter <glob>', 'of fixtures: only cases whose id fits (may be repeated)', collect)
    .option(
      '--filter-tags <tags>',
      'of fixtures: only cases with one of these tags, with commas between',
      collect,
    )
    .option('--workspace', 'test every package below the folder')
    .option('-j, --jobs <count>', 'how many cases run at once', whole, availableParallelism())
    .option('--bail', 'stop at the first failure')
    .option('--watch', 'run again when a file changes')
    .option('--junit <file>', 'also write a JUnit XML report')
    .option('--json', 'print the report for machines')
    .addOption(
      new Option('--sandbox <kind>', 'how cases are isolated')
        .choices(['bubblewrap', 'none'])
        .default('bubblewrap'),
    )
    .option('-C, --cwd <dir>', 'run as if started in this folder')
    .addHelpText(
      'after',
      `
Examples:
  aam test                                   all tests of this package
  aam test --skill pdf-tools --case 01-basic one case
  aam test --hooks --event pre-tool-use      the hooks of one event
  aam test --watch                           again on every change
  aam test --workspace --junit report.xml    every package below, for CI
  aam test fixtures/*/cases.yaml             the assertions of fixtures, answered by their mocks
  aam test fixture.yaml --filter-tags smoke  some of their cases

Exit codes: 0 all passed · 1 something failed · 2 could not run · 3 undecided · 130 interrupted`,
    )
    .action(async (paths: string[], options: Options) => {
      if (options.watch) await watchTests(cli, paths, options);
      else cli.exitWith((await runOnce(cli, paths, options)).exit_code);
    });
}

async function runOnce(cli: Cli, paths: readonly string[], options: Options): Promise<TestReport> {
  const live = cli.isLive && !options.json ? new LiveView() : null;
  const cwd = workingFolder(cli, options);
  const junitFile = options.junit === undefined ? null : resolve(cwd, options.junit);
  const junit = junitFile === null ? null : await import('../../pipeline/junit.ts');
  const ofFixtures = await areFixtures(paths, options, cwd);
  const fixtures = ofFixtures ? paths.map((path) => resolve(cwd, path)) : [];
  if (junitFile !== null) await junit?.checkJunit(junitFile, fixtures);
  try {
    const onEvent = (event: TestEvent) => {
      if (event.type === 'run-start') live?.start(event.total);
      else if (event.type === 'case-start') live?.begin(event.id);
      else if (live) live.end(event.record.id, renderCaseLine(event.record, cli));
      else if (!options.json) cli.out(renderCaseLine(event.record, cli));
    };
    const report = ofFixtures
      ? await runFixtures(cli, paths, options, cwd, onEvent)
      : await runPackage(cli, onePath(paths), options, cwd, onEvent);
    live?.stop();
    cli.out(options.json ? JSON.stringify(report, null, 2) : renderTestSummary(report, cli));
    if (junitFile !== null) await junit?.writeJunit(junitFile, report);
    return report;
  } finally {
    live?.stop();
  }
}

/** Either all paths are fixtures, or none is. */
async function areFixtures(paths: readonly string[], options: Options, cwd: string): Promise<boolean> {
  const { isFixture } = await import('../../pipeline/test-fixtures.ts');
  const fixtures = paths.filter((path) => isFixture(path, cwd));
  const other = paths.find((path) => !fixtures.includes(path));
  if (fixtures.length > 0 && other !== undefined)
    throw new UserError(
      `${other} is no fixture, and ${fixtures[0]} is`,
      'run aam test once for the fixtures and once for each package',
    );
  const unused = [...(options.filter ? ['--filter'] : []), ...(options.filterTags ? ['--filter-tags'] : [])];
  if (fixtures.length === 0 && unused.length > 0)
    throw new UserError(`${unused.join(' and ')} chooses cases of fixtures, and ${paths.join(' ')} is none`);
  return fixtures.length > 0;
}

function onePath(paths: readonly string[]): string {
  const [path = '.', another] = paths;
  if (another === undefined) return path;
  throw new UserError(
    `one package at a time, not ${paths.join(' and ')}`,
    'every package below a folder:  aam test --workspace',
  );
}

async function runPackage(
  cli: Cli,
  path: string,
  options: Options,
  cwd: string,
  onEvent: (event: TestEvent) => void,
): Promise<TestReport> {
  const { runTests } = await import('../../pipeline/test.ts');
  return await runTests({
    host: { ...cli.host, cwd },
    path,
    workspace: options.workspace ?? false,
    selection: {
      skills: options.skill ?? [],
      hooks: options.hooks ?? false,
      cases: options.case ?? [],
      events: options.event ?? [],
    },
    sandbox: options.sandbox,
    jobs: options.jobs,
    bail: options.bail ?? false,
    signal: cli.signal,
    onEvent,
  });
}

async function runFixtures(
  cli: Cli,
  paths: readonly string[],
  options: Options,
  cwd: string,
  onEvent: (event: TestEvent) => void,
): Promise<TestReport> {
  const { testFixtures } = await import('../../pipeline/test-fixtures.ts');
  const unused = [
    ...(options.skill ? ['--skill'] : []),
    ...(options.hooks ? ['--hooks'] : []),
    ...(options.event ? ['--event'] : []),
    ...(options.workspace ? ['--workspace'] : []),
  ];
  if (unused.length > 0)
    throw new UserError(
      `${unused.join(' and ')} chooses tests of a package, not cases of fixtures`,
      'choose them by --case, --filter or --filter-tags',
    );
  return await testFixtures({
    cwd,
    paths,
    selection: {
      cases: options.case ?? [],
      targets: [],
      filters: options.filter ?? [],
      tags: tagsIn(options.filterTags),
    },
    bail: options.bail ?? false,
    signal: cli.signal,
    onEvent,
  });
}

/** Runs until Ctrl-C. A mistake in a file is told and waited out, not the end. */
async function watchTests(cli: Cli, paths: readonly string[], options: Options): Promise<void> {
  const [{ watchFolders }, { testRoots }] = await Promise.all([
    import('../../pipeline/watch.ts'),
    import('../../pipeline/test.ts'),
  ]);
  const host = { ...cli.host, cwd: workingFolder(cli, options) };
  const roots = (await areFixtures(paths, options, host.cwd))
    ? [...new Set(paths.map((path) => dirname(resolve(host.cwd, path))))]
    : await testRoots({ host, path: onePath(paths), workspace: options.workspace ?? false });
  const junitFile = options.junit === undefined ? null : resolve(host.cwd, options.junit);
  for await (const all of watchFolders(roots, cli.signal)) {
    // Our own report, and what it is written to first, are no reason to run again.
    const changed = all.filter((file) => junitFile === null || !file.startsWith(junitFile));
    if (changed.length === 0 && all.length > 0) continue;
    if (changed.length > 0) {
      const what = changed.length === 1 ? changed[0] : `${changed.length} files`;
      cli.err(cli.colors.dim(`\n${what} changed\n`));
    }
    await runTold(cli, paths, options);
    if (!cli.signal.aborted) cli.err(cli.colors.dim(`\nwatching ${roots.join(', ')}; Ctrl-C ends`));
  }
  cli.exitWith(EXIT.interrupted);
}

async function runTold(cli: Cli, paths: readonly string[], options: Options): Promise<void> {
  try {
    await runOnce(cli, paths, options);
  } catch (error) {
    const told = renderError(error, cli);
    if (told === null) throw error;
    cli.err(told);
  }
}
