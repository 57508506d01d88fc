const LONGEST = 64;

/** The valid name nearest to a text, or '' when none of it can stay: `My Tools (2)` → `my-tools-2`. */
export function slug(text: string): string {
  return plain(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '');
}

/** Like `slug`, and a scope stays: `@My Org/Tools` → `@my-org/tools`. */
export function packageSlug(text: string): string {
  const [, scope, name] = /^@([^/]*)\/(.*)$/.exec(text) ?? [];
  if (scope === undefined || name === undefined) return slug(text);
  const plainScope = plain(scope)
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '');
  const plainName = slug(name);
  return plainScope && plainName ? `@${plainScope}/${plainName}` : plainName;
}

/** Lower case, without accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
}
