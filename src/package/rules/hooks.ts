/** Hooks: events that exist, matchers that compile, scripts that are there and can run. */
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import type { HooksFile } from '../../model/hooks.ts';
import { HOOK_EVENTS, normalizePath, pathProblem } from '../../model/names.ts';
import type { AgentPackage, Inventory } from '../../model/package.ts';
import { error, suggest, warning } from './report.ts';

export function* hookRules({ hooks, files }: AgentPackage): Iterable<Diagnostic> {
  if (!hooks) return;
  for (const [event, groups] of Object.entries(hooks.value.hooks)) {
    if (!(event in HOOK_EVENTS)) {
      yield warning(
        hooks,
        ['hooks', event],
        'unknown-event',
        `${event} is not a known event`,
        suggest(event, Object.keys(HOOK_EVENTS), 'events'),
      );
    }
    for (const [index, group] of groups.entries()) {
      const at: Path = ['hooks', event, index];
      yield* matcher(hooks, [...at, 'matcher'], group.matcher);
      for (const [entryIndex, entry] of group.hooks.entries()) {
        if (entry.type !== 'command') continue;
        yield* scripts(hooks, [...at, 'hooks', entryIndex, 'command'], entry.command, files);
      }
    }
  }
}

function* matcher(hooks: Located<HooksFile>, at: Path, pattern: string | undefined): Iterable<Diagnostic> {
  if (pattern === undefined || pattern === '*') return;
  try {
    new RegExp(pattern);
  } catch (problem) {
    const reason = (problem as Error).message.replace(/^Invalid regular expression: /, '');
    yield error(hooks, at, 'bad-regex', `the matcher does not compile: ${reason}`);
  }
}

const INTERPRETERS = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'node', 'deno', 'bun', 'python', 'python3', 'ruby', 'perl', 'tsx'],
  ...['source', '.'],
]);

/** The script each simple command starts must be in the package, and executable unless an interpreter reads it. */
function* scripts(
  hooks: Located<HooksFile>,
  at: Path,
  command: string,
  files: Inventory,
): Iterable<Diagnostic> {
  for (const words of simpleCommands(command)) {
    const interpreted = INTERPRETERS.has(words[0] ?? '');
    const word = interpreted ? words.slice(1).find((it) => !it.startsWith('-')) : words[0];
    if (word === undefined) continue;
    const written = word.replace(/^\$(?:\{PACKAGE_ROOT\}|PACKAGE_ROOT)\//, './');
    // Without a slash it is a program on PATH; an absolute path is one of the system; the rest is only known at run time.
    if (!written.includes('/') || written.startsWith('/') || /[$`*?{}]/.test(written)) continue;
    const problem = pathProblem(written);
    if (problem) {
      const hint = 'hooks may only use files of the package';
      yield error(hooks, at, 'path-outside', `the path ${JSON.stringify(word)} ${problem}`, hint);
      continue;
    }
    const path = normalizePath(written);
    const entry = files.get(path);
    if (entry?.kind !== 'file') {
      const others = [...files.keys()].filter((name) => name.startsWith('hooks/'));
      yield error(hooks, at, 'missing-file', `${path} does not exist`, suggest(path, others, 'hook scripts'));
    } else if (!interpreted && !entry.executable) {
      yield error(hooks, at, 'not-executable', `${path} is not executable`, `chmod +x ${path}`);
    }
  }
}

/** The words of each simple command. Quotes group words; redirections and assignments are left out. */
function simpleCommands(command: string): string[][] {
  const tokens = command.matchAll(/\d*[<>]+&?\s*\S+|[|&;()\n]+|(?:"[^"]*"|'[^']*'|[^\s"'|&;<>()])+/g);
  const commands: string[][] = [[]];
  for (const [token] of tokens) {
    if (/^[|&;()\n]/.test(token)) commands.push([]);
    else if (/^\d*[<>]/.test(token)) continue;
    else if (commands.at(-1)?.length === 0 && /^(?:\w+=|exec$|env$)/.test(token)) continue;
    else commands.at(-1)?.push(token.replace(/["']/g, ''));
  }
  return commands;
}
