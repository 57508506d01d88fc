/** Cases → EVAL.yaml. What is written loads back to the same cases. */
import { Document, type Pair, type Scalar, YAMLMap, type YAMLSeq } from 'yaml';
import type { Case, Criterion } from '../../../model/case.ts';
import type { Grader, GraderKind, GraderOptions, Share } from '../../../model/grader.ts';
import { referenceIn } from '../../../model/reference.ts';
import type { About, Loss, Written } from '../../written.ts';
import { PASS_MARK } from './graded.ts';

/** One line of words: neither a template nor the path of one. */
const PLAIN_SENTENCE = /^\S+[^\S\n]\S.*$/;

export function writeEvalYaml(cases: readonly Case[], { skill, origin }: About): Written {
  const losses: Loss[] = [];
  const document = new Document({
    description: skill === null ? 'Evals' : `Evals of the skill ${literally(skill)}`,
    ...(skill !== null && { metadata: { skill_name: literally(skill) } }),
    tests: cases.map((it) => testOf(it, losses)),
  });
  document.commentBefore = header(origin);
  for (const [index, it] of cases.entries()) explain(document, index, it);
  // Lines are never folded: what is one line stays one.
  return { text: document.toString({ lineWidth: 0 }), losses };
}

function header(origin: string): string {
  return [
    ` Converted from ${origin}.`,
    ' What this format can say beyond that:',
    ' - checks without a model: contains, icontains, regex, equals, starts-with, ends-with, is-json',
    ' - your own program as a grader: code-judge',
    ' - which tools the agent called, and in which order: tool-trajectory',
    ' - several graders that count as one: composite',
    ' - limits of time, money and tokens: latency, cost, token-usage',
    ' - several turns: more messages in `input`',
    ' - a workspace with a template, repositories and commands to set it up',
  ].join('\n');
}

type Fields = Record<string, unknown>;

function testOf(it: Case, losses: Loss[]): Fields {
  const checks = it.graders.flatMap((grader) => assertionOf(grader, it.name, losses));
  const [only, another] = it.criteria;
  // Without assertions, criteria that repeat the expected output mean that the result is to agree with it.
  const described = only && !another && checks.length === 0 ? referenceIn(only) : null;
  const graded = described === null ? [...checks, ...it.criteria.map(judged)] : [];
  const reference = it.reference ?? described;
  const files = [...it.files.map(({ to }) => to), ...(it.fault?.files ?? [])];
  for (const what of unwritten(it)) losses.push(changed(it, what));
  const { scoring } = it;
  const threshold = scoring.mode === 'all' ? 1 : scoring.threshold;
  return {
    id: it.name,
    ...(it.description !== null && { note: literally(it.description) }),
    ...(described !== null && { criteria: literally(described) }),
    ...saidBy(it),
    ...(files.length > 0 && { file_paths: files.map(literally) }),
    ...(reference !== null && { expected_output: literally(reference) }),
    ...(graded.length > 0 && { assert: graded }),
    ...(threshold !== PASS_MARK && { execution: { threshold } }),
    ...(Object.keys(it.metadata).length > 0 && { metadata: literallyAll(it.metadata) }),
  };
}

/** What the output says otherwise than the case, or not at all. */
function unwritten(it: Case): string[] {
  const { setup, scoring, criteria, env, timeoutSeconds } = it;
  const isGroup = scoring.mode === 'score' && (scoring.groups ?? []).length > 0;
  const scaled = criteria.filter((one) => one.scale !== undefined && referenceIn(one) === null);
  return [
    ...(setup ? ['what is set up in the workspace is not written'] : []),
    ...(isGroup ? ['graders that counted as one count each by themselves'] : []),
    ...scaled.map(({ id }) => `${id} was graded from 0 to 10, and here holds or not`),
    ...(env !== undefined && Object.keys(env).length > 0 ? ['its variables (env) are not written'] : []),
    ...(timeoutSeconds === undefined ? [] : [`its time of ${timeoutSeconds} s is not written`]),
  ];
}

/** Messages of the user that follow each other would be one turn. */
function saidBy({ instructions, prompt, followUps }: Case): Fields {
  const user = (content: string) => ({ role: 'user', content: literally(content) });
  const system = instructions === undefined ? [] : [{ role: 'system', content: literally(instructions) }];
  if (followUps.length === 0) return { input: [...system, user(prompt)] };
  const [first, ...rest] = [prompt, ...followUps].map((text) => ({ input: [user(text)] }));
  return {
    mode: 'conversation',
    turns: [{ input: [...system, ...(first?.input ?? [])] }, ...rest],
  };
}

