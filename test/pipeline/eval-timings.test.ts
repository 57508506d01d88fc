import { expect, it } from 'vitest';
import { timingsFor } from '../../src/pipeline/eval-timings.ts';

it('lets a stalled model show before the time of the case is up, however short that is', () => {
  for (const timeoutMs of [1_000, 1_500, 4_000, 60_000, 3_600_000]) {
    const { idleMs = 0, headerMs = 0, thinkingMs = 0, maxWaitMs = 0, connectMs = 0 } = timingsFor(timeoutMs);
    for (const ms of [idleMs, headerMs, thinkingMs, maxWaitMs, connectMs]) {
      expect(ms).toBeGreaterThanOrEqual(250);
      expect(ms).toBeLessThan(timeoutMs);
    }
  }
});

it('does not take the noise of a machine for a stalled model', () => {
  expect(timingsFor(100).idleMs).toBe(250);
});
