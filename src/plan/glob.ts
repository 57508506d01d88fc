/** Whether a text fits a pattern with `*` (anything, also slashes), `?` (one character) and `[abc]`. */
export function fitsGlob(pattern: string, text: string): boolean {
  const parts = pattern.match(PART) ?? [];
  const signs = [...text];
  let at = 0;
  let part = 0;
  let star: { readonly part: number; at: number } | null = null;
  // Only the last star can give way: so the time is bounded by the lengths of both, whatever the pattern.
  while (at < signs.length) {
    if (parts[part]?.startsWith('*')) {
      star = { part, at };
      part += 1;
    } else if (fitsOne(parts[part], signs[at] ?? '')) {
      part += 1;
      at += 1;
    } else if (star) {
      star.at += 1;
      at = star.at;
      part = star.part + 1;
    } else return false;
  }
  return parts.slice(part).every((it) => it.startsWith('*'));
}

const PART = /\*+|\[[^\]]+\]|[\s\S]/gu;

function fitsOne(part: string | undefined, sign: string): boolean {
  if (part === undefined) return false;
  if (part === '?') return true;
  return part.length > 2 && part.startsWith('[') ? isIn(part.slice(1, -1), sign) : part === sign;
}

/** `abc`, `a-z`, or after `!` or `^` everything else. */
function isIn(set: string, sign: string): boolean {
  const isOther = /^[!^]./u.test(set);
  const signs = [...(isOther ? set.slice(1) : set)];
  let found = false;
  for (let index = 0; index < signs.length; index++) {
    const from = signs[index] ?? '';
    const to = signs[index + 1] === '-' ? signs[index + 2] : undefined;
    if (to !== undefined) index += 2;
    found ||= to === undefined ? sign === from : from <= sign && sign <= to;
  }
  return found !== isOther;
}
