/** Reads eval files of the Agent Skills kind out of short descriptions. */
import { join } from 'node:path';
import type { LoadedSuite } from '../../src/load/format.ts';
import { FORMATS } from '../../src/load/formats.ts';
import type { Case } from '../../src/model/case.ts';
import { type Files, findingLine, skillText, writePackage } from '../helpers/package.ts';

export const SKILL: Files = { 'SKILL.md': skillText('csv-analyzer') };

export async function read(document: string | object, more: Files = SKILL, file = 'evals/evals.json') {
  await using pkg = await writePackage({ ...more, [file]: document });
  return await FORMATS['agent-skills'].read(join(pkg.root, file));
}

export function lines({ diagnostics }: LoadedSuite): string {
  return diagnostics.map(findingLine).join('\n');
}

/** What a case grades, in short. */
export function graded({ graders, criteria }: Case): string[] {
  return [
    ...graders.map(({ id, kind, options, weight, required, negate }) => {
      const more = `${weight === 1 ? '' : ` ×${weight}`}${required ? ' required' : ''}${negate ? ' negated' : ''}`;
      return `${id}: ${kind} ${JSON.stringify(options)}${more}`;
    }),
    ...criteria.map(({ id, text, weight, required }) => {
      const more = `${weight === 1 ? '' : ` ×${weight}`}${required ? ' required' : ''}`;
      return `${id}: ${text}${more}`;
    }),
  ];
}

export async function onlyCase(fields: object, more?: Files): Promise<Case> {
  const loaded = await read(
    { skill_name: 'csv-analyzer', evals: [{ id: 1, prompt: 'Do it.', ...fields }] },
    more,
  );
  const [it] = loaded.suite.cases;
  if (!it) throw new Error(lines(loaded));
  return it;
}
