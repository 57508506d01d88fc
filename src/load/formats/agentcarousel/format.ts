/** agentcarousel: fixtures in YAML or TOML, with mocks beside them. */
import type { Format } from '../../format.ts';
import { holdsFixture } from './holds-fixture.ts';
import { readFixture } from './suite.ts';

export const agentCarousel: Format = {
  title: 'agentcarousel fixtures',
  usualFiles: ['fixture.yaml', 'fixture.yml', 'fixture.toml'],
  recognises: holdsFixture,
  read: readFixture,
};
