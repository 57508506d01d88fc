import { cwd } from 'node:process';
import { defineConfig } from 'vitest/config';

/** The quick tests of what Stryker changes: no program is started, nothing that was built is needed. */
export default defineConfig({
  test: {
    include: [
      'test/check/*.test.ts',
      'test/judge/{digest,json-answer,quotes,read-answer,same-model,scale,votes}.test.ts',
      'test/pipeline/journal*.test.ts',
      'test/report/stats/{compare,difference,stats}.test.ts',
    ],
    setupFiles: ['test/helpers/mutation-seed.ts'],
    // A mutant that never ends is killed and cannot tidy up: what it leaves goes with Stryker's copy.
    env: { TMPDIR: cwd() },
    testTimeout: 60_000,
  },
});
