/** `evals/` and the `tests/` folders. */
import type { z } from 'zod';
import type { Located } from '../../../model/diagnostic.ts';
import { evalCase, evalConfig } from '../../../model/evals.ts';
import type { Evals, HookTestSuite, Skill, SkillTestSuite } from '../../../model/package.ts';
import { hookTestCase, skillTestCase, testConfig } from '../../../model/tests.ts';
import type { PackageReader } from './reader.ts';

export async function readEvals(reader: PackageReader): Promise<Evals> {
  const dir = 'evals';
  const config = await reader.optional(`${dir}/eval-config.json`, evalConfig);
  const { cases } = await readCases(reader, dir, evalCase);
  return { dir, config, cases };
}

export async function readSkillTests(reader: PackageReader, skill: Skill): Promise<SkillTestSuite | null> {
  const dir = skill.dir ? `${skill.dir}/tests` : 'tests';
  if (!reader.isDir(dir)) return null;
  const config = await readTestConfig(reader, dir);
  const { cases, broken } = await readCases(reader, dir, skillTestCase);
  return { kind: 'skill', skill: skill.name, skillDir: skill.dir, dir, config, cases, broken };
}

export async function readHookTests(reader: PackageReader, dir: string): Promise<HookTestSuite | null> {
  if (!reader.isDir(dir)) return null;
  const config = await readTestConfig(reader, dir);
  const { cases, broken } = await readCases(reader, dir, hookTestCase);
  return { kind: 'hooks', dir, config, cases, broken };
}

function readTestConfig(reader: PackageReader, dir: string) {
  return reader.optional(`${dir}/test-config.json`, testConfig);
}

async function readCases<Schema extends z.ZodType>(reader: PackageReader, dir: string, schema: Schema) {
  const folder = `${dir}/cases`;
  const files = reader
    .children(folder)
    .filter(isYaml)
    .filter((path) => !reader.isDir(path));
  reportStrays(reader, dir, folder);
  const read = await Promise.all(
    files.map(async (file) => ({ file, located: await reader.document(file, schema) })),
  );
  return {
    cases: read.map(({ located }) => located).filter((it): it is Located<z.output<Schema>> => it !== null),
    broken: read.filter(({ located }) => located === null).map(({ file }) => file),
  };
}

/** Cases that would never run, because they stand in the wrong place or are not YAML. */
function reportStrays(reader: PackageReader, dir: string, folder: string): void {
  const hint = `cases are ${folder}/*.yaml`;
  const beside = reader.isDir(folder) ? [] : reader.children(dir).filter(isYaml);
  const json = reader.children(folder).filter((path) => path.endsWith('.json'));
  const nested = reader
    .children(folder)
    .filter((path) => reader.isDir(path) && reader.children(path).some(isYaml));
  for (const path of [...beside, ...json, ...nested]) reader.notRead(path, hint);
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
