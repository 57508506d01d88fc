/** Claude Code as a judge: bare, without tools, one answer in a schema. */
import type { CliReading, JudgeCli } from './cli.ts';

export const claudeCli: JudgeCli = {
  id: 'claude-cli',
  provider: 'anthropic',
  command: ({ system, prompt, schema }, { start, arguments: given, env, configFiles, model }) => ({
    argv: [
      ...start,
      ...['--print', '--bare', '--tools', '', '--no-session-persistence', '--output-format', 'json'],
      // A model that answers in prose is reminded once.
      ...['--max-turns', '3', '--system-prompt', system, '--json-schema', JSON.stringify(schema)],
      ...given,
      ...(model === null ? [] : ['--model', model]),
    ],
    env,
    stdin: prompt,
    configFiles,
  }),
  read,
  costIn(stdout) {
    const cost = resultIn(stdout)?.['total_cost_usd'];
    return typeof cost === 'number' && cost >= 0 ? cost : null;
  },
};

function read(stdout: string): CliReading {
  const result = resultIn(stdout);
  if (result === null) return { state: 'cli-failed', message: null };
  const { subtype, is_error: isError, terminal_reason: terminal, stop_reason: stop } = result;
  if (stop === 'refusal') return { state: 'unusable', why: 'the model refused to answer' };
  if (typeof stop === 'string' && !WHOLE.has(stop))
    return { state: 'unusable', why: `the answer did not come to its end (${stop.slice(0, 50)})` };
  if (result['api_error'] === 'max_output_tokens') {
    return { state: 'unusable', why: 'the answer was too long and broke off' };
  }
  if (subtype === 'error_max_turns' || subtype === 'error_max_structured_output_retries') {
    return { state: 'unusable', why: 'the model gave no answer in the required form' };
  }
  // It says success for failures of the API too.
  if (terminal === 'api_error') {
    const status = result['api_error_status'];
    return {
      state: 'model-failed',
      status: typeof status === 'number' ? status : null,
      message: words(result),
    };
  }
  if (isError !== false || subtype !== 'success') return { state: 'cli-failed', message: words(result) };
  // A model that keeps to prose ends as a success as well.
  const answer = result['structured_output'];
  if (answer === undefined || answer === null) {
    return { state: 'unusable', why: 'the model answered in prose, not in the required form' };
  }
  return { state: 'answered', answer };
}

/** Why a model stops whose answer is whole. */
const WHOLE: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'tool_use']);

type Result = Readonly<Record<string, unknown>>;

function resultIn(stdout: string): Result | null {
  try {
    const value: unknown = JSON.parse(stdout);
    const isResult =
      typeof value === 'object' && value !== null && 'type' in value && value.type === 'result';
    return isResult ? (value as unknown as Result) : null;
  } catch {
    return null;
  }
}

function words(result: Result): string {
  const errors = Array.isArray(result['errors']) ? result['errors'].join('; ') : '';
  const said = typeof result['result'] === 'string' ? result['result'] : '';
  return (said || errors || `it ended with ${result['subtype']}`).slice(0, 300);
}
