/** What the readers of all formats make of eval sources survives a journey. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readPackage } from '../../../src/load/formats/uaaps/package.ts';
import { readSuite } from '../../../src/load/formats/uaaps/suite.ts';
import { FORMATS, type FormatName } from '../../../src/load/formats.ts';
import type { Suite } from '../../../src/model/case.ts';
import { EXAMPLES } from '../../helpers/example-scripts/index.ts';
import { type Files, findingLine, writePackage } from '../../helpers/package.ts';
import { document } from '../../load/agentv/arbitraries.ts';
import { FULL_PACKAGE } from '../../package/full-package.ts';
import { AGENT_SKILLS, AGENTCAROUSEL, AGENTV } from './documents.ts';
import { afterJourney, asSent, sent, settingsAfterJourney } from './journey.ts';
import { EVERY_GRADER } from './whole.ts';

const SOURCES: readonly (readonly [FormatName, string, Files])[] = [
  ['agentv', 'evals/EVAL.yaml', AGENTV],
  ['agent-skills', 'evals/evals.json', AGENT_SKILLS],
  ['agentcarousel', 'fixture.yaml', AGENTCAROUSEL],
];

function expectToSurvive({ cases, settings }: Suite, root: string): void {
  for (const it of cases) {
    expect(afterJourney(it, root)).toStrictEqual(asSent(it));
    expect(sent(it, root)).not.toContain(root);
  }
  expect(settingsAfterJourney(settings, root)).toStrictEqual(JSON.parse(JSON.stringify(settings)));
}

async function load([format, file, files]: (typeof SOURCES)[number]) {
  const folder = await writePackage(files);
  const { suite, diagnostics } = await FORMATS[format].read(join(folder.root, file));
  const errors = diagnostics.filter(({ severity }) => severity === 'error').map(findingLine);
  return { suite, errors, root: folder.root, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('a journey is survived by', () => {
  it('every case of the examples', async () => {
    const entries = await readdir(EXAMPLES, { withFileTypes: true });
    const names = entries.filter((it) => it.isDirectory()).map(({ name }) => name);
    expect(names).not.toEqual([]);
    for (const name of names) {
      const root = join(EXAMPLES, name);
      const suite = readSuite(await readPackage(root));
      expect(suite.cases).not.toEqual([]);
      expectToSurvive(suite, root);
    }
  });

  it('a package that uses every field', async () => {
    await using folder = await writePackage(FULL_PACKAGE);
    const suite = readSuite(await readPackage(folder.root));
    expect(suite.cases).not.toEqual([]);
    expectToSurvive(suite, folder.root);
  });

  it.each(SOURCES)('what %s has', async (...source) => {
    await using loaded = await load(source);
    expect(loaded.errors).toEqual([]);
    expect(loaded.suite.cases).not.toEqual([]);
    expectToSurvive(loaded.suite, loaded.root);
  });

  it('graders of every kind, each of them from a format that has it', async () => {
    const kinds = new Set<string>();
    for (const source of SOURCES) {
      await using loaded = await load(source);
      for (const it of loaded.suite.cases) for (const { kind } of it.graders) kinds.add(kind);
    }
    expect([...kinds].sort()).toEqual(Object.keys(EVERY_GRADER).sort());
  });

  it('whatever becomes a case', async () => {
    await using folder = await writePackage({ 'evals/EVAL.yaml': '' });
    const file = join(folder.root, 'evals/EVAL.yaml');
    let survivors = 0;
    await fc.assert(
      fc.asyncProperty(document, async (written) => {
        await writeFile(file, stringify(written, { aliasDuplicateObjects: false }));
        const { suite } = await FORMATS.agentv.read(file);
        for (const it of suite.cases) expect(afterJourney(it, folder.root)).toStrictEqual(asSent(it));
        survivors += suite.cases.length;
      }),
      { numRuns: 200 },
    );
    expect(survivors).toBeGreaterThan(0);
  });
});
