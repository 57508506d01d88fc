/** Not a test: `node scripts/make-example-tapes.js` runs it to make the tapes of the examples anew. */
import { expect, it } from 'vitest';
import { recordExample, TAPED_EXAMPLES } from '../helpers/example-tapes.ts';

const RECORDINGS = TAPED_EXAMPLES.flatMap(({ name, engines, exitCode }) =>
  engines.map((engine) => ({ name, engine, exitCode })),
);

it.each(RECORDINGS)('records $name with $engine', async ({ name, engine, exitCode }) => {
  const report = await recordExample(name, engine);
  expect(report.exit_code).toBe(exitCode);
  const warnings = report.cases.flatMap((it) => it.warnings);
  expect(warnings.filter((it) => it.includes('tape'))).toEqual([]);
});
