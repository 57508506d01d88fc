/** Hooks: events that exist, matchers that compile, scripts that are there and can run. */
import type { Diagnostic, Located, Path } from '../../model/diagnostic.ts';
import type { HooksFile } from '../../model/hooks.ts';
import { HOOK_EVENTS } from '../../model/names.ts';
import type { AgentPackage, Inventory } from '../../model/package.ts';
import { startedFiles } from '../shell.ts';
import { packageFile } from './package-file.ts';
import { error, suggest, warning } from './report.ts';

export function* hookRules({ hooks, files }: AgentPackage): Iterable<Diagnostic> {
  if (!hooks) return;
  for (const [event, groups] of Object.entries(hooks.value.hooks)) {
    if (!Object.hasOwn(HOOK_EVENTS, event)) {
      yield warning(
        hooks,
        ['hooks', event],
        'unknown-event',
        `${JSON.stringify(event)} is not a known event`,
        suggest(event, Object.keys(HOOK_EVENTS), 'events') ?? `known: ${Object.keys(HOOK_EVENTS).join(', ')}`,
        'key',
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
    const { message } = problem as Error;
    const whole = message.replace(/^Invalid regular expression: /, '');
    const reason = whole.length < 200 ? whole : message.slice(message.lastIndexOf(': ') + 2);
    yield error(hooks, at, 'bad-regex', `the matcher does not compile: ${reason}`);
  }
}

/** The script each simple command starts must be in the package, and executable unless an interpreter reads it. */
function* scripts(
  hooks: Located<HooksFile>,
  at: Path,
  command: string,
  files: Inventory,
): Iterable<Diagnostic> {
  for (const { word, interpreted } of startedFiles(command)) {
    yield* packageFile(hooks, at, word, files, {
      noun: 'hook scripts',
      folder: 'hooks/',
      mustRun: !interpreted,
    });
  }
}
