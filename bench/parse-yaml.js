/** The floor of loading: reads and parses every case file of a package. Nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parse } from 'yaml';

const folder = join(process.argv[2], 'evals', 'cases');
const cases = readdirSync(folder).map((name) => parse(readFileSync(join(folder, name), 'utf8')));
console.log(cases.filter(({ name, input }) => name && input.prompt).length);
