/** One entry of targets.yaml → the agent or model it stands for. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { MAX_CASE_SECONDS } from '../../../model/case.ts';
import type { JudgeProvider } from '../../../model/judgement.ts';
import type { ShellAgent, Target } from '../../../model/target.ts';
import { interpolate, type Lookup, missingVariable } from './environment.ts';
import { isFolder } from './files.ts';
import type { Findings } from './findings.ts';
import { type Fields, fieldOf, innerPart, keyOf, type Part } from './part.ts';
import { booleanIn, fieldsIn, numberIn, textIn } from './values.ts';

interface Context {
  readonly lookup: Lookup;
  readonly findings: Findings;
  /** Absolute: folder of the eval file. */
  readonly evalsDir: string;
}

type Kind = { readonly engine: string; readonly provider?: JudgeProvider };

const PROVIDERS: Readonly<Record<string, Kind>> = {
  claude: { engine: 'claude-code' },
  'claude-cli': { engine: 'claude-code' },
  'claude-code': { engine: 'claude-code' },
  'claude-sdk': { engine: 'claude-code' },
  codex: { engine: 'codex' },
  'codex-cli': { engine: 'codex' },
  cli: { engine: 'command' },
  mock: { engine: 'mock' },
  anthropic: { engine: 'completion', provider: 'anthropic' },
  openai: { engine: 'completion', provider: 'openai' },
  gemini: { engine: 'completion', provider: 'google' },
  google: { engine: 'completion', provider: 'google' },
  'google-gemini': { engine: 'completion', provider: 'google' },
};

const COMMON = [
  ...['name', 'provider', 'model', 'timeout_seconds', 'system_prompt', 'judge_target', 'grader_target'],
  ...['workspace_template', 'verbose', 'provider_batching'],
  ...['log_dir', 'log_directory', 'log_format', 'stream_log', 'stream_logs', 'subagent_mode_allowed'],
];
const OWN: Readonly<Record<string, readonly string[]>> = {
  command: ['command', 'cwd', 'files_format', 'attachments_format', 'healthcheck', 'keep_temp_files'],
  mock: ['response'],
};

const BY_HOST = 'keys and servers come from the environment: ANTHROPIC_API_KEY, OPENAI_BASE_URL and the like';
const NOT_HEARD: Readonly<Record<string, string>> = {
  api_key: BY_HOST,
  endpoint: BY_HOST,
  base_url: BY_HOST,
  version: BY_HOST,
  api_format: BY_HOST,
  executable: 'the program is found on the PATH, or by AAM_CLAUDE_BIN and AAM_CODEX_BIN',
  command: 'the program is found on the PATH, or by AAM_CLAUDE_BIN and AAM_CODEX_BIN',
  binary: 'the program is found on the PATH, or by AAM_CLAUDE_BIN and AAM_CODEX_BIN',
  args: 'arguments of one’s own are not passed to the agent',
  arguments: 'arguments of one’s own are not passed to the agent',
  cwd: 'each trial works in a fresh workspace',
  temperature: 'it is not set',
  max_output_tokens: 'it is not set',
  thinking_budget: 'it is not set',
  max_turns: 'it is not set; --timeout and --max-cost-usd bound a run',
  max_budget_usd: 'use --max-cost-usd',
  env: 'use env in evals/eval-config.json',
  workers: 'use --jobs',
  fallback_targets: 'another target is never taken silently',
  max_retries: 'the model is asked again by rules of aam’s own',
  retry_initial_delay_ms: 'the model is asked again by rules of aam’s own',
  retry_max_delay_ms: 'the model is asked again by rules of aam’s own',
  retry_backoff_factor: 'the model is asked again by rules of aam’s own',
  retry_status_codes: 'the model is asked again by rules of aam’s own',
};

/** null after reporting why it cannot be used. Its judge is found by the caller. */
export function makeTarget(part: Fields, name: string, context: Context): Target | null {
  const { findings } = context;
  const at = fieldOf(part, 'provider');
  const written = filledText(at, context)?.trim().toLowerCase().replaceAll('_', '-');
  const kind = written !== undefined && Object.hasOwn(PROVIDERS, written) ? PROVIDERS[written] : undefined;
  if (kind === undefined) {
    findings.error(at ?? part, {
      rule: 'unsupported-provider',
      message:
        at === null
          ? `the target ${name} names no provider`
          : `the target ${name} cannot be run: aam has nothing for the provider ${JSON.stringify(written)}`,
      hint: `providers: ${Object.keys(PROVIDERS).join(', ')}; or choose the agent:  --engine claude-code`,
    });
    return null;
  }
  findings.keys(part, [...COMMON, ...(OWN[kind.engine] ?? [])], NOT_HEARD);
  refuseBatching(part, name, findings);
  const model = filledText(fieldOf(part, 'model'), context)?.trim() || null;
  const shell = kind.engine === 'command' ? shellIn(part, name, context) : null;
  const response = kind.engine === 'mock' ? responseIn(part, name, context) : null;
  if (kind.engine === 'completion' && model === null)
    findings.error(part, { rule: 'missing-key', message: `the target ${name} needs a model` });
  const template = templateIn(fieldOf(part, 'workspace_template'), context);
  return {
    name,
    engine: kind.engine,
    model,
    timeoutSeconds: numberIn(fieldOf(part, 'timeout_seconds'), findings, {
      min: 0,
      max: MAX_CASE_SECONDS,
      above: true,
    }),
    instructions: filledText(fieldOf(part, 'system_prompt'), context)?.trim() || null,
    shell,
    provider: kind.provider ?? null,
    response,
    judge: null,
    ...(template !== null && { template }),
  };
}

