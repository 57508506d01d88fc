/** Text of others in a form in which nothing is hidden from a reader. */

/** Half characters become whole, line ends alike, and what cannot be seen is named. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(UNSEEN, (character) => `[U+${hex(character)}]`);
}

/** Control and format characters, private use, and whatever else leaves no trace: fillers, selectors, tags. */
const HIDDEN =
  '[\\p{Cc}\\p{Cf}\\p{Co}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2028\\u2029\\u2800]';
/** One joiner between two signs, and the selector that makes an emoji of a symbol, belong to what is seen. */
const JOINED =
  '(?<=[\\p{L}\\p{M}\\p{Extended_Pictographic}])[\\u200c\\u200d](?=[\\p{L}\\p{Extended_Pictographic}])';
const EMOJI = '(?<=\\p{Extended_Pictographic})\\ufe0f';

const UNSEEN = new RegExp(`(?=${HIDDEN})(?![\\n\\t])(?!${JOINED})(?!${EMOJI})[^]`, 'gu');

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
