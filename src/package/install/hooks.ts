/** Hooks in the form Claude Code and Codex share. Each runs through the shim, which reports what it did. */
import { pathText } from '../../model/diagnostic.ts';
import { ENGINE_HOOK_EVENTS } from '../../model/hook-log.ts';
import type { HookGroup } from '../../model/hooks.ts';
import { own } from '../../model/own.ts';
import type { AgentPackage } from '../../model/package.ts';
import { json, lost, type Part, type ShimHook, type Where } from './installation.ts';

export interface HookTarget {
  readonly engine: 'claude-code' | 'codex';
  /** For messages. */
  readonly product: string;
  /** Where the agent looks for hooks. */
  readonly file: string;
  /** Events of packages that it does not have. */
  readonly missing: readonly string[];
  /** The longest it waits for a hook of an event, in seconds. */
  readonly longest: Readonly<Record<string, number>>;
}

const DEFAULT_TIMEOUT_SECONDS = 30;
/** The shim ends a slow hook itself: an agent that did so would leave nobody to report it. */
const SHIM_SECONDS = 5;
/** Trials run without anybody to ask or tell. */
export const NEVER_HAPPENS: ReadonlySet<string> = new Set(['permission-request', 'notification']);

export function* hookParts(
  { hooks: document }: AgentPackage,
  target: HookTarget,
  where: Where,
): Iterable<Part> {
  if (!document) return;
  const config: Record<string, object[]> = {};
  for (const [event, groups] of Object.entries(document.value.hooks)) {
    const name = target.missing.includes(event) ? undefined : own(ENGINE_HOOK_EVENTS, event);
    if (name === undefined) {
      yield lost(document.file, `${event} is not an event of ${target.product}, so its hooks never run`);
      continue;
    }
    if (NEVER_HAPPENS.has(event))
      yield lost(document.file, `${event} does not happen in a trial: nobody is there to be asked or told`);
    const installed = [];
    for (const [group, definition] of groups.entries()) {
      const shims = definition.hooks.map((_, index) =>
        shimHook(event, group, index, definition, target, where),
      );
      for (const hook of shims) {
        yield { hook };
        yield* losses(document.file, hook, target);
      }
      const commands = shims.filter(({ type }) => type === 'command');
      if (commands.length === 0) continue;
      installed.push({
        ...(definition.matcher !== undefined && { matcher: definition.matcher }),
        hooks: commands.map((hook) => ({
          type: 'command',
          command: [...where.shim, target.engine, event, group, hook.index].map(String).map(quoted).join(' '),
          timeout: hook.timeoutSeconds + SHIM_SECONDS,
        })),
      });
    }
    if (installed.length > 0) config[name] = installed;
  }
  if (Object.keys(config).length > 0) yield json(target.file, { hooks: config });
}

function shimHook(
  event: string,
  group: number,
  index: number,
  { hooks }: HookGroup,
  { longest }: HookTarget,
  { packageRoot }: Where,
): ShimHook {
  const entry = hooks[index];
  const timeoutSeconds = Math.min(entry?.timeout ?? DEFAULT_TIMEOUT_SECONDS, own(longest, event) ?? Infinity);
  const command = entry?.type === 'command' ? entry.command : null;
  const type = command === null ? 'prompt' : 'command';
  return { event, group, index, type, command, timeoutSeconds, packageRoot };
}

function* losses(file: string, hook: ShimHook, { product, longest }: HookTarget): Iterable<Part> {
  const place = pathText(['hooks', hook.event, hook.group, 'hooks', hook.index]);
  if (hook.type === 'prompt') yield lost(file, `${place} is a prompt; only commands are run`);
  const limit = own(longest, hook.event);
  if (hook.type === 'command' && limit !== undefined)
    yield lost(file, `${place} gets ${limit} s at most, because ${product} does not wait longer`);
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
