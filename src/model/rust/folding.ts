/** The other spellings of a letter where case does not count. */
export function variants(code: number): number[] {
  const sign = String.fromCodePoint(code);
  const others = [sign.toLowerCase(), sign.toUpperCase(), sign.toLowerCase().toUpperCase()];
  return [...new Set(others)]
    .filter((it) => it !== sign && [...it].length === 1)
    .map((it) => it.codePointAt(0) ?? code);
}
