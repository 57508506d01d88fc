/** Numbers that look random and are the same in every run. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** How many of `trials` pass at this rate. */
  passes(trials: number, rate: number): number;
}

export function random(seed: number): Random {
  // A linear congruence of 48 bits; 32 of them are given out.
  let state = BigInt(seed) * 0x9e3779b97f4a7c15n;
  const next = () => {
    state = (state * 0x5deece66dn + 0xbn) & 0xffffffffffffn;
    return Number(state >> 16n) / 2 ** 32;
  };
  const passes = (trials: number, rate: number) => {
    let passed = 0;
    for (let trial = 0; trial < trials; trial++) if (next() < rate) passed++;
    return passed;
  };
  return { next, passes };
}
