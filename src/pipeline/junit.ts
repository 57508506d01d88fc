/** Writes the JUnit file of a test run. */
import { UserError } from '../model/errors.ts';
import type { TestReport } from '../model/test-report.ts';
import { junit } from '../report/junit.ts';
import { checkWritable, writeAtomically } from '../report/write.ts';

/** Says before the run that the file cannot be written. */
export async function checkJunit(path: string): Promise<void> {
  await checkWritable(path).catch((error: Error) => {
    throw new UserError(`the JUnit file ${path} cannot be written: ${error.message}`);
  });
}

export async function writeJunit(path: string, report: TestReport): Promise<void> {
  try {
    await writeAtomically(path, junit(report));
  } catch (error) {
    throw new UserError(`the JUnit file ${path} could not be written: ${(error as Error).message}`);
  }
}
