/** How long the gateway waits for what. */
export interface Timings {
  /** To get a connection to the upstream. */
  readonly connectMs: number;
  /** From sending a request to the first line of its answer. */
  readonly headerMs: number;
  /** Between two bytes of an answer. */
  readonly idleMs: number;
  /** Between two events of an answer, while signs of life come: models may think for long without a word. */
  readonly thinkingMs: number;
  /** How often one request is sent at most. */
  readonly attempts: number;
  /** The first pause when the upstream does not say how long to wait; doubles with every attempt. */
  readonly firstPauseMs: number;
  /** All pauses of one request together. An upstream that asks for more is not waited for at all. */
  readonly maxWaitMs: number;
}

export const DEFAULT_TIMINGS: Timings = {
  connectMs: 15_000,
  headerMs: 120_000,
  idleMs: 60_000,
  thinkingMs: 300_000,
  attempts: 4,
  firstPauseMs: 1_000,
  maxWaitMs: 60_000,
};
