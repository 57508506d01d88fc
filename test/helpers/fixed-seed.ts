/** For mutation testing: whether a mutant survives is no matter of luck, and nobody reads how it was caught. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1, endOnFailure: true });
