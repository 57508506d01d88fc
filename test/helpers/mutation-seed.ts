/** For mutation testing: no mutant survives by luck, nobody reads how one was caught, and there are thousands of them. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1, numRuns: 30, endOnFailure: true });
