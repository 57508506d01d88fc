/** What a shell command line starts, as far as can be told without running it. */

/** Interpreters, and the options after which code follows instead of a file. */
const INTERPRETERS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(['sh', 'bash', 'zsh', 'dash', 'ksh'].map((name) => [name, /^-\w*c/])),
  ...Object.fromEntries(
    ['node', 'deno', 'bun', 'tsx'].map((name) => [name, /^(?:-e|-p|-pe|--eval|--print)/]),
  ),
  python: /^-[cm]/,
  ruby: /^-e/,
  perl: /^-\w*[eE]/,
  source: /^$/,
  '.': /^$/,
};

export interface StartedFile {
  /** As written, without quotes. */
  readonly word: string;
  /** An interpreter reads it, so it need not be executable. */
  readonly interpreted: boolean;
}

/** The file each simple command starts. After a `cd`, relative paths mean something unknown and are left out. */
export function* startedFiles(command: string): Iterable<StartedFile> {
  let moved = false;
  for (const words of simpleCommands(command)) {
    const started = startedBy(words);
    if (started && !(moved && !started.word.startsWith('$'))) yield started;
    moved ||= words[0] === 'cd' || words[0] === 'pushd';
  }
}

function startedBy([program = '', ...rest]: readonly string[]): StartedFile | null {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/(?<=^python)[\d.]+$/, '');
  const inlineCode = Object.hasOwn(INTERPRETERS, name) ? INTERPRETERS[name] : undefined;
  // A word without a slash is a program on PATH.
  if (!inlineCode) return program.includes('/') ? { word: program, interpreted: false } : null;
  for (const word of rest) {
    if (inlineCode.test(word)) return null;
    if (word.startsWith('-') || word === 'run') continue;
    return word.includes('/') || /\.\w+$/.test(word) ? { word, interpreted: true } : null;
  }
  return null;
}

const REDIRECTION = /^\d*[<>]/;
const PREFIX = /^(?:\w+=.*|(?:.*\/)?env|exec|command|time|nohup)$/s;

/** The words of each simple command. Quotes group words; redirections, assignments and prefixes are left out. */
function simpleCommands(command: string): string[][] {
  const tokens = command.matchAll(
    /\d*[<>]+&?\s*(?:"[^"]*"|'[^']*'|[^\s"'|&;<>()])*|[|&;()\n]+|(?:"[^"]*"|'[^']*'|[^\s"'|&;<>()])+/g,
  );
  const commands: string[][] = [[]];
  for (const [token] of tokens) {
    if (/^[|&;()\n]/.test(token)) commands.push([]);
    else if (REDIRECTION.test(token)) continue;
    else if (commands.at(-1)?.length === 0 && PREFIX.test(token)) continue;
    else commands.at(-1)?.push(token.replace(/["']/g, ''));
  }
  return commands;
}
