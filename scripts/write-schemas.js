/** Writes schema/*.schema.json from the zod definitions, so that editors can use them from the package. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { jsonSchema, SCHEMAS } from '../dist/model/schemas.js';

const folder = new URL('../schema/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) rmSync(new URL(name, folder));
for (const name of Object.keys(SCHEMAS)) {
  writeFileSync(new URL(`${name}.schema.json`, folder), `${JSON.stringify(jsonSchema(name), null, 2)}\n`);
}
