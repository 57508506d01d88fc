import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/faults/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
