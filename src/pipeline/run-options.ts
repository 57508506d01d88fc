/** The options of a run: by which name people know each, and which of them a run cannot change on its way. */
import type { RunOptions } from '../model/run.ts';

export type OptionName = keyof RunOptions;

/** Fixed are those that a verdict or a figure of the report may depend on. */
const OPTIONS: Readonly<Record<OptionName, { readonly flag: string; readonly isFixed: boolean }>> = {
  selection: { flag: 'the chosen cases', isFixed: true },
  evaluator: { flag: '--evaluator', isFixed: true },
  engine: { flag: '--engine', isFixed: true },
  target: { flag: '--target', isFixed: true },
  targetsFile: { flag: '--targets', isFixed: true },
  model: { flag: '--model', isFixed: true },
  judge: { flag: '--judge', isFixed: true },
  judgeVotes: { flag: '--judge-votes', isFixed: true },
  noJudge: { flag: '--no-judge', isFixed: true },
  judgeAll: { flag: '--judge-all', isFixed: true },
  runs: { flag: '--runs', isFixed: true },
  passThreshold: { flag: '--pass-threshold', isFixed: true },
  baseline: { flag: '--baseline', isFixed: true },
  timeoutSeconds: { flag: '--timeout', isFixed: true },
  sandbox: { flag: '--sandbox', isFixed: true },
  tape: { flag: '--tape, --tapes, --tape-strict, --tape-source', isFixed: true },
  outputBytes: { flag: '--max-output', isFixed: true },
  memoryBytes: { flag: '--max-memory', isFixed: true },
  diskBytes: { flag: '--max-disk', isFixed: true },
  cpuSeconds: { flag: '--max-cpu', isFixed: true },
  jobs: { flag: '--jobs', isFixed: false },
  keepWorkspace: { flag: '--keep-workspace', isFixed: false },
  maxCostUsd: { flag: '--max-cost-usd', isFixed: false },
  maxTokens: { flag: '--max-tokens', isFixed: false },
  output: { flag: '--output', isFixed: false },
  benchmarkJson: { flag: '--benchmark-json', isFixed: false },
  jsonl: { flag: '--jsonl', isFixed: false },
  outputs: { flag: '--junit, --markdown, --html', isFixed: false },
};

export const optionNames = Object.keys(OPTIONS) as OptionName[];

export function isFixed(name: OptionName): boolean {
  return OPTIONS[name].isFixed;
}

export function optionWords(name: OptionName): string {
  return OPTIONS[name].flag;
}

/** Without all that is only of this process. */
export function recordedOptions(options: RunOptions): RunOptions {
  return Object.fromEntries(optionNames.map((name) => [name, options[name]])) as RunOptions;
}
