/** The same hostile thing in each format that aam reads. */
import { existsSync, realpathSync } from 'node:fs';
import { stringify } from 'yaml';
import type { LoadedSuite } from '../../src/load/format.ts';
import type { Case } from '../../src/model/case.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import { UserError } from '../../src/model/errors.ts';
import { pathProblem } from '../../src/model/names.ts';
import { loadSource } from '../../src/pipeline/eval-source.ts';
import { type Files, findingLine, MANIFEST, skillText } from '../helpers/package.ts';

export const FORMAT_NAMES = ['uaaps', 'agent-skills', 'agentv', 'agentcarousel'] as const;
export type Name = (typeof FORMAT_NAMES)[number];

interface Written {
  readonly id?: string;
  /** Of the case's own file, or of whatever the format names by path. */
  readonly path?: string;
  readonly prompt?: string;
}

/** The eval file of each format, relative to the folder; null: the package itself. */
export const EVAL_FILES: Readonly<Record<Name, string>> = {
  uaaps: 'evals/cases/a.yaml',
  'agent-skills': 'evals/evals.json',
  agentv: 'evals/EVAL.yaml',
  agentcarousel: 'fixture.yaml',
};

const DOCUMENTS: Readonly<Record<Name, (it: Written) => object>> = {
  uaaps: ({ id = 'a', path, prompt = 'Do it.' }) => ({
    name: id,
    input: { prompt, ...(path !== undefined && { files: [path], 'workspace-files': [path] }) },
    expected: { contains: ['x'], ...(path !== undefined && { 'files-created': [path] }) },
  }),
  'agent-skills': ({ id = 'a', path, prompt = 'Do it.' }) => ({
    skill_name: 'echo',
    evals: [{ id, prompt, files: path === undefined ? [] : [path], assertions: ['It says x.'] }],
  }),
  agentv: ({ id = 'a', path, prompt = 'Do it.' }) => ({
    tests: [
      {
        id,
        input: path === undefined ? prompt : [{ role: 'user', content: [{ type: 'file', value: path }] }],
        ...(path !== undefined && { file_paths: [path] }),
        assertions: [{ type: 'contains', value: 'x' }],
      },
    ],
  }),
  agentcarousel: ({ id = 'echo/a', path, prompt = 'Do it.' }) => ({
    schema_version: 1,
    skill_or_agent: 'echo',
    cases: [
      {
        id,
        tags: ['smoke'],
        input: { messages: [{ role: 'user', content: prompt }] },
        expected: { output: [{ kind: 'contains', value: 'x' }] },
        ...(path !== undefined && { evaluator_config: { evaluator: 'golden', golden_path: path } }),
      },
    ],
  }),
};

export function sourceFiles(name: Name, it: Written = {}, text?: string): Files {
  const document = DOCUMENTS[name](it);
  const written =
    text ?? (EVAL_FILES[name].endsWith('.json') ? JSON.stringify(document) : stringify(document));
  return {
    ...(name === 'uaaps' && { 'package.agent.json': MANIFEST, 'skills/echo/SKILL.md': skillText('echo') }),
    ...(name === 'agent-skills' && { 'SKILL.md': skillText('echo') }),
    [EVAL_FILES[name]]: written,
  };
}

export interface Loaded {
  readonly cases: readonly Case[];
  /** What is told of it, one line for each finding. */
  readonly told: string;
}

/** As `aam eval` does it. Throws what is no clear error. */
export async function load(name: Name, root: string): Promise<Loaded> {
  try {
    const path = name === 'uaaps' ? null : EVAL_FILES[name];
    const { suite, findings, loaded } = await loadSource(path, { cwd: root, env: {} });
    return {
      cases: suite.cases,
      told: lines([...findings, ...(loaded?.diagnostics ?? []), ...brokenIn(loaded)]),
    };
  } catch (error) {
    if (error instanceof UserError) return { cases: [], told: error.message };
    throw error;
  }
}

function brokenIn(loaded: LoadedSuite | null): readonly Diagnostic[] {
  return loaded?.broken.flatMap((it) => it.diagnostics) ?? [];
}

function lines(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(findingLine).join('\n');
}

/** Files of cases that come from outside a folder, or would go there. */
export function escapes(cases: readonly Case[], root: string): string[] {
  const inside = `${realpathSync(root)}/`;
  return cases.flatMap(({ files }) =>
    files.flatMap(({ from, to }) => [
      ...(from !== null && existsSync(from) && !realpathSync(from).startsWith(inside) ? [from] : []),
      ...(pathProblem(to) === null ? [] : [to]),
    ]),
  );
}
