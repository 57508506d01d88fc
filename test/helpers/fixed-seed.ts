/** Properties try the same values each time, so that whether a mutant survives is no matter of luck. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
