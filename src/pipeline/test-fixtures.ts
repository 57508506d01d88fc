/** `aam test` of fixtures: the answers come from mocks, the assertions decide. Nothing is executed. */
import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { LoadedSuite } from '../load/format.ts';
import { FORMATS, formatOf } from '../load/formats.ts';
import type { Case } from '../model/case.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { UserError } from '../model/errors.ts';
import type { TestCaseRecord, TestPackageRecord, TestReport } from '../model/test-report.ts';
import { type EvalSelection, isChosen, type Selectable, selectCases } from '../plan/evals.ts';
import type { TestEvent } from './test-events.ts';
import { decideByMock, leftOut } from './test-fixture-case.ts';
import { reportOfTests } from './test-summary.ts';

export interface FixtureTestOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly selection: EvalSelection;
  readonly bail: boolean;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: TestEvent) => void;
}

export function isFixture(path: string, cwd: string): boolean {
  const absolute = resolve(cwd, path);
  const isFile = statSync(absolute, { throwIfNoEntry: false })?.isFile() === true;
  return isFile && formatOf(absolute) === 'agentcarousel';
}

interface Fixture {
  readonly loaded: LoadedSuite;
  /** Mistakes outside of its cases, which spoil all of them. */
  readonly errors: readonly Diagnostic[];
  readonly broken: readonly (Selectable & { readonly diagnostics: readonly Diagnostic[] })[];
}

export async function testFixtures(options: FixtureTestOptions): Promise<TestReport> {
  const started = performance.now();
  const { cwd, selection, onEvent } = options;
  const files = [...new Set(options.paths.map((path) => resolve(cwd, path)))];
  const fixtures = await Promise.all(files.map((file) => readFixture(file, cwd)));
  const selected = select(fixtures, selection);
  onEvent?.({ type: 'run-start', total: selected.length, packages: fixtures.length });
  const runner = new Runner(options);
  const packages = fixtures.map((fixture) => {
    const own = fixture.loaded.suite.cases.filter((it) => selected.includes(it));
    const chosen = fixture.broken.filter((it) => isChosen(it, selection));
    return {
      record: recordOf(fixture, own, chosen, cwd, runner),
      invalid: fixture.errors.length > 0 ? own.length + chosen.length : chosen.length,
    };
  });
  const shown = packages.filter(({ record, invalid }) => record.cases.length + invalid > 0);
  return reportOfTests(
    shown.map(({ record }) => record),
    {
      invalid: shown.reduce((sum, it) => sum + it.invalid, 0),
      sandbox: null,
      durationMs: performance.now() - started,
      interrupted: options.signal.aborted,
    },
  );
}

async function readFixture(file: string, cwd: string): Promise<Fixture> {
  const loaded = await FORMATS.agentcarousel.read(file);
  const ofCases = new Set(loaded.broken.flatMap((it) => it.diagnostics));
  return {
    loaded,
    errors: loaded.diagnostics.filter((it) => it.severity === 'error' && !ofCases.has(it)),
    broken: loaded.broken
      .filter((it) => !it.deferred)
      .map(({ words: [name = relative(cwd, file), ...aliases], tags = [], diagnostics }) => ({
        ...{ name, aliases, tags, target: null, diagnostics },
      })),
  };
}

/** Over all fixtures together, so that a word need not mean something in each. */
function select(fixtures: readonly Fixture[], selection: EvalSelection): Case[] {
  const cases = fixtures.flatMap(({ loaded }) => loaded.suite.cases);
  const broken = fixtures.flatMap((it) => it.broken);
  const deferred = fixtures.flatMap(({ loaded }) => loaded.deferred ?? []);
  const spoilt = fixtures.flatMap(({ errors }) => errors);
  // A file without any case that can be read has said why.
  if (cases.length + broken.length === 0 && spoilt.length > 0)
    throw new UserError('there is no case that could be run', ...spoilt.map(placed));
  return selectCases(cases, selection, { broken, deferred });
}

function placed({ file, line, column, message }: Diagnostic): string {
  return line === null ? `${file}: ${message}` : `${file}:${line}:${column}: ${message}`;
}

function recordOf(
  { loaded, errors }: Fixture,
  cases: readonly Case[],
  broken: Fixture['broken'],
  cwd: string,
  runner: Runner,
): TestPackageRecord {
  const { home, pkg, suite, deferred = [], diagnostics } = loaded;
  const fromCwd = <It extends { readonly file: string }>(it: It): It => ({
    ...it,
    file: relative(cwd, join(home, it.file)),
  });
  const chosen = new Set(broken.flatMap((it) => it.diagnostics));
  const ofCases = new Set(loaded.broken.flatMap((it) => it.diagnostics));
  const about = diagnostics.filter((it) => !ofCases.has(it) || chosen.has(it));
  return {
    name: pkg.name,
    version: suite.certification?.bundle_version ?? null,
    root: cwd,
    cases: errors.length > 0 ? [] : cases.map((it) => runner.run(fromCwd(it))),
    errors: about.filter((it) => it.severity === 'error').map(fromCwd),
    // What concerns an eval alone, and what the cases say themselves, is left to aam validate.
    warnings: about.filter((it) => it.severity === 'warning' && TOLD.has(it.rule)).map(fromCwd),
    deferred: [...deferred],
  };
}

const TOLD = new Set(['unknown-key', 'mixed-order']);

class Runner {
  readonly #options: FixtureTestOptions;
  #stopped = false;

  constructor(options: FixtureTestOptions) {
    this.#options = options;
  }

  run(it: Case): TestCaseRecord {
    const { signal, bail, onEvent } = this.#options;
    if (signal.aborted) return leftOut(it, 'interrupted', 'the run was interrupted before this case started');
    if (this.#stopped)
      return leftOut(it, 'not-run', 'not run, because --bail stopped the run at the first failure');
    const record = decideByMock(it);
    onEvent?.({ type: 'case-start', id: record.id });
    onEvent?.({ type: 'case-end', record });
    this.#stopped = bail && record.verdict === 'FAIL';
    return record;
  }
}
