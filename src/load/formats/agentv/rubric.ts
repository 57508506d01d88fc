/** One criterion of a rubric: a text, or a map with weight, pass mark and words for ranges of scores. */
import type { Criterion, ScaleRange } from '../../../model/case.ts';
import { PASS_MARK } from './graded.ts';
import { type Fields, fieldOf, isFields, itemsOf, type Part } from './part.ts';
import type { Reading } from './reading.ts';
import { WEIGHTS } from './share.ts';
import { booleanIn, fieldsIn, numberIn, textIn } from './values.ts';

const TEXTS = ['outcome', 'expected_outcome', 'description', 'criterion', 'text'];
const HIGHEST = 10;

/** null after reporting what is wrong. */
export function readRubric(part: Part, fallbackId: string, reading: Reading, preface = ''): Criterion | null {
  const { findings } = reading;
  if (typeof part.value === 'string' && part.value.trim() !== '')
    return { id: fallbackId, text: `${preface}${part.value.trim()}`, weight: 1, required: false };
  const fields = fieldsIn(part, findings);
  if (fields === null) return null;
  findings.keys(fields, [
    ...TEXTS,
    ...['id', 'name', 'weight', 'required', 'required_min_score', 'min_score', 'score_ranges', 'operator'],
  ]);
  const id = textIn(fieldOf(fields, 'id', 'name'), findings)?.trim() || fallbackId;
  const ranges = fieldOf(fields, 'score_ranges');
  const scale = scaleIn(ranges, reading);
  const said = textIn(fieldOf(fields, ...TEXTS), findings)?.trim();
  const text = said || (ranges === null ? '' : id.replaceAll(/[_-]+/g, ' '));
  if (!text) {
    findings.error(part, { rule: 'missing-key', message: 'a criterion of a rubric needs an outcome' });
    return null;
  }
  const mark = passMark(fields, scale !== null, reading);
  return {
    id,
    text: `${preface}${contradicts(fields) ? `The answer does not contradict this: ${text}` : text}`,
    weight: numberIn(fieldOf(fields, 'weight'), findings, WEIGHTS) ?? 1,
    required: mark.required,
    ...(mark.minScore !== null && { minScore: mark.minScore }),
    ...((scale !== null || mark.minScore !== null) && { scale: scale ?? [] }),
  };
}

function contradicts(fields: Fields): boolean {
  return fieldOf(fields, 'operator')?.value === 'contradiction';
}

/** A score that must be reached makes the criterion one that must hold. */
function passMark(
  fields: Fields,
  isScaled: boolean,
  { findings }: Reading,
): { readonly required: boolean; readonly minScore: number | null } {
  const ofTen = numberIn(fieldOf(fields, 'required_min_score'), findings, {
    min: 0,
    max: HIGHEST,
    above: true,
  });
  const share = numberIn(fieldOf(fields, 'min_score'), findings, { min: 0, max: 1, above: true });
  const least = share ?? (ofTen === null ? null : ofTen / HIGHEST);
  const required = booleanIn(fieldOf(fields, 'required'), findings) ?? false;
  return { required: required || least !== null, minScore: least ?? (isScaled ? PASS_MARK : null) };
}

/** `{0: "…", 5: "…"}` names where ranges begin; a list gives both ends. */
function scaleIn(part: Part | null, reading: Reading): ScaleRange[] | null {
  if (part === null) return null;
  const ranges = Array.isArray(part.value)
    ? itemsOf(part).map((it) => rangeIn(it, reading))
    : isFields(part)
      ? rangesByStart(part, reading)
      : [null];
  if (ranges.length > 0 && ranges.every((it) => it !== null)) return ranges as ScaleRange[];
  reading.findings.error(part, {
    rule: 'wrong-value',
    message: 'score_ranges must say in words what scores from 0 to 10 mean',
    hint: 'write  0: …  5: …  10: …  or a list of  {score_range: [0, 4], outcome: …}',
  });
  return null;
}

function rangesByStart(part: Fields, { findings }: Reading): (ScaleRange | null)[] {
  const starts = Object.keys(part.value)
    .map((key) => ({ key, bounds: key.split('-').map((it) => Number(it.trim())) }))
    .sort((a, b) => (a.bounds[0] ?? 0) - (b.bounds[0] ?? 0));
  return starts.map(({ key, bounds: [from = Number.NaN, end] }, index) => {
    const next = starts[index + 1]?.bounds[0];
    const to = end ?? (next === undefined ? HIGHEST : next - 1);
    return range(from, to, textIn(fieldOf(part, key), findings));
  });
}

function rangeIn(part: Part, { findings }: Reading): ScaleRange | null {
  if (!isFields(part)) return null;
  const bounds = fieldOf(part, 'score_range', 'range')?.value;
  if (!Array.isArray(bounds) || bounds.length !== 2) return null;
  return range(bounds[0], bounds[1], textIn(fieldOf(part, ...TEXTS), findings));
}

function range(from: unknown, to: unknown, text: string | null): ScaleRange | null {
  const isScore = (it: unknown): it is number =>
    Number.isInteger(it) && Number(it) >= 0 && Number(it) <= HIGHEST;
  return isScore(from) && isScore(to) && from <= to && text !== null ? { from, to, text: text.trim() } : null;
}
