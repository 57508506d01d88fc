/** Counts what was done to aam, for the lines that close a run of the tests. */
import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The kind of fault that was injected. */
    fault?: string;
    kills?: KillFigures;
  }
}

export interface KillFigures {
  points: number;
  /** That came to their end. */
  runs: number;
  /** Where the kills fell. */
  beforeRecord: number;
  amongTrials: number;
  afterTrials: number;
}

export function injected({ task }: Pick<TestContext, 'task'>, fault: string): void {
  task.meta.fault = fault;
}

export function killed({ task }: Pick<TestContext, 'task'>, kills: KillFigures): void {
  task.meta.kills = kills;
}
