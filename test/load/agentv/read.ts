/** Reads an EVAL.yaml of a test's own, and tells in short what became of it. */
import { join } from 'node:path';
import type { LoadedSuite } from '../../../src/load/format.ts';
import { FORMATS } from '../../../src/load/formats.ts';
import type { Case } from '../../../src/model/case.ts';
import { type Files, findingLine, writePackage } from '../../helpers/package.ts';

export async function read(
  document: string | object,
  more: Files = {},
  { file = 'evals/EVAL.yaml', env = {} }: { file?: string; env?: Record<string, string> } = {},
): Promise<LoadedSuite> {
  await using folder = await writePackage({ ...more, [file]: document });
  return await FORMATS.agentv.read(join(folder.root, file), env);
}

export function lines({ diagnostics }: Pick<LoadedSuite, 'diagnostics'>): string[] {
  return diagnostics.map(findingLine);
}

/** What stands for a variable of the environment. */
export function variable(name: string): string {
  return `\${{ ${name} }}`;
}

/** The only test there is; throws with the findings where it is no case. */
export async function onlyCase(test: object, more: Files = {}, suite: object = {}): Promise<Case> {
  const loaded = await read({ ...suite, tests: [{ id: 'one', input: 'Do it.', ...test }] }, more);
  const [it] = loaded.suite.cases;
  if (!it) throw new Error(lines(loaded).join('\n'));
  return it;
}

/** What is wrong with the only test. */
export async function findingsOf(test: object, more: Files = {}, suite: object = {}): Promise<string[]> {
  return lines(await read({ ...suite, tests: [{ id: 'one', input: 'Do it.', ...test }] }, more));
}

/** What a case grades. */
export function graded({ graders, criteria, scoring }: Case): string[] {
  const groups = scoring.mode === 'score' ? (scoring.groups ?? []) : [];
  return [
    ...graders.map((it) => `${it.id}: ${it.kind} ${JSON.stringify(it.options)}${shareOf(it)}`),
    ...criteria.map((it) => `${it.id}: ${it.text}${it.scale ? ' 0–10' : ''}${shareOf(it)}`),
    ...groups.map((it) => `${it.id}: ${it.aggregator.kind} of ${it.members.join(', ')}${shareOf(it)}`),
  ];
}

function shareOf(it: { weight: number; required: boolean; minScore?: number; negate?: boolean }): string {
  return [
    it.weight === 1 ? '' : ` ×${it.weight}`,
    it.required ? ' required' : '',
    it.minScore === undefined ? '' : ` ≥${it.minScore}`,
    it.negate ? ' negated' : '',
  ].join('');
}
