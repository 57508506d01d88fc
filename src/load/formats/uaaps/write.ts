/** Cases → `evals/cases/<name>.yaml` of a package, as far as they can be said there. */
import { stringify } from 'yaml';
import type { Case } from '../../../model/case.ts';
import type { Grader } from '../../../model/grader.ts';
import { referenceIn } from '../../../model/reference.ts';
import type { Loss } from '../../written.ts';

export interface WrittenCases {
  /** By path below the folder `evals`. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Files of the cases: what is copied, and where to below `evals`. */
  readonly fixtures: readonly { readonly from: string; readonly path: string }[];
  readonly losses: readonly Loss[];
}

export function writeUaapsCases(cases: readonly Case[]): WrittenCases {
  const losses: Loss[] = [];
  const names = new Set<string>();
  const files = cases.flatMap((it) => {
    const why = unsayable(it);
    if (why !== null) losses.push({ case: it.name, kind: 'left-out', what: why });
    if (why !== null) return [];
    const name = uniqueName(it.name, names);
    const text = stringify(caseOf(it, name, losses), { lineWidth: 0 });
    return [{ path: `cases/${name}.yaml`, text }];
  });
  const kept = cases.filter((it) => unsayable(it) === null);
  return { files, fixtures: fixturesOf(kept, losses), losses };
}

function unsayable(it: Case): string | null {
  if (it.followUps.length > 0) return 'it has several turns';
  if (it.instructions !== undefined) return 'it has instructions beside the prompt';
  if (it.setup !== undefined) return 'its workspace has to be set up';
  if (it.fault !== null) return it.fault.error;
  return it.criteria.length === 0 && it.reference === null
    ? 'a case of a package needs criteria for the judge, and it has none'
    : null;
}

/** Names become those of files. */
function uniqueName(written: string, taken: Set<string>): string {
  const plain = written
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const wanted = plain || 'case';
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`;
  taken.add(name);
  return name;
}

function caseOf(it: Case, name: string, losses: Loss[]): Record<string, unknown> {
  const changed = (what: string) => losses.push({ case: it.name, kind: 'changed', what });
  const expected: Record<string, unknown> = {};
  for (const grader of it.graders) {
    const check = checkOf(grader);
    if (check === null) changed(`the grader ${grader.id} (${grader.kind}) is left out`);
    else {
      const [key, value] = check;
      const before = expected[key];
      expected[key] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
  }
  if (it.scoring.mode === 'score' && it.graders.length + it.criteria.length > 1)
    changed('a score was enough, and here everything has to hold');
  return {
    name,
    ...(it.description !== null && { description: it.description }),
    ...(it.target !== null && { target: it.target }),
    input: {
      prompt: it.prompt,
      ...(it.files.length > 0 && { 'workspace-files': it.files.map(({ to }) => to) }),
    },
    ...(Object.keys(expected).length > 0 && { expected }),
    judge: { criteria: criteriaOf(it, changed) },
  };
}

function criteriaOf({ criteria, reference }: Case, changed: (what: string) => void): string {
  for (const { id, negate, scale } of criteria) {
    if (negate) changed(`${id} had to be untrue, and here has to be true: reword it`);
    if (scale !== undefined) changed(`${id} was graded from 0 to 10, and here holds or not`);
  }
  const texts = criteria.map(({ text }) => text);
  const isDescribed = criteria.some((it) => referenceIn(it) !== null);
  const background = reference === null || isDescribed ? [] : [`What a good result looks like: ${reference}`];
  const [only] = texts;
  if (texts.length === 0) return `What the agent did and answered agrees with this: ${reference}`;
  const listed =
    texts.length === 1 && only !== undefined
      ? [only]
      : ['All of this holds:', ...texts.map((it) => `- ${it}`)];
  return [...listed, ...background].join('\n');
}

function checkOf({ kind, options, negate }: Grader): readonly [string, unknown] | null {
  if (negate) return null;
  if (kind === 'contains' && !options.ignoreCase && (options.match === 'all' || options.values.length === 1))
    return ['contains', options.values];
  if (kind === 'not-contains' && !options.ignoreCase) return ['not-contains', options.values];
  if (kind === 'files-created') return ['files-created', options.paths];
  return kind === 'agent-blocked' ? ['agent-blocked', options.expected] : null;
}

function fixturesOf(cases: readonly Case[], losses: Loss[]): WrittenCases['fixtures'] {
  const found = new Map<string, string>();
  for (const { name, files } of cases)
    for (const { from, to } of files) {
      if (from === null) continue;
      const other = found.get(to);
      if (other !== undefined && other !== from)
        losses.push({
          case: name,
          kind: 'changed',
          what: `its file ${to} is another one than that of an earlier case`,
        });
      else found.set(to, from);
    }
  return [...found].map(([to, from]) => ({ from, path: `fixtures/${to}` }));
}
