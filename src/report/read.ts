/** The one door through which saved reports come in. What a report does not say yet is filled in, never invented. */
import { readFile } from 'node:fs/promises';
import { UserError } from '../model/errors.ts';
import { type EvalCaseRecord, type EvalReport, evalReport } from '../model/report.ts';
import { gatherCases, type TrialOutcome } from './cases.ts';
import { refuseContradictions } from './contradictions.ts';
import { exitCode, summarize } from './summary.ts';

/** Throws a UserError when the file is not there or is no report. */
export async function readReport(path: string): Promise<EvalReport> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new UserError(`there is no report ${path}`);
    if (error.code === 'EISDIR') throw new UserError(`${path} is a folder, not a report`);
    throw new UserError(`the report ${path} cannot be read: ${error.message}`);
  });
  return parseReport(text, path);
}

/** `path` is only for messages. */
export function parseReport(text: string, path: string): EvalReport {
  const document = parseJson(text, path);
  refuseOthers(document, path);
  const cases = document.cases.map((it, index) => fillCase(it, index, document, path));
  // Whatever has the wrong type is found in the next line.
  const report = fillReport(document, cases) as EvalReport;
  const checked = evalReport.safeParse(report);
  if (!checked.success) {
    const [problem] = checked.error.issues;
    const place = problem?.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
    throw new UserError(
      `${path} is no report that aam can read: ${place?.join('').slice(1)}: ${problem?.message}`,
      'its schema:  aam schema eval-report',
    );
  }
  refuseContradictions(report, path);
  return report;
}

type Document = Readonly<Record<string, unknown>>;

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch (error) {
    throw new UserError(`${path} is no report: it is not JSON (${(error as Error).message})`);
  }
}

function refuseOthers(value: unknown, path: string): asserts value is Document & { cases: unknown[] } {
  if (!isObject(value)) throw new UserError(`${path} is no report: it holds no JSON object`);
  const { version, cases } = value;
  if (typeof version === 'number' && version > 1)
    throw new UserError(
      `${path} was written by a newer aam (its version is ${version}, this one knows 1)`,
      'update aam',
    );
  if (version === 1 && Array.isArray(cases)) {
    if ('conclusion' in value) throw new UserError(`${path} is a diff of two reports, not a report`);
    return;
  }
  const what = Array.isArray(value['packages']) ? 'a report of aam test' : 'something else';
  throw new UserError(
    `${path} is no eval report but ${what}: it has no list of cases`,
    'reports are written to evals/reports/ by  aam eval',
  );
}

const NO_USAGE = {
  requests: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  models: [],
};

const NO_TOTAL = { ...NO_USAGE, cost_usd: null, cost_is_complete: false };

/** Of fields that a report may lack; the rest must be there. */
const TRIAL_DEFAULTS = {
  duration_seconds: 0,
  deterministic_checks: {},
  agent_output_snippet: '',
  judge_verdict: null,
  skills_activated: [],
  usage: NO_USAGE,
  cost_usd: null,
  warnings: [],
  tape: null,
  capture: null,
} as const;

const CASE_DEFAULTS = {
  ...TRIAL_DEFAULTS,
  target: null,
  description: null,
  file: null,
  line: null,
  case_hash: null,
} as const;

const JUDGE_DEFAULTS = {
  model: null,
  model_provider: null,
  transport: null,
  criteria: [],
  votes: [],
  prompt: null,
  duration_seconds: 0,
  usage: NO_USAGE,
  cost_usd: null,
} as const;

function fillCase(value: unknown, index: number, document: Document, path: string): EvalCaseRecord {
  if (!isObject(value) || typeof value['name'] !== 'string' || !isVerdict(value['verdict']))
    throw new UserError(`${path} is no report that aam can read: cases[${index}] has no name or no verdict`);
  const agent = isObject(document['agent']) ? document['agent'] : {};
  const outcome = filled(withJudge(value), {
    ...CASE_DEFAULTS,
    check_details: checkDetails(value['deterministic_checks']),
    agent: { model: agent['model'] ?? null, session_id: null },
    trial: `${value['name']}.1`,
  });
  const { trials } = outcome;
  if (Array.isArray(trials)) {
    const all = trials.map(fillTrial);
    const isWhole = all.every((it, place) => it === trials[place]);
    return (isWhole ? outcome : { ...outcome, trials: all }) as unknown as EvalCaseRecord;
  }
  const single: unknown = { ...outcome, arm: 'with', repetition: 1 };
  const [gathered] = gatherCases([single as TrialOutcome], 1);
  return gathered as EvalCaseRecord;
}

function fillTrial(value: unknown): unknown {
  return isObject(value) ? filled(withJudge(value), TRIAL_DEFAULTS) : value;
}

function withJudge(value: Document): Document {
  const { judge_verdict: judged } = value;
  if (!isObject(judged)) return value;
  const complete = filled(judged, JUDGE_DEFAULTS);
  return complete === judged ? value : { ...value, judge_verdict: complete };
}

/** The value itself when nothing is missing: large reports are mostly whole. */
function filled(value: Document, defaults: Document): Document {
  for (const key in defaults) if (value[key] === undefined) return { ...defaults, ...value };
  return value;
}

function isVerdict(value: unknown): boolean {
  return value === 'PASS' || value === 'FAIL' || value === 'SKIP';
}

/** A report that has only verdicts of checks says nothing more about them. */
function checkDetails(checks: unknown): EvalCaseRecord['check_details'] {
  return Object.entries(isObject(checks) ? checks : {}).map(([check, verdict]) => ({
    check,
    verdict: verdict as 'PASS' | 'FAIL',
    message: '',
  }));
}

function fillReport(document: Document, cases: readonly EvalCaseRecord[]): unknown {
  const part = (name: string) => partOf(document, name);
  const interrupted = document['interrupted'] === true;
  const summary = summarize(cases);
  const told = part('summary');
  const differs = (['total', 'passed', 'failed', 'skipped'] as const).some(
    (key) => told[key] !== undefined && told[key] !== summary[key],
  );
  const warnings = Array.isArray(document['warnings']) ? (document['warnings'] as string[]) : [];
  return {
    duration_seconds: 0,
    comparison: null,
    sandbox: null,
    tape: { mode: 'off', folder: null, source: null, recorded_at: null, note: null },
    ...document,
    config: {
      engine: 'unknown',
      engine_version: null,
      judge: null,
      timeout: 0,
      model: null,
      jobs: 1,
      writable_paths: null,
      env: [],
      runs: 1,
      pass_threshold: 1,
      baseline: false,
      ...part('config'),
    },
    agent: {
      runtime: 'unknown',
      runtime_version: null,
      model: null,
      model_provider: null,
      session_id: null,
      ...part('agent'),
    },
    judge: {
      model: null,
      model_provider: null,
      transport: null,
      votes: null,
      prompt_sha256: null,
      ...part('judge'),
      usage: { ...NO_TOTAL, ...partOf(part('judge'), 'usage') },
    },
    environment: {
      os: 'unknown',
      arch: 'unknown',
      aam_version: 'unknown',
      node_version: 'unknown',
      python_version: null,
      ...part('environment'),
    },
    package: { name: 'unknown', version: null, hash: null, git_commit: null, ...part('package') },
    usage: { ...NO_TOTAL, ...part('usage') },
    summary,
    warnings: differs
      ? [...warnings, 'the totals in this report’s file do not fit its cases; they were counted again']
      : warnings,
    interrupted,
    exit_code: exitCode(summary, interrupted),
    cases,
  };
}

function partOf(document: Document, name: string): Document {
  const part = document[name];
  return isObject(part) ? part : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
