/** Runs `aam eval` as a user does, with the real CLIs and a scripted model on loopback. */
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import { aam, type CliResult } from './cli.ts';
import {
  type ModelRequest,
  type ModelServerOptions,
  modelServer,
  type Script,
  type Turn,
  verdicts,
} from './model-server.ts';
import { type Files, MANIFEST, skillText } from './package.ts';

export const HOST_KEY = 'sk-fake-host-key-never-in-the-sandbox';

export type AgentEngine = 'claude-code' | 'codex';

export const ENGINE_NAMES: readonly AgentEngine[] = ['claude-code', 'codex'];

const MODELS = { 'claude-code': 'claude-sonnet-5-5', codex: 'gpt-5.4' };

export interface EvalRun extends CliResult {
  readonly report: EvalReport;
  readonly requests: Awaited<ReturnType<typeof modelServer>>['requests'];
}

/** `--json` and the model are added. Unless the test has a judge, there is none. */
export async function runEval(
  root: string,
  engine: AgentEngine,
  script: Script,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  judge?: ModelServerOptions['judge'],
): Promise<EvalRun> {
  await using server = await modelServer(script, judge ? { judge } : {});
  const all = ['eval', '--json', '--engine', engine, '--model', MODELS[engine], ...args];
  if (!judge) all.push('--no-judge');
  const result = await aam(all, { cwd: root, env: { ...modelEnv(server.url), ...env } });
  if (result.stdout === '') throw new Error(`aam eval printed nothing: ${result.stderr}`);
  return { ...result, report: evalReport.parse(JSON.parse(result.stdout)), requests: server.requests };
}

export type Judge = (request: ModelRequest) => Turn;

/** A judge with one opinion, and what it quotes for it. */
export function judgeSays(verdict: 'PASS' | 'FAIL', evidence: readonly string[]): Judge {
  return (request) =>
    verdicts(request, [
      { id: criterionIn(request), verdict, reason: 'Because it is so.', evidence: [...evidence] },
    ]);
}

/** The id as the judge is told it. */
function criterionIn({ body }: ModelRequest): string {
  return /\\"id\\":\\"([^"\\]+)\\"/.exec(JSON.stringify(body))?.[1] ?? /"id":"([^"]+)"/.exec(body)?.[1] ?? '';
}

export function modelEnv(url: string): NodeJS.ProcessEnv {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: HOST_KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: HOST_KEY,
  };
}

/** A shell command, by the tool each agent has for it. */
export function shell(engine: AgentEngine, command: string): NonNullable<Turn['tools']>[number] {
  return engine === 'claude-code'
    ? { name: 'Bash', input: { command, description: 'Runs it' } }
    : { name: 'exec_command', input: { cmd: command } };
}

/** One command, then the end. */
export function commandScript(engine: AgentEngine, command: string, answer = 'Done.'): Script {
  return [{ text: 'Working.', tools: [shell(engine, command)] }, { text: answer }];
}

export function evalCase(name: string, more: object = {}): object {
  return { name, input: { prompt: 'Do it.' }, judge: { criteria: 'SECRET-CRITERIA-TEXT' }, ...more };
}

export const PACKAGE: Files = {
  'package.agent.json': MANIFEST,
  'skills/echo/SKILL.md': skillText('echo'),
  'evals/eval-config.json': { version: 1, engine: 'claude-code', timeout: 60 },
};

/** A package whose agent is a shell command. */
export function withOwnAgent(script: string, more: object = {}): Files {
  return {
    ...PACKAGE,
    'evals/eval-config.json': {
      version: 1,
      engine: 'command',
      timeout: 60,
      command: ['/bin/sh', '-c', script],
      ...more,
    },
  };
}

/** Runs such a package. */
export async function runOwnAgent(
  root: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<CliResult & { readonly report: EvalReport }> {
  const result = await aam(['eval', '--json', '--no-judge', ...args], { cwd: root, env });
  if (result.stdout === '') throw new Error(`aam eval printed nothing: ${result.stderr}`);
  return { ...result, report: evalReport.parse(JSON.parse(result.stdout)) };
}
