/** Is the model that answered the one that was asked for? Servers name the exact one where an alias was given. */
export function isSameModel(asked: string, answered: string): boolean {
  const [wanted, got] = [bare(asked), bare(answered)];
  if (wanted === got) return true;
  // A family, as Claude Code takes it.
  if (/^[a-z]+$/.test(wanted)) return got.split('-').includes(wanted);
  const alias = wanted.replace(/-(?:latest|0)$/, '');
  return alias === got || (got.startsWith(alias) && DATE.test(got.slice(alias.length)));
}

/** What stands behind an alias in the name of the exact model: a date, or the number of a build. */
const DATE = /^[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{2}|\d{3,4})$/;

/** Without the folder some servers put models into. */
function bare(model: string): string {
  return model.toLowerCase().split('/').at(-1) ?? '';
}
