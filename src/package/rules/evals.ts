/** Eval cases name artifacts that exist and files that are there; the config names an engine that runs. */
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import {
  type EvalCase,
  type EvalConfig,
  RESERVED_ENGINES,
  SUPPORTED_ENGINES,
  TARGET_KINDS,
} from '../../model/evals.ts';
import { normalizePath, pathProblem } from '../../model/names.ts';
import { own } from '../../model/own.ts';
import type { AgentPackage } from '../../model/package.ts';
import { filesBelow } from '../files-below.ts';
import { withoutLinks } from '../install/contents.ts';
import { error, insidePath, namedFile, suggest, warning } from './report.ts';

export function* evalRules(pkg: AgentPackage): Iterable<Diagnostic> {
  if (pkg.evals.config) yield* config(pkg.evals.config);
  for (const it of pkg.evals.cases) {
    yield* target(it, pkg);
    yield* files(it, pkg);
    if (it.value.name === 'diff') {
      yield warning(
        it,
        ['name'],
        'reserved-name',
        'aam eval diff compares reports, so this case cannot be selected by its name',
        'rename it',
      );
    }
  }
}

function* config(it: Located<EvalConfig>): Iterable<Diagnostic> {
  const { engine, command, sandbox } = it.value;
  const supported: readonly string[] = SUPPORTED_ENGINES;
  if (RESERVED_ENGINES.some((name) => name === engine)) {
    yield error(
      it,
      ['engine'],
      'unsupported-engine',
      `${engine} has no headless mode that aam can run`,
      `use one of ${supported.join(', ')}`,
    );
  } else if (!supported.includes(engine)) {
    yield error(
      it,
      ['engine'],
      'unsupported-engine',
      `there is no engine ${JSON.stringify(engine)}`,
      suggest(engine, supported, 'engines'),
    );
  }
  if (engine === 'command' && !command) {
    yield error(
      it,
      ['engine'],
      'missing-key',
      'the engine "command" needs a command',
      'add for example  "command": ["my-agent", "{prompt}"]',
    );
  }
  for (const [index, path] of (sandbox?.writablePaths ?? []).entries()) {
    const checked = insidePath(it, ['sandbox', 'writable-paths', index], path);
    if ('problem' in checked) yield checked.problem;
  }
}

function* target(it: Located<EvalCase>, pkg: AgentPackage): Iterable<Diagnostic> {
  const written = it.value.target;
  if (written === undefined) return;
  const [kind = '', ...rest] = written.split(':');
  const name = rest.join(':');
  const known: Readonly<Record<string, readonly string[]>> = {
    skill: pkg.skills.map((skill) => skill.name),
    hook: Object.keys(pkg.hooks?.value.hooks ?? {}),
    agent: pkg.agents.map((agent) => agent.name),
  };
  const candidates = own(known, kind);
  if (!candidates || name === '') {
    const forms = TARGET_KINDS.map((it) => `${it}:<${it === 'hook' ? 'event' : 'name'}>`).join(', ');
    yield error(it, ['target'], 'bad-target', `the target ${JSON.stringify(written)} is not one of ${forms}`);
  } else if (!candidates.includes(name)) {
    const noun = kind === 'hook' ? 'hook for the event' : kind === 'agent' ? 'sub-agent' : 'skill';
    yield error(
      it,
      ['target'],
      'unknown-target',
      `there is no ${noun} ${name} in this package`,
      suggest(name, candidates, `${kind}s that can be read`),
    );
  }
}

function* files(it: Located<EvalCase>, pkg: AgentPackage): Iterable<Diagnostic> {
  const { input, expected } = it.value;
  for (const [index, written] of (input.files ?? []).entries()) {
    const options = { base: pkg.evals.dir, noun: 'fixtures', folderAllowed: true };
    const at = ['input', 'files', index];
    yield* namedFile(it, at, written, pkg.files, options);
    yield* answersGiven(it, at, written, [pkg.evals.dir], pkg);
  }
  for (const [index, written] of (input.workspaceFiles ?? []).entries()) {
    const places = [`${pkg.evals.dir}/fixtures`, pkg.evals.dir];
    yield* answersGiven(it, ['input', 'workspace-files', index], written, places, pkg);
  }
  const inWorkspace = [
    ...(input.workspaceFiles ?? []).map((path, index) => ({ path, at: ['input', 'workspace-files', index] })),
    ...(expected?.filesCreated ?? []).map((path, index) => ({
      path,
      at: ['expected', 'files-created', index],
    })),
  ];
  for (const { path, at } of inWorkspace) {
    const checked = insidePath(it, at, path);
    if ('problem' in checked) yield checked.problem;
    else if (checked.path === '') yield error(it, at, 'not-a-file', `${path} is a folder, not a file`);
    else if (/^\.git(?:\/|$)/.test(checked.path)) {
      const message = `${path} is in the repository’s own folder, which no case may speak of`;
      yield error(it, at, 'path-in-git', message, 'name a file of the workspace outside .git');
    }
  }
}

/** What holds answers, below the folder of evals. */
const ANSWERS = ['cases', 'reports', 'tapes'];

/** `places`: where the file is looked for, in this order. A link to an answer is one too. */
function* answersGiven(
  it: Located<EvalCase>,
  at: Path,
  written: string,
  places: readonly string[],
  pkg: AgentPackage,
): Iterable<Diagnostic> {
  if (pathProblem(written) !== null) return;
  const { dir } = pkg.evals;
  const paths = places.map((place) => normalizePath(`${place}/${written}`));
  const path = paths.find((place) => place === dir || pkg.files.has(place));
  if (path === undefined) return;
  const all = [path, ...filesBelow(pkg.files, `${path}/`)].map((place) => withoutLinks(pkg, place) ?? place);
  const answer = all.find((real) =>
    ANSWERS.some((name) => real === `${dir}/${name}` || real.startsWith(`${dir}/${name}/`)),
  );
  if (answer === undefined && path !== dir) return;
  yield error(
    it,
    at,
    'answers-given',
    path === dir
      ? `${JSON.stringify(written)} is all of ${dir}/, with the cases and their answers`
      : `${written} would show the agent ${answer}, which holds answers`,
    `name files of ${dir}/fixtures/`,
  );
}
