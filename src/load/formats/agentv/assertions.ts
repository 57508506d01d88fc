/** Lists of assertions, in the vocabularies of all generations of AgentV. */
import { nearest } from '../../../model/nearest.ts';
import { openDoc } from './docs.ts';
import { findPath } from './files.ts';
import type { Draft, Graded, ReadKind, Subject } from './graded.ts';
import { composite } from './kinds/composite.ts';
import { fieldAccuracy } from './kinds/field-accuracy.ts';
import { JUDGED_KINDS } from './kinds/judged.ts';
import { METRIC_KINDS } from './kinds/metrics.ts';
import { OWN_KINDS } from './kinds/own.ts';
import { programGrader } from './kinds/program.ts';
import { TEXT_KINDS } from './kinds/text.ts';
import { TRAJECTORY_KINDS } from './kinds/trajectory.ts';
import { type Fields, fieldOf, isFields, itemsOf, type Part, wholeOf } from './part.ts';
import type { Reading } from './reading.ts';
import { readShare } from './share.ts';
import { textIn } from './values.ts';

export const KINDS: Readonly<Record<string, ReadKind>> = {
  ...TEXT_KINDS,
  ...OWN_KINDS,
  ...JUDGED_KINDS,
  ...METRIC_KINDS,
  ...TRAJECTORY_KINDS,
  'code-judge': programGrader,
  'field-accuracy': fieldAccuracy,
  composite,
};

/** What later generations, and authors, call the same. */
const ALIASES: Readonly<Record<string, string>> = {
  'llm-grader': 'llm-judge',
  'llm-rubric': 'llm-judge',
  rubric: 'rubrics',
  'code-grader': 'code-judge',
  code: 'code-judge',
  script: 'code-judge',
  'agent-rubric': 'agent-judge',
  'agent-grader': 'agent-judge',
  'assert-set': 'composite',
  'skill-used': 'skill-trigger',
  'json-valid': 'is-json',
};

/** Kinds that need a program of AgentV's own. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  'inline-assert': 'functions in an eval file cannot be run',
  'trajectory:step-count': 'steps cannot be counted by pattern',
};

const DEEPEST_INCLUDE = 3;

/** The ids of what was read. */
export function readAssertions(
  list: Part,
  into: Graded,
  subject: Subject,
  reading: Reading,
  depth = 0,
): string[] {
  return itemsOf(list).flatMap((part) => {
    if (typeof part.value === 'string') return sentence(part, part.value, into, subject, reading);
    if (!isFields(part)) {
      reading.findings.error(part, {
        rule: 'wrong-type',
        message: 'an assertion must be a text or a map with a type',
      });
      return [];
    }
    if (fieldOf(part, 'include') !== null) return included(part, into, subject, reading, depth);
    const before = reading.findings.told;
    const id = readOne(part, into, subject, reading, depth);
    if (id === null) into.isIncomplete = true;
    // An assertion that goes missing without a word would let a test pass without it.
    if (id === null && reading.findings.told === before)
      reading.findings.error(part, { rule: 'wrong-value', message: 'the assertion cannot be used as it is' });
    return id === null ? [] : [id];
  });
}

/** A plain text is a criterion that holds or not. */
function sentence(part: Part, text: string, into: Graded, subject: Subject, { findings }: Reading): string[] {
  if (text.trim() === '') {
    findings.error(part, { rule: 'wrong-value', message: 'an assertion must not be empty' });
    return [];
  }
  const id = into.unique(`criterion-${into.criteria.length + 1}`);
  into.criteria.push({ id, text: `${subject.preface}${text.trim()}`, weight: 1, required: false });
  return [id];
}

