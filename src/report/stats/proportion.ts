/** What some trials of one case tell about its pass rate. */

/** The 97.5 % point of the normal distribution: two-sided 95 %. */
export const Z95 = 1.959963984540054;

export type Interval = readonly [low: number, high: number];

/** Wilson's score interval. Unlike the usual one it stays sensible for few trials and for rates of 0 and 1. */
export function wilson(passed: number, total: number, z = Z95): Interval | null {
  if (total === 0) return null;
  const rate = passed / total;
  const square = (z * z) / total;
  const centre = (rate + square / 2) / (1 + square);
  const half = (z * Math.sqrt((rate * (1 - rate) + square / 4) / total)) / (1 + square);
  // At the ends the limits are exact; rounding must not move them.
  return [passed === 0 ? 0 : Math.max(0, centre - half), passed === total ? 1 : Math.min(1, centre + half)];
}

/** Unbiased chance that at least one of k further trials passes, for k of 1 to `total`. */
export function passAtK(passed: number, total: number): number[] {
  return allOfK(total - passed, total).map((allFail) => 1 - allFail);
}

/** Unbiased chance that all of k further trials pass, for k of 1 to `total`. */
export function passAllK(passed: number, total: number): number[] {
  return allOfK(passed, total);
}

/** C(count, k) / C(total, k) for k of 1 to total, without large numbers. */
function allOfK(count: number, total: number): number[] {
  let product = 1;
  return Array.from({ length: total }, (_, drawn) => {
    product *= Math.max(0, count - drawn) / (total - drawn);
    return product;
  });
}
