/** Whether a file is an agentcarousel fixture, by the keys at its top. */
export function holdsFixture(file: string, text: string): boolean {
  return /\.(?:ya?ml|toml)$/i.test(file) && (SUBJECT.test(text) || (VERSION.test(text) && CASES.test(text)));
}

const SUBJECT = /^["']?skill_or_agent["']?\s*[:=]/m;
/** One that forgot to name its subject is a fixture all the same, with a mistake. */
const VERSION = /^["']?schema_version["']?\s*[:=]/m;
const CASES = /^(?:\[\[cases\]\]|cases\s*[:=])/m;
