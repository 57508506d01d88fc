/** Makes the tapes of the examples anew, after a change to them, to their scripts or to the versions of the agents. */
import process from 'node:process';
import { startVitest } from 'vitest/node';

const vitest = await startVitest('test', [], { watch: false, include: ['test/examples/record-tapes.ts'] });
const failed = vitest.state.getCountOfFailedTests() > 0 || process.exitCode;
await vitest.close();
process.exitCode = failed ? 1 : 0;
