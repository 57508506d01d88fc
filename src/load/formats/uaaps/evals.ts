/** `evals/` and the `tests/` folders. */
import type { z } from 'zod';
import type { Located } from '../../../model/diagnostic.ts';
import { evalCase, evalConfig } from '../../../model/evals.ts';
import type { Evals, HookTestSuite, Skill, SkillTestSuite } from '../../../model/package.ts';
import { hookTestCase, skillTestCase, testConfig } from '../../../model/tests.ts';
import type { PackageReader } from './reader.ts';

export async function readEvals(reader: PackageReader): Promise<Evals> {
  const dir = 'evals';
  const configFile = `${dir}/eval-config.json`;
  const config = reader.isFile(configFile) ? await reader.document(configFile, evalConfig) : null;
  const { cases } = await readCases(reader, `${dir}/cases`, evalCase);
  return { dir, config, cases };
}

export async function readSkillTests(reader: PackageReader, skill: Skill): Promise<SkillTestSuite | null> {
  const dir = skill.dir ? `${skill.dir}/tests` : 'tests';
  if (!reader.isDir(dir)) return null;
  const config = await readTestConfig(reader, dir);
  const { cases, broken } = await readCases(reader, `${dir}/cases`, skillTestCase);
  return { kind: 'skill', skill: skill.name, skillDir: skill.dir, dir, config, cases, broken };
}

export async function readHookTests(reader: PackageReader, dir: string): Promise<HookTestSuite | null> {
  if (!reader.isDir(dir)) return null;
  const config = await readTestConfig(reader, dir);
  const { cases, broken } = await readCases(reader, `${dir}/cases`, hookTestCase);
  return { kind: 'hooks', dir, config, cases, broken };
}

async function readTestConfig(reader: PackageReader, dir: string) {
  const file = `${dir}/test-config.json`;
  return reader.isFile(file) ? reader.document(file, testConfig) : null;
}

async function readCases<Schema extends z.ZodType>(reader: PackageReader, dir: string, schema: Schema) {
  const files = reader.children(dir).filter((path) => /\.ya?ml$/.test(path) && !reader.isDir(path));
  const read = await Promise.all(
    files.map(async (file) => ({ file, located: await reader.document(file, schema) })),
  );
  return {
    cases: read.map(({ located }) => located).filter((it): it is Located<z.output<Schema>> => it !== null),
    broken: read.filter(({ located }) => located === null).map(({ file }) => file),
  };
}
