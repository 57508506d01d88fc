/** What several commands of one hook group come to. */
import type { ProcessOutcome } from '../model/process.ts';

/** Of several hooks: the one that blocked, else the first that failed, else the last that said something. */
export function decisive(outcomes: readonly ProcessOutcome[]): ProcessOutcome {
  const chosen =
    outcomes.find(blocks) ??
    outcomes.find(({ exitCode }) => exitCode !== 0) ??
    outcomes.findLast(({ stdout }) => stdout.bytes > 0) ??
    outcomes.at(-1);
  if (!chosen) throw new Error('a case ran no command');
  return chosen;
}

/** A block is exit code 2, or a decision in the JSON that was printed. */
function blocks({ exitCode, stdout }: ProcessOutcome): boolean {
  if (exitCode !== 0 || !stdout.text.trimStart().startsWith('{')) return exitCode === 2;
  try {
    const answer = JSON.parse(stdout.text);
    return answer.decision === 'block' || answer.hookSpecificOutput?.permissionDecision === 'deny';
  } catch {
    return false;
  }
}

/** What must not be said must be said by none of the commands. */
export function together(outcomes: readonly ProcessOutcome[]): ProcessOutcome {
  const joined = (stream: 'stdout' | 'stderr') => ({
    text: outcomes.map((outcome) => outcome[stream].text).join(''),
    bytes: 0,
    truncated: false,
  });
  return { ...decisive(outcomes), stdout: joined('stdout'), stderr: joined('stderr') };
}
