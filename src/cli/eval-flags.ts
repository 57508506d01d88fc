/** What the flags of `aam eval` ask for. */
import { resolve } from 'node:path';
import type { RunOptions } from '../model/run.ts';
import type { GivenOptions } from '../pipeline/resume.ts';
import { readArguments, readTargets } from './eval-arguments.ts';

export interface EvalFlags {
  readonly engine?: string;
  /** false: --no-judge. */
  readonly judge?: string | false;
  readonly judgeVotes?: number;
  readonly judgeAll?: boolean;
  readonly runs?: number;
  readonly passThreshold?: number;
  readonly baseline?: boolean;
  readonly model?: string;
  readonly case?: string[];
  readonly target?: string[];
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly benchmarkJson?: string;
  readonly jsonl?: string;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly json?: boolean;
  readonly sandbox?: 'bubblewrap' | 'none';
  readonly keepWorkspace?: boolean;
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly maxMemory?: number;
  readonly maxOutput?: number;
  readonly maxCpu?: number;
  readonly tape?: 'record' | 'replay' | 'off';
  readonly tapes?: string;
  readonly tapeStrict?: boolean;
  readonly tapeSource?: 'recorded' | 'scripted';
  /** true: the newest run that is not finished. */
  readonly resume?: string | true;
  readonly retryUndecided?: string | true;
  readonly cwd?: string;
}

export interface Asked {
  /** As written; null: none. */
  readonly path: string | null;
  /** Only what was asked for. */
  readonly given: GivenOptions;
}

/** `cwd`: where relative paths start. */
export function readFlags(words: readonly string[], flags: EvalFlags, cwd: string): Asked {
  const { path, cases: named } = readArguments(words);
  const { engine, targets } = readTargets(flags.target ?? [], flags.engine ?? null);
  const cases = [...named, ...(flags.case ?? [])];
  const at = (file: string | undefined) => (file === undefined ? undefined : resolve(cwd, file));
  const mib = (count: number | undefined) => (count === undefined ? undefined : count * MIB);
  const given = {
    selection: cases.length + targets.length > 0 ? { cases, targets } : undefined,
    engine: engine ?? undefined,
    model: flags.model,
    judge: typeof flags.judge === 'string' ? flags.judge : undefined,
    noJudge: flags.judge === false ? true : undefined,
    judgeVotes: flags.judgeVotes,
    judgeAll: flags.judgeAll,
    runs: flags.runs,
    passThreshold: flags.passThreshold,
    baseline: flags.baseline,
    timeoutSeconds: flags.timeout,
    sandbox: flags.sandbox,
    tape: known({
      mode: flags.tape,
      folder: at(flags.tapes),
      strict: flags.tapeStrict,
      source: flags.tapeSource,
    }),
    outputBytes: mib(flags.maxOutput),
    memoryBytes: mib(flags.maxMemory),
    cpuSeconds: flags.maxCpu,
    jobs: flags.jobs,
    keepWorkspace: flags.keepWorkspace,
    maxCostUsd: flags.maxCostUsd,
    maxTokens: flags.maxTokens,
    output: at(flags.output),
    benchmarkJson: at(flags.benchmarkJson),
    jsonl: at(flags.jsonl),
    outputs: known({ junit: at(flags.junit), markdown: at(flags.markdown), html: at(flags.html) }),
  };
  return { path, given: known(given) };
}

const MIB = 1024 * 1024;

/** Of a run that begins. */
export function withDefaults({ tape, ...given }: GivenOptions): RunOptions {
  return { ...DEFAULTS, ...(known(given) as Partial<RunOptions>), tape: { ...DEFAULTS.tape, ...tape } };
}

const DEFAULTS: RunOptions = {
  selection: { cases: [], targets: [] },
  engine: null,
  model: null,
  judge: null,
  judgeVotes: 1,
  noJudge: false,
  judgeAll: false,
  runs: null,
  passThreshold: 1,
  baseline: false,
  timeoutSeconds: null,
  sandbox: 'bubblewrap',
  tape: { mode: 'off', folder: null, strict: false, source: 'recorded' },
  outputBytes: null,
  memoryBytes: null,
  cpuSeconds: null,
  jobs: null,
  keepWorkspace: false,
  maxCostUsd: null,
  maxTokens: null,
  output: null,
  benchmarkJson: null,
  jsonl: null,
  outputs: {},
};

type Known<Value> = { [Key in keyof Value]?: Exclude<Value[Key], undefined> };

function known<Value extends object>(value: Value): Known<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined)) as Known<Value>;
}
