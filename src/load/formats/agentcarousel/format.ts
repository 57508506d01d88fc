/** agentcarousel: fixtures in YAML or TOML, with mocks beside them. */
import type { Format } from '../../format.ts';
import { isFixture } from './is-fixture.ts';
import { readFixture } from './suite.ts';

export const agentCarousel: Format = {
  title: 'agentcarousel fixtures',
  usualFiles: ['fixture.yaml', 'fixture.yml', 'fixture.toml', 'cases.yaml', 'cases.yml', 'cases.toml'],
  recognises: isFixture,
  read: readFixture,
};
