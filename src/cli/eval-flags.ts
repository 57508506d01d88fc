/** What the flags of `aam eval` ask for. */
import { UserError } from '../model/errors.ts';
import type { EvaluatorName } from '../model/evaluators.ts';
import type { RunOptions } from '../model/run.ts';
import type { EvidenceOptions } from '../pipeline/eval-evidence.ts';
import type { ReportFormat } from '../pipeline/eval-outputs.ts';
import type { GivenOptions } from '../pipeline/resume.ts';
import { tagsIn } from './arguments.ts';
import { readArguments, readTargets } from './eval-arguments.ts';
import { fileAt, readOutputs } from './eval-files.ts';

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
  readonly targets?: string;
  readonly filter?: string[];
  readonly filterTags?: string[];
  readonly evaluator?: EvaluatorName | 'all';
  readonly dryRun?: boolean;
  readonly output?: string;
  readonly benchmarkJson?: string;
  readonly jsonl?: string;
  readonly jobs?: number;
  readonly timeout?: number;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly evidence?: string;
  readonly sign?: string;
  readonly json?: boolean;
  readonly sandbox?: 'bubblewrap' | 'none';
  readonly keepWorkspace?: boolean;
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly maxMemory?: number;
  readonly maxOutput?: number;
  readonly maxCpu?: number;
  readonly maxDisk?: number;
  readonly tape?: 'record' | 'replay' | 'off';
  readonly tapes?: string;
  readonly tapeStrict?: boolean;
  readonly tapeSource?: 'recorded' | 'scripted';
  /** true: the newest run that is not finished. */
  readonly resume?: string | true;
  readonly retryUndecided?: string | true;
  /** true: the address is in the environment. */
  readonly queue?: string | true;
  readonly workerTags?: string[];
  readonly engineVersion?: string;
  readonly queueWait?: number;
  readonly cwd?: string;
}

export interface Asked {
  /** As written; null: none. */
  readonly path: string | null;
  /** Only what was asked for. */
  readonly given: GivenOptions;
  /** Names of targets or agents. */
  readonly agents: readonly string[];
  readonly evidence: EvidenceOptions | null;
  /** The form of the report that goes to standard output instead of all else. */
  readonly printed: ReportFormat | null;
}

/** `cwd`: where relative paths start. */
export function readFlags(words: readonly string[], flags: EvalFlags, cwd: string): Asked {
  const { path, cases: named } = readArguments(words);
  const { agents, targets } = readTargets(flags.target ?? []);
  const { outputs, printed } = readOutputs(flags, cwd);
  const selection = {
    cases: [...named, ...(flags.case ?? [])],
    targets,
    filters: flags.filter ?? [],
    tags: tagsIn(flags.filterTags),
  };
  const at = (option: string, file: string | undefined) => fileAt(cwd, option, file) ?? undefined;
  const mib = (count: number | undefined) => (count === undefined ? undefined : count * MIB);
  const given = {
    selection: Object.values(selection).some(({ length }) => length > 0) ? selection : undefined,
    evaluator: flags.evaluator === 'all' ? undefined : flags.evaluator,
    engine: flags.engine,
    targetsFile: at('--targets', flags.targets),
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
      folder: at('--tapes', flags.tapes),
      strict: flags.tapeStrict,
      source: flags.tapeSource,
    }),
    outputBytes: mib(flags.maxOutput),
    memoryBytes: mib(flags.maxMemory),
    cpuSeconds: flags.maxCpu,
    diskBytes: mib(flags.maxDisk),
    jobs: flags.jobs,
    keepWorkspace: flags.keepWorkspace,
    maxCostUsd: flags.maxCostUsd,
    maxTokens: flags.maxTokens,
    output: at('-o', flags.output),
    benchmarkJson: at('--benchmark-json', flags.benchmarkJson),
    jsonl: at('--jsonl', flags.jsonl),
    outputs,
  };
  return { path, given: known(given), agents, evidence: evidenceOf(flags, cwd), printed };
}

const MIB = 1024 * 1024;

function evidenceOf({ evidence, sign }: EvalFlags, cwd: string): EvidenceOptions | null {
  const file = fileAt(cwd, '--evidence', evidence);
  if (file !== null) return { file, key: fileAt(cwd, '--sign', sign) };
  if (sign !== undefined)
    throw new UserError('--sign has nothing to sign', 'name the archive:  --evidence FILE.tar.gz');
  return null;
}

/** Of a run that begins. */
export function withDefaults({ tape, ...given }: GivenOptions): RunOptions {
  return { ...DEFAULTS, ...(known(given) as Partial<RunOptions>), tape: { ...DEFAULTS.tape, ...tape } };
}

const DEFAULTS: RunOptions = {
  selection: { cases: [], targets: [], filters: [], tags: [] },
  evaluator: null,
  engine: null,
  target: null,
  targetsFile: null,
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
  diskBytes: null,
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