/** The model that a target judges with; null: none that aam could ask. */
export function readJudge(part: Fields, lookup: Lookup): string | null {
  const provider = String(part.value['provider'] ?? '').toLowerCase();
  const kind = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  const written = part.value['model'];
  const model = typeof written === 'string' ? String(interpolate(written, lookup, () => {})).trim() : '';
  if (kind === undefined || model === '') return null;
  const owner = kind.provider ?? { 'claude-code': 'anthropic', codex: 'openai' }[kind.engine];
  return owner === undefined ? null : `${owner}/${model}`;
}

function shellIn(part: Fields, name: string, context: Context): ShellAgent | null {
  const { findings, evalsDir } = context;
  const command = filledText(fieldOf(part, 'command'), context)?.trim();
  if (!command) {
    findings.error(part, { rule: 'missing-key', message: `the target ${name} needs a command` });
    return null;
  }
  refuseQuotes(innerPart(part, 'command'), command, findings);
  const health = fieldsIn(fieldOf(part, 'healthcheck'), findings);
  const check = health && filledText(fieldOf(health, 'command'), context)?.trim();
  if (health)
    findings.keys(health, ['command', 'cwd'], {
      type: 'only a command can be run',
      url: 'only a command can be run',
      timeout_seconds: 'it has a time of its own',
    });
  const cwd = folderIn(fieldOf(part, 'cwd'), context);
  return {
    command,
    cwd: cwd ?? besideEvals(part, command, evalsDir, findings),
    filesFormat: filledText(fieldOf(part, 'files_format', 'attachments_format'), context) ?? '{path}',
    healthcheck:
      health && check ? { command: check, cwd: folderIn(fieldOf(health, 'cwd'), context) ?? cwd } : null,
  };
}

/** They are quoted already: in quotes a prompt would be another one, and its `$(…)` would be run. */
function refuseQuotes(at: Part, command: string, findings: Findings): void {
  let quote = '';
  for (const [token] of command.matchAll(/\\.|['"]|\{[A-Z_]+\}/gs)) {
    if (token === quote) quote = '';
    else if (quote === '' && (token === "'" || token === '"')) quote = token;
    else if (quote !== '' && PLACEHOLDERS.has(token)) {
      findings.error(at, {
        rule: 'quoted-placeholder',
        message: `${token} stands in quotes, and what it becomes has quotes of its own`,
        hint: `write ${token} without quotes around it`,
      });
      return;
    }
  }
}

const PLACEHOLDERS = new Set(
  ['PROMPT', 'PROMPT_FILE', 'OUTPUT_FILE', 'FILES', 'EVAL_ID', 'ATTEMPT'].map((name) => `{${name}}`),
);

/** Without a folder a command runs in the workspace; one that names a script beside the evals is meant to run there. */
function besideEvals(part: Fields, command: string, evalsDir: string, findings: Findings): string | null {
  const scripts = command.split(/\s+/).filter((it) => /^\.{0,2}[\w./-]+\.(?:[cm]?[jt]s|py|sh|rb)$/.test(it));
  if (!scripts.some((it) => existsSync(resolve(evalsDir, it)))) return null;
  findings.warn(innerPart(part, 'command'), {
    rule: 'working-folder',
    message: 'the command names a script in the folder of the eval file, so it runs there',
    hint: 'say so with cwd, relative to targets.yaml',
  });
  return evalsDir;
}

function responseIn(part: Fields, name: string, context: Context): string | null {
  const at = fieldOf(part, 'response');
  if (at === null) {
    context.findings.error(part, { rule: 'missing-key', message: `the target ${name} needs a response` });
    return null;
  }
  return typeof at.value === 'object' ? JSON.stringify(at.value) : (filledText(at, context) ?? null);
}

function templateIn(at: Part | null, context: Context): string | null {
  return at === null ? null : folderIn(at, context);
}

/** Relative to targets.yaml; null after reporting that it is not there, or where none is written. */
function folderIn(at: Part | null, context: Context): string | null {
  const written = filledText(at, context)?.trim();
  if (at === null || !written) return null;
  const path = resolve(dirname(at.doc.path), written);
  if (isFolder(path)) return path;
  context.findings.error(at, {
    rule: 'missing-file',
    message: `${keyOf(at)}: there is no folder ${JSON.stringify(written)}`,
    hint: 'paths are relative to targets.yaml',
  });
  return null;
}

/** Many tests in one run of the command is another protocol. */
function refuseBatching(part: Fields, name: string, findings: Findings): void {
  const at = fieldOf(part, 'provider_batching');
  if (booleanIn(at, findings) === true && at !== null)
    findings.error(at, {
      rule: 'unsupported',
      message: `the target ${name} wants all tests in one run of its command: each trial has a run of its own`,
    });
}

function filledText(part: Part | null, { lookup, findings }: Context): string | null {
  if (part === null) return null;
  const value = interpolate(part.value, lookup, (name) => findings.warn(part, missingVariable(name)));
  return textIn({ ...part, value }, findings);
}
