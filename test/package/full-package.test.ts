import { describe, expect, it } from 'vitest';
import { decode } from '../../src/load/decode.ts';
import { readPackage } from '../../src/load/formats/uaaps/package.ts';
import { parseJson } from '../../src/load/json.ts';
import { jsonSchema, SCHEMAS, type SchemaName } from '../../src/model/schemas.ts';
import { findingsOf, writePackage } from '../helpers/package.ts';
import { FULL_DOCUMENTS, FULL_PACKAGE } from './full-package.ts';

describe('a package that uses every field', () => {
  it('is clean', async () => {
    expect(await findingsOf(FULL_PACKAGE)).toEqual([]);
  });

  it('is read whole', async () => {
    await using written = await writePackage(FULL_PACKAGE);
    const pkg = await readPackage(written.root);
    expect(pkg).toMatchObject({
      shape: 'package',
      name: '@acme/full-package',
      version: '1.2.3-beta.1+build.5',
      instructions: 'AGENTS.md',
      skills: [{ name: 'pdf-tools', dir: 'skills/pdf-tools', file: 'skills/pdf-tools/SKILL.md' }],
      commands: [{ name: 'summarize', body: 'Summarize {{file}}, {{ pages }}.\n' }],
      agents: [{ name: 'reader', promptFile: 'agents/reader/system-prompt.md' }],
      evals: { config: { value: { sandbox: { writablePaths: ['src/', 'output/'] } } }, cases: [{}] },
      tests: [
        { kind: 'skill', skill: 'pdf-tools', dir: 'skills/pdf-tools/tests', cases: [{}], broken: [] },
        { kind: 'hooks', dir: 'hooks/tests', cases: [{}], broken: [] },
      ],
    });
    expect(pkg.rules.map(({ name, file }) => `${name} ${file}`)).toEqual([
      'under rules/deep/down/under/RULE.md',
      'more rules/more.rule.md',
      'old rules/old/RULE.md',
      'style rules/style/RULE.md',
      'local .aam/rules/local.rule.md',
    ]);
    expect(pkg.rules.find(({ name }) => name === 'old')?.frontmatter?.value.apply).toEqual({
      mode: 'files',
      globs: '*.ts',
    });
  });

  it.each(Object.entries(FULL_DOCUMENTS))(
    '%s is right, with every field of its schema',
    (file, { schema, value }) => {
      const { located, diagnostics } = decode(SCHEMAS[schema].schema, parseJson(JSON.stringify(value), file));
      expect(diagnostics).toEqual([]);
      expect(located).not.toBeNull();
      if (!schema.startsWith('eval-')) expectEveryField(schema);
    },
  );
});

/** For the documents that the format fixes; aam's own may grow. */
function expectEveryField(schema: SchemaName): void {
  const { properties, anyOf } = jsonSchema(schema) as {
    properties?: object;
    anyOf?: { properties: object }[];
  };
  const fields = Object.keys(properties ?? anyOf?.[0]?.properties ?? {}).filter((it) => it !== '$schema');
  const written = Object.values(FULL_DOCUMENTS)
    .filter((it) => it.schema === schema)
    .flatMap(({ value }) => Object.keys(value));
  expect(fields.filter((field) => !written.includes(field))).toEqual([]);
}
