/** The little TOML that Codex's files need. */
type Value = string | readonly string[] | Readonly<Record<string, string>>;

export function tomlTable(table: Readonly<Record<string, Value>>): string {
  return Object.entries(table)
    .map(([key, value]) => `${key} = ${tomlValue(value)}\n`)
    .join('');
}

function tomlValue(value: Value): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map(text).join(', ')}]`;
  const entries = Object.entries(value).map(([key, item]) => `${text(key)} = ${text(item)}`);
  return `{ ${entries.join(', ')} }`;
}

/** JSON's strings are TOML's, but for the DEL character and halves of surrogate pairs. */
function text(value: string): string {
  return JSON.stringify(value.toWellFormed()).replaceAll('\u007f', '\\u007f');
}
