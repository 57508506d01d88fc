/** agentcarousel: fixtures in YAML or TOML, with mocks beside them. */
import type { Format } from '../../format.ts';
import { readFixture } from './suite.ts';

export const agentCarousel: Format = {
  title: 'agentcarousel fixtures',
  usualFiles: ['fixture.yaml', 'fixture.yml', 'fixture.toml', 'cases.yaml', 'cases.yml', 'cases.toml'],
  recognises: (file, text) => /\.(?:ya?ml|toml)$/i.test(file) && (SUBJECT.test(text) || isFixture(text)),
  read: readFixture,
};

const SUBJECT = /^["']?skill_or_agent["']?\s*[:=]/m;

/** One that forgot to name its subject is a fixture all the same, with a mistake. */
function isFixture(text: string): boolean {
  return /^["']?schema_version["']?\s*[:=]/m.test(text) && /^(?:\[\[cases\]\]|cases\s*[:=])/m.test(text);
}
