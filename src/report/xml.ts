/** Writes XML. */

/** Children must be escaped already. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[],
): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeText(String(value)).replace(/\n/g, '&#10;')}"`,
  );
  const open = `<${name}${written.join('')}`;
  return children.length === 0 ? `${open}/>` : `${open}>\n${children.join('\n')}\n</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Characters that XML 1.0 forbids are replaced, not dropped: the reader should see that something was there. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
