/** Reads what a hook of a package said, and says it in the words of the agent CLI. */
export type Fields = Readonly<Record<string, unknown>>;

export interface Ended {
  /** null: it never started, or was ended by us. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** It wrote more than is kept. */
  readonly truncated: boolean;
  readonly failure: string | null;
}

export interface Reading {
  readonly decision: 'allow' | 'ask' | 'block' | 'none';
  readonly reason: string;
  readonly error: string | null;
  /** What the CLI is told. */
  readonly answer: { readonly exitCode: number; readonly stdout: string; readonly stderr: string };
}

const MAX_LINE = 200;
const NO_REASON = 'blocked by a hook that gave no reason';

export function readHook(ended: Ended, event: string, engineEvent: string): Reading {
  const { exitCode, stdout, stderr } = ended;
  const passed = (code: number, error: string | null): Reading => ({
    decision: 'none',
    reason: '',
    error,
    answer: { exitCode: code, stdout, stderr },
  });
  if (exitCode === null) {
    const failed = passed(1, ended.failure);
    return { ...failed, answer: { ...failed.answer, stderr: `${stderr}the hook ${ended.failure}\n` } };
  }
  if (exitCode === 2) {
    const reason = stderr.trim() || NO_REASON;
    const answer = { exitCode, stdout, stderr: stderr.trim() ? stderr : `${NO_REASON}\n` };
    return { decision: 'block', reason, error: interpreterError(stderr), answer };
  }
  if (exitCode !== 0) return passed(exitCode, exitError(exitCode, stderr));
  if (!stdout.trimStart().startsWith('{')) return passed(0, null);
  try {
    return readAnswer(JSON.parse(stdout) as Fields, event, engineEvent);
  } catch (problem) {
    const broken = `printed JSON that is broken: ${(problem as Error).message}`;
    return passed(0, ended.truncated ? 'printed more than is read of a hook' : broken);
  }
}

/** Shells and Python exit with 2 when they cannot read the script: the call is blocked, but not by the hook. */
function interpreterError(stderr: string): string | null {
  const line =
    /^\S*sh: (?:line )?\d+: (?:cannot open|syntax error).*$/im.exec(stderr)?.[0] ??
    /^\S*sh: (?:-c: )?(?:line \d+: )?syntax error.*$/im.exec(stderr)?.[0] ??
    /^\S*python\S*: can't open file.*$/im.exec(stderr)?.[0] ??
    // Called with an option that it does not have, an interpreter never got to the script.
    /^\S*sh: \d+: illegal option .*$/im.exec(stderr)?.[0] ??
    /^\S*sh: -\S+: invalid option$(?=\s+usage:)/im.exec(stderr)?.[0] ??
    /^unknown option: -\S+$(?=\s+usage: \S*python)/im.exec(stderr)?.[0];
  return line ? `exited with 2 because its interpreter failed: ${line}` : null;
}

function exitError(exitCode: number, stderr: string): string {
  const meaning = exitCode === 127 ? ' (not found)' : exitCode === 126 ? ' (not executable)' : '';
  const lines = stderr.trim().split('\n');
  const telling = lines.find((line) => /error|not found|cannot|can't|no such/i.test(line)) ?? lines.at(-1);
  return `exited with ${exitCode}${meaning}${telling ? `: ${telling.trim().slice(0, MAX_LINE)}` : ''}`;
}

function readAnswer(output: Fields, event: string, engineEvent: string): Reading {
  const specific = isFields(output['hookSpecificOutput']) ? output['hookSpecificOutput'] : {};
  const nested = isFields(specific['decision']) ? specific['decision'] : {};
  const said = specific['permissionDecision'] ?? nested['behavior'] ?? output['decision'];
  const stops = said === undefined && output['continue'] === false;
  // Both CLIs hold back a prompt that is answered so; a tool call they carry out.
  const decision = decisionOf(said) ?? (stops && event === 'pre-prompt' ? 'block' : 'none');
  const told = [
    specific['permissionDecisionReason'],
    nested['message'],
    output['reason'],
    output['stopReason'],
  ].find((it) => typeof it === 'string' && it.trim());
  const reason = typeof told === 'string' ? told : decision === 'block' ? NO_REASON : '';
  let error: string | null = null;
  if (said !== undefined && decision === 'none')
    error = `decided ${JSON.stringify(said)}, which is none of allow, deny, ask and block`;
  else if (stops && event === 'pre-tool-use')
    error = 'said continue: false, which does not keep the tool from running';
  const answer =
    decision === 'block'
      ? blocking(output, specific, reason, event, engineEvent)
      : { ...without(output, 'hookSpecificOutput'), ...about({ ...specific, hookEventName: engineEvent }) };
  return {
    decision,
    reason,
    error,
    answer: { exitCode: 0, stdout: `${JSON.stringify(answer)}\n`, stderr: '' },
  };
}

function decisionOf(said: unknown): Reading['decision'] | null {
  if (said === 'deny' || said === 'block') return 'block';
  if (said === 'allow' || said === 'approve') return 'allow';
  return said === 'ask' ? 'ask' : null;
}

/** CLIs pass over a decision in the words of another event, so a block is told in those of this one. */
function blocking(
  output: Fields,
  specific: Fields,
  reason: string,
  event: string,
  hookEventName: string,
): Fields {
  const rest = without(output, 'decision', 'reason', 'hookSpecificOutput');
  const others = without(specific, 'decision', 'permissionDecision', 'permissionDecisionReason');
  if (event === 'pre-tool-use') {
    const denial = { permissionDecision: 'deny', permissionDecisionReason: reason };
    return { ...rest, ...about({ ...others, hookEventName, ...denial }) };
  }
  if (event === 'permission-request') {
    const denial = { decision: { behavior: 'deny', message: reason } };
    return { ...rest, ...about({ ...others, hookEventName, ...denial }) };
  }
  return { ...rest, decision: 'block', reason, ...about({ ...others, hookEventName }) };
}

/** The part of an answer that is about one event; nothing when it says nothing. */
function about(specific: Fields): Fields {
  return Object.keys(specific).length > 1 ? { hookSpecificOutput: specific } : {};
}

function without(fields: Fields, ...keys: string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
