/** Fields of the answer's JSON against those of the expected output. */
import { type ExpectedField, grader } from '../../../../model/grader.ts';
import { valueAt } from '../../../../model/value-at.ts';
import { type Draft, PASS_MARK } from '../graded.ts';
import { fieldOf, type Part } from '../part.ts';
import { SHARED_KEYS, WEIGHTS } from '../share.ts';
import { booleanIn, fieldsIn, listIn, numberIn, requiredText, textsIn, wordIn } from '../values.ts';

export function fieldAccuracy(draft: Draft): string | null {
  const { part, reading, subject } = draft;
  const { findings } = reading;
  findings.keys(part, [...SHARED_KEYS, 'fields', 'aggregation']);
  const written = fieldOf(part, 'fields');
  if (written === null)
    findings.error(part, { rule: 'missing-key', message: 'field-accuracy needs a list of fields' });
  const fields = listIn(written, findings)?.map((it) => fieldIn(it, draft));
  const aggregation = wordIn(
    fieldOf(part, 'aggregation'),
    ['weighted-average', 'all-or-nothing'] as const,
    findings,
  );
  if (subject.expected === undefined) {
    findings.error(part, {
      rule: 'missing-key',
      message: 'field-accuracy compares with expected_output, which is no data here',
      hint: 'write expected_output as a map of keys',
    });
    return null;
  }
  if (!fields || fields.some((it) => it === null)) return null;
  const compared = comparable(fields as ExpectedField[], draft);
  if (compared.length === 0) return null;
  const id = draft.name('field-accuracy');
  const options = {
    reference: subject.expected,
    fields: compared,
    aggregation: aggregation ?? 'weighted-average',
  } as const;
  draft.into.graders.push(grader(id, 'field-accuracy', options, { minScore: PASS_MARK, ...draft.share }));
  return id;
}

/** Fields that the expected output does not speak of, as with assertions for all tests, show nothing. */
function comparable(
  fields: readonly ExpectedField[],
  { part, reading: { findings }, subject, share }: Draft,
): ExpectedField[] {
  const isSaid = ({ path }: ExpectedField) => valueAt(subject.expected, path) !== undefined;
  const unsaid = fields.filter((it) => !isSaid(it)).map(({ path }) => path);
  if (unsaid.length === fields.length && share.required)
    findings.error(part, {
      rule: 'not-compared',
      message: 'field-accuracy is required, and expected_output has none of its fields',
    });
  else if (unsaid.length > 0)
    findings.warn(part, {
      rule: 'not-compared',
      message:
        unsaid.length === fields.length
          ? 'field-accuracy is not graded here: expected_output has none of its fields'
          : `not compared, because expected_output does not have it: ${unsaid.join(', ')}`,
    });
  return fields.filter(isSaid);
}

function fieldIn(part: Part, { reading }: Draft): ExpectedField | null {
  const { findings } = reading;
  const fields = fieldsIn(part, findings);
  if (fields === null) return null;
  findings.keys(fields, ['path', 'match', 'required', 'weight', 'tolerance', 'relative', 'formats']);
  const path = requiredText(fields, 'path', 'a field', findings);
  const kind = wordIn(fieldOf(fields, 'match'), ['exact', 'numeric-tolerance', 'date'] as const, findings);
  const tolerance = numberIn(fieldOf(fields, 'tolerance'), findings, { min: 0 }) ?? 0;
  const relative = booleanIn(fieldOf(fields, 'relative'), findings) ?? false;
  const formats = textsIn(fieldOf(fields, 'formats'), findings) ?? [];
  if (path === null) return null;
  return {
    path,
    match:
      kind === 'numeric-tolerance'
        ? { kind, tolerance, relative }
        : kind === 'date'
          ? { kind, formats }
          : { kind: 'exact' },
    required: booleanIn(fieldOf(fields, 'required'), findings) ?? true,
    weight: numberIn(fieldOf(fields, 'weight'), findings, WEIGHTS) ?? 1,
  };
}