/** Texts with braces or without spaces would be taken for templates or files, so they are written as a rubric. */
function judged({ id, text, negate, ...share }: Criterion): Fields {
  const shared = { ...sharesOf(share), ...(negate && { negate: true }) };
  if (PLAIN_SENTENCE.test(text) && !text.includes('{{'))
    return { name: literally(id), type: 'llm-judge', prompt: literally(text), ...shared };
  return {
    name: literally(id),
    type: 'rubrics',
    criteria: [{ id: literally(id), outcome: literally(text) }],
    ...shared,
  };
}

type Writers = { readonly [Kind in GraderKind]: (options: GraderOptions[Kind]) => Fields | null };

const WRITERS: Writers = {
  contains: ({ values, match, ignoreCase }) => {
    const type = ignoreCase ? 'icontains' : 'contains';
    if (match === 'any') return { type: `${type}-any`, value: values };
    return values.length === 1 ? { type, value: values[0] } : { type: `${type}-all`, value: values };
  },
  'not-contains': ({ values, ignoreCase }) => ({
    type: ignoreCase ? 'not-icontains' : 'not-contains',
    value: values.length === 1 ? values[0] : values,
  }),
  'starts-with': (options) => edge('starts-with', options),
  'ends-with': (options) => edge('ends-with', options),
  equals: (options) => edge('equals', options),
  regex: ({ pattern, flags, dialect }) =>
    dialect === 'rust' ? null : { type: 'regex', value: pattern, ...(flags !== undefined && { flags }) },
  'is-json': () => ({ type: 'is-json' }),
  'json-subset': ({ value }) => ({ type: 'json-subset', value }),
  'files-created': ({ paths }) => ({ type: 'files-created', value: paths }),
  'files-exist': ({ paths }) => ({ type: 'files-exist', value: paths }),
  'file-contains': ({ path, values, match, ignoreCase }) =>
    match === 'any' || ignoreCase ? null : { type: 'file-contains', path, value: values },
  'agent-blocked': ({ expected }) => ({ type: 'agent-blocked', value: expected }),
  'skill-trigger': ({ skill, expected }) => ({ type: 'skill-trigger', skill, should_trigger: expected }),
  latency: ({ maxMs }) => ({ type: 'latency', threshold: maxMs }),
  cost: ({ maxUsd }) => ({ type: 'cost', budget: maxUsd }),
  // Only files of this very format have them.
  'tool-trajectory': () => null,
  'field-accuracy': () => null,
  'token-usage': () => null,
  'execution-metrics': () => null,
  program: () => null,
  'json-field': () => null,
  golden: () => null,
};

function edge(type: string, { value, ignoreCase, exact }: GraderOptions['equals']): Fields | null {
  return ignoreCase || exact ? null : { type, value };
}

function assertionOf(grader: Grader, name: string, losses: Loss[]): Fields[] {
  const written = write(grader);
  if (written === null) {
    losses.push({
      case: name,
      kind: 'changed',
      what: `the grader ${grader.id} (${grader.kind}) is not written`,
    });
    return [];
  }
  return [
    {
      name: literally(grader.id),
      ...(literallyAll(written) as Fields),
      ...sharesOf(grader),
      ...(grader.negate && { negate: true }),
    },
  ];
}

function write<Kind extends GraderKind>({
  kind,
  options,
}: {
  readonly kind: Kind;
  readonly options: GraderOptions[Kind];
}): Fields | null {
  return WRITERS[kind](options);
}

function sharesOf({ weight, required }: Share): Fields {
  return { ...(weight !== 1 && { weight }), ...(required && { required: true }) };
}

function changed({ name }: Case, what: string): Loss {
  return { case: name, kind: 'changed', what };
}

/** `${{` asks for a variable; with one more dollar it is itself. */
function literally(text: string): string {
  return text.replaceAll(/\$+\{\{/g, (found) => `$${found}`);
}

function literallyAll(value: unknown): unknown {
  if (typeof value === 'string') return literally(value);
  if (Array.isArray(value)) return value.map(literallyAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literallyAll(item)]));
}

/** Says at the first case that has sentences for a judge what could stand there instead. */
function explain(document: Document, index: number, { criteria }: Case): void {
  if (index > 0 && criteria.length === 0) return;
  const tests = document.get('tests') as YAMLSeq<YAMLMap>;
  const test = tests.items[index];
  const pair = test?.items.find((it) => (it as Pair<Scalar>).key?.value === 'assert') as
    | Pair<Scalar>
    | undefined;
  if (test instanceof YAMLMap && index > 0) test.spaceBefore = true;
  if (pair?.key && index === 0)
    pair.key.commentBefore =
      ' A sentence is decided by a model. A check such as contains or regex is free and always agrees with itself.';
}
