import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/reporters';

/** Closes the run with one plain line that any CI can read. */
const totals: Reporter = {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) for (const test of module.children.allTests()) count[test.result().state]++;
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  },
};

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests of agents mostly wait for them.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default', totals],
  },
});
