declare module 'jstat' {
  interface Discrete {
    cdf(k: number, n: number, p: number): number;
  }
  interface Library {
    readonly jStat: {
      readonly binomial: Discrete;
      readonly hypgeom: { pdf(k: number, population: number, successes: number, draws: number): number };
      readonly normal: {
        cdf(x: number, mean: number, sd: number): number;
        inv(p: number, mean: number, sd: number): number;
      };
      combination(n: number, k: number): number;
    };
  }
  const library: Library;
  export default library;
}