function readOne(
  part: Fields,
  into: Graded,
  subject: Subject,
  reading: Reading,
  depth: number,
): string | null {
  const { findings } = reading;
  const written = fieldOf(part, 'type');
  if (written === null) {
    findings.error(part, { rule: 'missing-key', message: 'an assertion needs a type', hint: KNOWN });
    return null;
  }
  const named = typeOf(written);
  if (named === null) {
    findings.error(written, unknownType(written));
    return null;
  }
  const share = readShare(part, findings);
  const given = fieldOf(part, 'name', 'id');
  const name = textIn(given, findings)?.trim();
  const read = KINDS[named.type] as ReadKind;
  const draft: Draft = {
    part,
    type: named.type,
    share: { ...share, negate: share.negate !== named.isNot },
    into,
    subject,
    reading,
    name: (fallback) => into.unique(name || fallback),
    members: (list) => readAssertions(list, into, subject, reading, depth),
  };
  return read(draft);
}

/** `not-` in front asks for the opposite. */
function typeOf({ value }: Part): { readonly type: string; readonly isNot: boolean } | null {
  if (typeof value !== 'string') return null;
  const type = value.trim().toLowerCase().replaceAll('_', '-');
  const plain = known(type);
  if (plain !== null) return { type: plain, isNot: false };
  const opposite = type.startsWith('not-') ? known(type.slice('not-'.length)) : null;
  return opposite === null ? null : { type: opposite, isNot: true };
}

function known(type: string): string | null {
  const name = Object.hasOwn(ALIASES, type) ? (ALIASES[type] as string) : type;
  return Object.hasOwn(KINDS, name) ? name : null;
}

const KNOWN = `types: ${Object.keys(KINDS).join(', ')}`;

function unknownType({ value }: Part) {
  const type = String(value).replaceAll('_', '-');
  const why = Object.hasOwn(UNSUPPORTED, type) ? UNSUPPORTED[type] : undefined;
  if (why !== undefined) return { rule: 'unsupported', message: `the assertion type ${type}: ${why}` };
  const meant = nearest(type, [...Object.keys(KINDS), ...Object.keys(ALIASES)]);
  const hint =
    'a type of your own in .agentv/assertions needs AgentV: write it as a code-judge with a command';
  return {
    rule: 'assertion-type',
    message: `the assertion type ${JSON.stringify(value)} is not known`,
    hint: meant ? `did you mean ${meant}?` : `${hint}; ${KNOWN}`,
  };
}

/** Assertions that stand in a file of their own. */
function included(part: Fields, into: Graded, subject: Subject, reading: Reading, depth: number): string[] {
  const { findings, place } = reading;
  findings.keys(part, ['include']);
  const at = fieldOf(part, 'include') as Part;
  const name = textIn(at, findings)?.trim();
  if (!name) {
    findings.error(at, { rule: 'wrong-value', message: 'include must name a file or a template' });
    return [];
  }
  if (depth >= DEEPEST_INCLUDE) {
    findings.error(at, { rule: 'too-deep', message: `include goes more than ${DEEPEST_INCLUDE} files deep` });
    return [];
  }
  const isPath = name.includes('/') || /\.ya?ml$/.test(name);
  const templates = place.upward.flatMap((dir) =>
    ['yaml', 'yml'].map((ending) => `${dir}/.agentv/templates/${name}.${ending}`),
  );
  const path = isPath
    ? findPath(name, at.doc, place)
    : templates.map((it) => findPath(it, at.doc, place)).find(Boolean);
  if (!path) {
    const hint = isPath ? 'paths are relative to the eval file' : `looked for .agentv/templates/${name}.yaml`;
    findings.error(at, { rule: 'missing-file', message: `there is no ${name} to include`, hint });
    return [];
  }
  const whole = wholeOf(openDoc(path, [path.slice(0, path.lastIndexOf('/')), place.evalsDir], reading));
  if (whole.value === undefined) {
    findings.error(at, { rule: 'unreadable', message: `${name} cannot be read` });
    return [];
  }
  const list = isFields(whole) ? (fieldOf(whole, 'assertions', 'assert', 'evaluators') ?? whole) : whole;
  if (Array.isArray(list.value) && list.value.length === 0)
    findings.error(at, { rule: 'wrong-value', message: `there are no assertions in ${name}` });
  into.files.add(path);
  return readAssertions(list, into, subject, reading, depth + 1);
}
