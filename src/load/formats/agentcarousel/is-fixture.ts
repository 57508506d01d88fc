/** Whether a file is a fixture of agentcarousel; `text` is its beginning. */
export function isFixture(file: string, text: string): boolean {
  if (!/\.(?:ya?ml|toml)$/i.test(file)) return false;
  return SUBJECT.test(text) || (VERSION.test(text) && CASES.test(text));
}

const SUBJECT = /^["']?skill_or_agent["']?\s*[:=]/m;
// One that forgot to name its subject is a fixture all the same, with a mistake.
const VERSION = /^["']?schema_version["']?\s*[:=]/m;
const CASES = /^(?:\[\[cases\]\]|cases\s*[:=])/m;
