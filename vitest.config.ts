import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { totals } from './test/helpers/totals.ts';

/** They take minutes: begun last, they would end alone. */
const LONGEST = [
  'faults/kill',
  'faults/faults',
  'e2e/tapes',
  'e2e/queue',
  'conformance/executor',
  'e2e/fleet',
  'e2e/eval-faults',
  'cli/test',
  'e2e/eval-judge',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const isOf = (name: string) => (file: TestSpecification) => file.moduleId.endsWith(`/${name}.test.ts`);
    const first = LONGEST.flatMap((name) => rest.filter(isOf(name)));
    return [...first, ...rest.filter((file) => !first.includes(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A test of an agent, or of workers, mostly waits for them.
    maxWorkers: 2 * availableParallelism(),
    // Nothing keeps state in its module, and to load all of it anew for each file takes a minute.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/helpers/seed.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', totals],
  },
});
