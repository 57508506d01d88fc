/** Cases → evals.json, as far as it can say them. */
import type { Case, Criterion } from '../../../model/case.ts';
import type { Grader, Share } from '../../../model/grader.ts';
import { referenceIn } from '../../../model/reference.ts';
import type { About, Loss, Written } from '../../written.ts';
import { metadataOf } from './keys.ts';

export function writeEvalsJson(cases: readonly Case[], { skill }: About): Written {
  const losses: Loss[] = [];
  const evals = cases.flatMap((it) => {
    const why = unsayable(it);
    if (why !== null) losses.push({ case: it.name, kind: 'left-out', what: why });
    return why === null ? [entryOf(it, skill, losses)] : [];
  });
  const document = { ...(skill !== null && { skill_name: skill }), evals };
  return { text: `${JSON.stringify(document, null, 2)}\n`, losses };
}

/** What a case needs to be the same case at all. */
function unsayable({ followUps, instructions, setup }: Case): string | null {
  if (followUps.length > 0) return 'it has several turns';
  if (instructions !== undefined) return 'it has instructions beside the prompt';
  return setup === undefined ? null : 'its workspace has to be set up';
}

type Fields = Record<string, unknown>;

function entryOf(it: Case, skill: string | null, losses: Loss[]): Fields {
  const changed = (what: string) => losses.push({ case: it.name, kind: 'changed', what });
  const trigger = it.graders.find((grader) => isTrigger(grader, skill));
  const graders = it.graders.filter((grader) => grader !== trigger);
  const [described = null] = it.criteria.map(referenceIn).filter((text) => text !== null);
  const criteria = it.criteria.filter((criterion) => referenceIn(criterion) === null);
  const checks = graders.flatMap((grader) => {
    const written = checkOf(grader);
    if (written === null) changed(`the grader ${grader.id} (${grader.kind}) is left out`);
    return written === null ? [] : [{ id: grader.id, ...written, ...sharesOf(grader) }];
  });
  const sentences = criteria.map((criterion, index) =>
    sentenceOf(criterion, checks.length + index + 1, changed),
  );
  const { scoring } = it;
  if (scoring.mode === 'all') changed('all parts had to pass, and here a score of 80 % is enough');
  else if (scoring.threshold !== THRESHOLD)
    changed(`it passes at a score of 0.8 here, and at ${scoring.threshold} there`);
  if (scoring.mode === 'score' && scoring.groups?.length)
    changed('graders that counted as one count each by themselves');
  const reference = it.reference ?? described;
  const files = [...it.files.map(({ to }) => to), ...(it.fault?.files ?? [])];
  const { id: _, ...written } = it.metadata;
  const metadata = metadataOf(written);
  for (const key of Object.keys(written).filter((name) => !Object.hasOwn(metadata, name)))
    changed(`${key} of its metadata is left out: here it would be read as part of the case`);
  return {
    id: /^(?:0|[1-9]\d{0,8})$/.test(it.name) ? Number(it.name) : it.name,
    prompt: it.prompt,
    ...(reference !== null && { expected_output: reference }),
    ...(files.length > 0 && { files }),
    ...(trigger?.kind === 'skill-trigger' && { should_trigger: trigger.options.expected }),
    ...(checks.length + sentences.length > 0 && { assertions: [...checks, ...sentences] }),
    ...(it.description !== null && { description: it.description }),
    ...metadata,
  };
}

const THRESHOLD = 0.8;

function isTrigger({ kind, options, required, negate, weight }: Grader, skill: string | null): boolean {
  return kind === 'skill-trigger' && options.skill === skill && required && !negate && weight === 1;
}

/** A plain text where nothing is to be said but the text. */
function sentenceOf(
  { id, text, scale, minScore, negate, ...share }: Criterion,
  position: number,
  changed: (what: string) => void,
): string | Fields {
  if (scale !== undefined) changed(`${id} was graded from 0 to 10, and here holds or not`);
  if (negate) changed(`${id} had to be untrue, and here has to be true: reword it`);
  if (minScore !== undefined && scale === undefined) changed(`the least score of ${id} is left out`);
  const shares = sharesOf(share);
  const isPlain = id === `assertion-${position}` && Object.keys(shares).length === 0;
  return isPlain ? text : { id, text, ...shares };
}

/** null: this format has no word for it. */
function checkOf({ kind, options, negate }: Grader): Fields | null {
  const opposite = negate ? { negate: true } : {};
  if (kind === 'contains') {
    // Here the opposite of a list is that nothing of it is there.
    if (negate && options.match === 'all' && options.values.length > 1) return null;
    const type = `${options.ignoreCase ? 'i' : ''}contains${options.match === 'any' ? '-any' : ''}`;
    return { type, value: options.values, ...opposite };
  }
  if (kind === 'not-contains')
    return options.ignoreCase ? null : { type: 'not-contains', value: options.values, ...opposite };
  if (kind === 'starts-with' || kind === 'ends-with' || kind === 'equals')
    return options.ignoreCase ? null : { type: kind, value: options.value, ...opposite };
  if (kind === 'regex') {
    const { pattern, flags, dialect } = options;
    if (dialect === 'rust') return null;
    return { type: 'regex', value: pattern, ...(flags !== undefined && { flags }), ...opposite };
  }
  if (kind === 'is-json') return { type: 'is-json', ...opposite };
  if (kind === 'files-exist' || kind === 'files-created')
    return { type: kind, value: options.paths, ...opposite };
  if (kind === 'file-contains' && options.match === 'all' && !options.ignoreCase)
    return { type: 'file-contains', path: options.path, value: options.values, ...opposite };
  return null;
}

function sharesOf({ weight, required }: Share): Fields {
  return { ...(weight !== 1 && { weight }), ...(required && { required: true }) };
}
