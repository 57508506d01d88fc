/** Counts what was tried, for the line that closes a run of the tests. */
import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Things that a stranger tried. */
    attempts?: number;
    /** Secrets that were found where none may be. */
    leaks?: number;
  }
}

export function attempted({ task }: Pick<TestContext, 'task'>, attempts = 1): void {
  task.meta.attempts = (task.meta.attempts ?? 0) + attempts;
}

export function leaked({ task }: Pick<TestContext, 'task'>, leaks: readonly string[]): void {
  task.meta.leaks = (task.meta.leaks ?? 0) + leaks.length;
}
