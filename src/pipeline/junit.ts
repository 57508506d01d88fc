/** Writes the JUnit file of a test run. */
import { UserError } from '../model/errors.ts';
import type { TestReport } from '../model/test-report.ts';
import { junit } from '../report/junit.ts';
import { writeAtomically } from '../report/write.ts';

export async function writeJunit(path: string, report: TestReport): Promise<void> {
  try {
    await writeAtomically(path, junit(report));
  } catch (error) {
    throw new UserError(`the JUnit file ${path} could not be written: ${(error as Error).message}`);
  }
}
