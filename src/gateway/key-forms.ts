/** The forms in which a key may be repeated: as it is, escaped, in base64. */

/** What is shorter stands in too many innocent words. */
export const MIN_KEY_LENGTH = 8;

export function keyForms(key: string): string[] {
  const json = JSON.stringify(key).slice(1, -1);
  const encoded = encodeURIComponent(key);
  const base64 = Buffer.from(key).toString('base64');
  const inBase64 = [base64, ...[0, 1, 2].map((offset) => base64Inside(key, offset))];
  return [
    ...[key, json, json.replaceAll('/', '\\/'), encoded, encoded.replaceAll('%20', '+')],
    ...inBase64,
    ...inBase64.map((it) => it.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')),
  ];
}

/** The part of the base64 form that does not depend on what stands before and after the key. */
function base64Inside(key: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(key)]);
  const before = Math.ceil((offset * 8) / 6);
  return bytes.toString('base64').slice(before, Math.floor((bytes.length * 8) / 6));
}

/** Finds any of the forms; null: there is none to find. */
export function formsPattern(forms: readonly string[]): RegExp | null {
  // The longest first, so that nothing of it is left over.
  const distinct = [...new Set(forms)].filter((it) => it !== '').sort((a, b) => b.length - a.length);
  return distinct.length === 0 ? null : new RegExp(distinct.map(patternFor).join('|'), 'g');
}

/** Escapes of URLs may be written in small letters. */
function patternFor(form: string): string {
  return form
    .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    .replace(/%[0-9A-F]{2}/g, (it) => `(?:${it}|${it.toLowerCase()})`);
}
