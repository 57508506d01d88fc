/** One eval case for the skill, with its fixture. */
import type { Draft, ScaffoldOptions } from './draft.ts';

export function evalFiles({ skill, engine }: ScaffoldOptions): Draft[] {
  return [
    { path: 'evals/eval-config.json', content: { version: 1, engine, timeout: 120 }, schema: 'eval-config' },
    { path: 'evals/fixtures/release-notes.txt', content: RELEASE_NOTES },
    { path: 'evals/cases/keeps-within-limit.yaml', content: keepsWithinLimit(skill), schema: 'eval-case' },
  ];
}

const RELEASE_NOTES = `Version 2.4

Exports no longer stop at the first empty row. If a sheet had gaps, everything below them was left out, and
nothing said so; files written by 2.3 are worth a second look.

Start-up is quicker on slow disks, because the index is now read when it is first needed. On a laptop with a
full cache the difference is too small to see.

The old colour scheme is gone. Whoever still had it gets the light one, and can choose another under Settings.

Known problem: on a second screen with another scale factor, the tooltip may stand a few pixels off. A fix is
planned for 2.5; until then, moving the window once puts it right.
`;

function keepsWithinLimit(skill: string): string {
  return `name: keeps-within-limit
description: The agent counts with the script and compares with a limit
target: skill:${skill}
input:
  prompt: |
    Our announcement channel takes 100 words at most. How many words has fixtures/release-notes.txt,
    and does it fit?
  files:
    - fixtures/release-notes.txt
expected:
  contains:
    - "119"
judge:
  criteria: >
    The answer gives 119 words as an exact count, not as an estimate.
    It says that the text does not fit, and that it is 19 words too long.
    The count comes from running the skill's script, and no file was changed.
`;
}
