import { defineConfig } from 'vitest/config';
import type { Reporter } from 'vitest/reporters';
import './test/hostile/attempts.ts';

/** Closes the run with one plain line that any CI can read. */
const totals: Reporter = {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) for (const test of module.children.allTests()) count[test.result().state]++;
    const hostile = { attempts: 0, leaks: 0, held: true };
    for (const module of modules)
      for (const test of module.children.allTests()) {
        const { attempts = 0, leaks = 0 } = test.meta();
        hostile.attempts += attempts;
        hostile.leaks += leaks;
        if (attempts > 0 && test.result().state === 'failed') hostile.held = false;
      }
    if (hostile.attempts > 0)
      console.log(
        `\nhostile attempts: ${hostile.attempts}, ${hostile.held ? 'all held off' : 'not all held off'}; leaks found: ${hostile.leaks}`,
      );
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`);
  },
};

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They take minutes of processor time: npm run test:faults.
    exclude: ['test/faults/{faults,kill}.test.ts'],
    // Tests of agents mostly wait for them.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default', totals],
  },
});
