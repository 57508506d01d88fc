/** Runs commands interleaved, several rounds, and compares their medians: machines are noisy, ratios less so. */
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

/** contestants: name → {argv, env?, cwd?, check(result)}; the first is the floor. Returns name → seconds (median). */
export function compare(contestants, rounds) {
  const times = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, contestant] of Object.entries(contestants)) {
      const seconds = time(name, contestant);
      // The first round warms the disk cache.
      if (round > 0) times[name].push(seconds);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

function time(name, { argv, env, cwd, check }) {
  const [file, ...args] = argv;
  const started = performance.now();
  const result = spawnSync(file, args, {
    env: env ?? process.env,
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const seconds = (performance.now() - started) / 1000;
  if (result.error) throw result.error;
  check(result, name);
  return seconds;
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
