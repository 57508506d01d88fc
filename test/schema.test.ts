import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { jsonSchema, SCHEMAS, type SchemaName } from '../src/model/schemas.ts';
import { aam } from './helpers/cli.ts';

const folder = new URL('../schema/', import.meta.url);

describe('JSON Schemas', () => {
  it('in schema/ are those of the code', async () => {
    const names = Object.keys(SCHEMAS) as SchemaName[];
    expect((await readdir(folder)).sort()).toEqual(names.map((name) => `${name}.schema.json`).sort());
    for (const name of names) {
      const written = JSON.parse(await readFile(new URL(`${name}.schema.json`, folder), 'utf8'));
      expect(written).toEqual(JSON.parse(JSON.stringify(jsonSchema(name))));
    }
  });

  it('describe the names on disk, with required keys and defaults', () => {
    expect(jsonSchema('hook-test-case')).toMatchObject({
      required: ['name', 'event'],
      properties: { 'hook-index': { type: 'integer', default: 0 }, event: { type: 'string' } },
      additionalProperties: false,
    });
  });

  it('are listed and printed by aam schema', async () => {
    expect((await aam(['schema'])).stdout).toMatch(/^manifest +package\.agent\.json/m);
    const printed = await aam(['schema', 'eval-case']);
    expect(JSON.parse(printed.stdout).properties.judge.required).toEqual(['criteria']);
    expect(await aam(['schema', 'eval-cas'])).toMatchObject({
      code: 2,
      stderr: 'error: there is no schema eval-cas\n  did you mean eval-case?\n',
    });
  });
});
