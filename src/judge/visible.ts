/** Text of others in a form in which nothing is hidden from a reader. */

/** Half characters become whole, line ends alike, and what cannot be seen is named. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (character) => `[U+${hex(character)}]`);
}

/** Control and format characters, private use and the tags that hide a message; joiners are part of words and emoji. */
const UNSEEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu;

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
