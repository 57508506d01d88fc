/** Covers folders of the host that must not be seen but lie in what a sandbox shows. */
import { existsSync, realpathSync } from 'node:fs';

/**
 * `shown`: folders that are mounted at their own place. `programs`: folders of PATH; those below a covered folder are
 * mounted once more, unless something hidden is in them.
 */
export function hidingArguments(
  hidden: readonly string[],
  shown: readonly string[],
  programs: readonly string[],
): string[] {
  const covered = coveredPlaces(hidden, shown);
  const kept = [...new Set(programs.filter((dir) => existsSync(dir)).map((dir) => realpathSync(dir)))];
  return covered.flatMap(({ place, real }) => {
    const again = kept.filter(
      (dir) =>
        isBelow(dir, real) &&
        !hidden.some((it) => isAtOrBelow(it, dir)) &&
        !NO_PROGRAMS.test(`${dir.slice(real.length)}/`),
    );
    const mounts = again.flatMap((dir) => ['--ro-bind', dir, place + dir.slice(real.length)]);
    return ['--tmpfs', place, ...mounts, '--remount-ro', place];
  });
}

/** With all links followed: paths are compared by where they lead. */
export function realPaths(paths: readonly string[]): string[] {
  return [...new Set(paths.filter((path) => existsSync(path)).map((path) => realpathSync(path)))];
}

const NO_PROGRAMS = /\/(?:node_modules|evals|tests|\.aam|\.git)\//;

interface Covered {
  /** Where it would be seen. */
  readonly place: string;
  readonly real: string;
}

/** A folder that is shown may be a link to one that is not, so both sides are followed to their ends. */
function coveredPlaces(hidden: readonly string[], shown: readonly string[]): Covered[] {
  const all = shown
    .filter((root) => existsSync(root))
    .flatMap((root) => {
      const real = realpathSync(root);
      return hidden
        .filter((path) => isAtOrBelow(path, real))
        .map((path) => ({ place: root + path.slice(real.length), real: path }));
    });
  return all.filter(
    ({ place }, index) =>
      !all.some((it, other) => isBelow(place, it.place) || (it.place === place && other < index)),
  );
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? folder : `${folder}/`);
}

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}
