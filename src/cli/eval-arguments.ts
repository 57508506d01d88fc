/** What the words and targets of `aam eval` mean. */
import { UserError } from '../model/errors.ts';
import { RESERVED_ENGINES, SUPPORTED_ENGINES } from '../model/evals.ts';

/** A word with a slash or the ending of a data file is a path; every other one names a case. */
export function readArguments(words: readonly string[]): {
  readonly path: string | null;
  readonly cases: readonly string[];
} {
  const paths = words.filter(isPath);
  const [path = null, another] = paths;
  if (another !== undefined)
    throw new UserError(
      `one eval source at a time, not ${paths.join(' and ')}`,
      'run aam eval once for each',
    );
  return { path, cases: words.filter((word) => !isPath(word)) };
}

function isPath(word: string): boolean {
  return word === '.' || word === '..' || word.includes('/') || /\.(?:jsonl?|ya?ml|toml)$/i.test(word);
}

/** Names that other tools have for the agents. */
const AGENTS: Readonly<Record<string, string>> = { claude: 'claude-code' };

/** `kind:name` chooses cases; a single word names the agent to run. */
export function readTargets(
  written: readonly string[],
  engine: string | null,
): { readonly engine: string | null; readonly targets: readonly string[] } {
  const words = written.filter((it) => !it.includes(':'));
  const agents = [...new Set([...(engine === null ? [] : [engine]), ...words.map(agentNamed)])];
  if (agents.length > 1)
    throw new UserError(`one agent at a time, not ${agents.join(' and ')}`, 'run aam eval once for each');
  return { engine: agents[0] ?? null, targets: written.filter((it) => it.includes(':')) };
}

function agentNamed(word: string): string {
  const engine = Object.hasOwn(AGENTS, word) ? AGENTS[word] : word;
  const known = [...SUPPORTED_ENGINES, ...RESERVED_ENGINES].find((name) => name === engine);
  if (known !== undefined) return known;
  throw new UserError(
    `--target ${word} is not of the form skill:<name>, hook:<event> or agent:<name>, and no agent either`,
    `agents: ${[...Object.keys(AGENTS), ...SUPPORTED_ENGINES].join(', ')}`,
  );
}
