/** Writes the JUnit file of a test run. */
import { dirname } from 'node:path';
import { UserError } from '../model/errors.ts';
import type { TestReport } from '../model/test-report.ts';
import { junit } from '../report/junit.ts';
import { checkWritable, writeAtomically } from '../report/write.ts';
import { requireOwnPlaces } from './output-places.ts';

/** Says before the run that the file cannot be written. `fixtures`: absolute paths of what is tested. */
export async function checkJunit(path: string, fixtures: readonly string[] = []): Promise<void> {
  await checkWritable(path).catch((error: Error) => {
    throw new UserError(`the JUnit file ${path} cannot be written: ${error.message}`);
  });
  const folders = [...new Set(fixtures.map((file) => dirname(file)))];
  await requireOwnPlaces([{ option: '--junit', path }], { files: fixtures, folders });
}

export async function writeJunit(path: string, report: TestReport): Promise<void> {
  try {
    await writeAtomically(path, junit(report));
  } catch (error) {
    throw new UserError(`the JUnit file ${path} could not be written: ${(error as Error).message}`);
  }
}
