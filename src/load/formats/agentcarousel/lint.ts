/** What is probably a slip in a fixture as a whole. */
import type { Located } from '../../../model/diagnostic.ts';
import type { FixtureFrame } from '../../../model/fixture.ts';
import type { Notes } from '../../notes.ts';
import type { Source } from '../../source.ts';
import { findSecrets } from './secrets.ts';

interface Around {
  readonly hasMocks: boolean;
  /** Of all cases. */
  readonly tags: readonly string[];
}

export function lintFixture(
  { value }: Located<FixtureFrame>,
  source: Source,
  notes: Notes,
  { hasMocks, tags }: Around,
): void {
  for (const key of ['risk_tier', 'certification_track'] as const)
    if (value.bundle_id !== undefined && value[key] === undefined)
      notes.warn(['bundle_id'], {
        rule: 'bundle',
        message: `a fixture with a bundle_id should have a ${key}`,
      });
  if (!tags.some((tag) => tag.toLowerCase() === 'smoke'))
    notes.warn(['cases'], {
      rule: 'no-smoke',
      message: 'no case has the tag smoke, so there is none to run on every change',
    });
  if (!hasMocks)
    notes.warn([], {
      rule: 'missing-mock',
      message:
        'there is no folder mocks beside the fixture or above it, so aam test decides none of its cases',
    });
  for (const { path, what } of findSecrets(source.value))
    notes.warn(path, {
      rule: 'secret',
      message: `this looks like ${what}`,
      hint: 'fixtures are shared: write a made-up value that does not look real',
    });
}
