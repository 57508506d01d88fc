/** Turns the eval cases of a package into a suite. */
import { join } from 'node:path';
import type { Case, CaseFile, Suite, SuiteSettings } from '../../../model/case.ts';
import type { Located } from '../../../model/diagnostic.ts';
import type { EvalCase } from '../../../model/evals.ts';
import { type Grader, grader } from '../../../model/grader.ts';
import { normalizePath } from '../../../model/names.ts';
import type { AgentPackage } from '../../../model/package.ts';
import { caseHash } from '../../case-hash.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;

export function readSuite(pkg: AgentPackage): Suite {
  return {
    cases: pkg.evals.cases.map((it) => toCase(it, pkg)),
    settings: settingsOf(pkg, DEFAULT_TIMEOUT_SECONDS),
  };
}

/** As `evals/eval-config.json` has them. */
export function settingsOf({ evals }: AgentPackage, timeoutSeconds: number): SuiteSettings {
  const config = evals.config?.value;
  return {
    engine: config?.engine ?? 'claude-code',
    timeoutSeconds: config?.timeout ?? timeoutSeconds,
    judge: config?.judge ?? null,
    runs: config?.runs ?? 1,
    network: config?.sandbox?.network ?? false,
    writablePaths: config?.sandbox?.writablePaths ?? null,
    env: config?.env ?? {},
    command: config?.command ?? null,
    prices: config?.prices ?? {},
  };
}

function toCase(located: Located<EvalCase>, pkg: AgentPackage): Case {
  const { value, file } = located;
  const { name, description, target, input, expected, judge } = value;
  const files = caseFiles(value, pkg);
  return {
    name,
    aliases: [file.slice(file.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '')],
    description: description ?? null,
    target: target ?? null,
    prompt: input.prompt,
    followUps: [],
    files,
    graders: gradersOf(expected ?? {}),
    criteria: [{ id: 'criteria', text: judge.criteria.trim(), weight: 1, required: false }],
    reference: null,
    scoring: { mode: 'all' },
    fault: null,
    metadata: {},
    file,
    line: located.at([]).line,
    hash: caseHash(value, files),
  };
}

/** By the names that the report has for them. */
function gradersOf({
  contains,
  notContains,
  filesCreated,
  agentBlocked,
}: NonNullable<EvalCase['expected']>): Grader[] {
  return [
    ...(contains ? [grader('contains', 'contains', { of: 'said', values: contains, match: 'all' })] : []),
    ...(notContains ? [grader('not_contains', 'not-contains', { of: 'said', values: notContains })] : []),
    ...(filesCreated ? [grader('files_created', 'files-created', { paths: filesCreated })] : []),
    ...(agentBlocked === undefined
      ? []
      : [grader('agent_blocked', 'agent-blocked', { expected: agentBlocked })]),
  ];
}

/** `files` keep their path below evals/. `workspace-files` come from the fixtures when they are there, else they are empty. */
function caseFiles({ input }: EvalCase, { root, evals, files }: AgentPackage): CaseFile[] {
  const given = (input.files ?? []).map(normalizePath).flatMap((path) => {
    const isFolder = files.get(`${evals.dir}/${path}`)?.kind === 'dir';
    const paths = isFolder ? filesBelow(`${evals.dir}/${path}`, files) : [`${evals.dir}/${path}`];
    return paths.map((from) => ({ from: join(root, from), to: from.slice(evals.dir.length + 1) }));
  });
  const created = (input.workspaceFiles ?? []).map(normalizePath).map((to) => {
    const found = [`${evals.dir}/fixtures/${to}`, `${evals.dir}/${to}`].find(
      (path) => files.get(path)?.kind === 'file',
    );
    return { from: found ? join(root, found) : null, to };
  });
  return [...given, ...created];
}

function filesBelow(dir: string, files: AgentPackage['files']): string[] {
  return [...files]
    .filter(([path, { kind }]) => kind === 'file' && path.startsWith(`${dir}/`))
    .map(([path]) => path);
}
