import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { FORMATS } from '../../../src/load/formats.ts';
import { temporaryFolder } from '../../helpers/folder.ts';
import { document } from './arbitraries.ts';

it('reads whatever is written: each test is a case or has a mistake, and every finding has its place', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'evals'));
  const file = join(folder.path, 'evals/EVAL.yaml');
  await fc.assert(
    fc.asyncProperty(document, async (written) => {
      await writeFile(file, stringify(written, { aliasDuplicateObjects: false }));
      const { suite, broken, found, diagnostics } = await FORMATS.agentv.read(file);
      expect(suite.cases.length + broken.length).toBeLessThanOrEqual(found);
      const hasErrors = diagnostics.some((it) => it.severity === 'error');
      if (!hasErrors) expect(suite.cases).toHaveLength(found);
      for (const it of suite.cases) {
        const groups = it.scoring.mode === 'score' ? (it.scoring.groups ?? []) : [];
        const ids = [...it.graders, ...it.criteria, ...groups].map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const { members } of groups) for (const id of members) expect(ids).toContain(id);
        expect(JSON.parse(JSON.stringify(it))).toEqual(withOneZero(it));
      }
    }),
    { numRuns: 300 },
  );
});

/** JSON has no other. */
function withOneZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withOneZero);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, withOneZero(it)]));
}
