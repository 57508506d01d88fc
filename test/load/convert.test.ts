/** What is written in another format loads back to the same cases. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeEvalsJson } from '../../src/load/formats/agent-skills/write.ts';
import { writeEvalYaml } from '../../src/load/formats/agentv/write.ts';
import { FORMATS } from '../../src/load/formats.ts';
import type { Case } from '../../src/model/case.ts';
import { findingLine, skillText, writePackage } from '../helpers/package.ts';

const ABOUT = { skill: 'csv-analyzer', origin: 'Agent Skills evals.json' };

/** All that decides how a case is run and graded. */
function meaning({
  name,
  description,
  prompt,
  files,
  graders,
  criteria,
  reference,
  scoring,
  metadata,
}: Case) {
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
  const checks = graders.map(({ options, minScore: _, ...it }) => ({
    ...it,
    options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== false)),
  }));
  return plain({
    ...{ name, description, prompt, reference, scoring, checks },
    files: files.map(({ to }) => to),
    criteria: criteria.map(({ id, text, weight, required }) => ({ id, text, weight, required })),
    metadata: Object.keys(metadata).sort(),
  });
}

async function thereAndBack(document: object) {
  await using pkg = await writePackage({
    'SKILL.md': skillText('csv-analyzer'),
    'data.csv': 'a,b\n',
    'evals/evals.json': document,
  });
  const before = await FORMATS['agent-skills'].read(join(pkg.root, 'evals/evals.json'));
  const { text: yaml, losses } = writeEvalYaml(before.suite.cases, ABOUT);
  await writeFile(join(pkg.root, 'evals/EVAL.yaml'), yaml);
  const between = await FORMATS.agentv.read(join(pkg.root, 'evals/EVAL.yaml'));
  const back = writeEvalsJson(between.suite.cases, ABOUT);
  await writeFile(join(pkg.root, 'evals/evals.json'), back.text);
  const after = await FORMATS['agent-skills'].read(join(pkg.root, 'evals/evals.json'));
  return { before, between, after, yaml, losses: [...losses, ...back.losses] };
}

const TRAPS = [
  'C:\\temp\\new \\d+ \\\\ \\"quoted\\"',
  'He said "yes", she said \'no\'',
  'key: value # not a comment',
  '- a list item',
  '---\nnot: a document\n...',
  '  leading and trailing  ',
  'line one\nline two\n\nline four\n',
  '\ttab\tinside',
  '日本語 🚀 ñ \u2028 \u00a0',
  'null',
  'true',
  '1e3',
  '0x1F',
  '@at `back` %percent !tag &anchor *alias',
  ['', ' and $', ' and {{question}}'].join('$' + '{{ HOME }}'),
  '|',
  '>-',
  'x'.repeat(300),
];

const text = fc.oneof(
  fc.constantFrom(...TRAPS),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
  fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 4 }).map((lines) => lines.join('\n')),
);
const filled = text.filter((it) => it.trim() !== '' && !it.includes('\0') && it.isWellFormed());

const assertion = fc.oneof(
  filled,
  fc.record({ text: filled, weight: fc.constantFrom(0, 1, 2.5), required: fc.boolean() }),
  fc.record({
    type: fc.constantFrom('contains', 'icontains', 'contains-any', 'not-contains'),
    value: fc.array(filled, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ type: fc.constantFrom('equals', 'starts-with', 'ends-with'), value: filled }),
  fc.record({ type: fc.constant('regex'), value: fc.constantFrom('\\d+\\s*"x"', '^a\\\\b$', '\\$\\{\\{') }),
  fc.record({ type: fc.constant('is-json'), negate: fc.boolean() }),
  fc.record({ type: fc.constant('files-created'), value: fc.constantFrom('out.txt', 'a b/ü.md') }),
  fc.record({ type: fc.constant('file-contains'), path: fc.constant('out.txt'), value: filled }),
);

const entry = fc.record(
  {
    id: fc.oneof(fc.nat(), fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/)),
    prompt: filled,
    expected_output: filled,
    files: fc.constantFrom(['data.csv'], ['data.csv', 'gone.csv']),
    assertions: fc.array(assertion, { maxLength: 4 }),
    description: filled,
    should_trigger: fc.boolean(),
    tags: fc.array(filled, { maxLength: 2 }),
  },
  { requiredKeys: ['id', 'prompt'] },
);

describe('conversion', () => {
  it('loads back to the same cases, whatever the texts', async () => {
    const entries = fc.uniqueArray(entry, {
      minLength: 1,
      maxLength: 4,
      selector: ({ id }) => String(id),
    });
    await fc.assert(
      fc.asyncProperty(entries, async (evals) => {
        const { before, between, after, yaml } = await thereAndBack({ skill_name: 'csv-analyzer', evals });
        fc.pre(before.broken.length === 0);
        const there = between.suite.cases.map(meaning);
        const errors = between.diagnostics.filter(
          ({ severity, rule }) => severity === 'error' && rule !== 'file_copy_error',
        );
        expect(errors.map(findingLine), yaml).toEqual([]);
        expect(there, yaml).toEqual(before.suite.cases.map(meaning));
        expect(after.suite.cases.map(meaning), yaml).toEqual(there);
      }),
      { numRuns: 150 },
    );
  });

  it.each(TRAPS)('keeps %j in every place', async (trap) => {
    const evals = [
      { id: 1, prompt: trap, expected_output: trap, assertions: [trap, `The text is ${trap} indeed`] },
      { id: 2, prompt: trap, expected_output: trap },
    ];
    const { before, between, after, losses } = await thereAndBack({ evals });
    expect(between.suite.cases.map(meaning)).toEqual(before.suite.cases.map(meaning));
    expect(after.suite.cases.map(meaning)).toEqual(before.suite.cases.map(meaning));
    expect(losses).toEqual([]);
  });

  it('keeps a file that is missing, and the failure it means', async () => {
    const { before, between, after } = await thereAndBack({
      evals: [{ id: 1, prompt: 'Sum.', files: ['gone.csv', 'data.csv'], assertions: ['It is right'] }],
    });
    for (const { suite } of [before, between, after])
      expect(suite.cases[0]?.fault).toMatchObject({ errorKind: 'file_copy_error', files: ['gone.csv'] });
  });
});
