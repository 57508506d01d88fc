/** Which hooks of a package can run with an engine, told before an agent is started. */

import { ENGINE_HOOK_EVENTS } from '../../model/hook-log.ts';
import { own } from '../../model/own.ts';
import type { AgentPackage } from '../../model/package.ts';
import { type HookTarget, NEVER_HAPPENS } from './hooks.ts';

/** Why no hook for the event can run; null: at least one can. `target` is null for engines without hooks. */
export function whyNoHook(
  { hooks }: AgentPackage,
  event: string,
  engine: string,
  target: HookTarget | null,
  others: readonly HookTarget[],
): string | null {
  if (target === null)
    return `the engine ${engine} runs no hooks, so ${event} cannot happen; ${elsewhere(event, others)}`;
  if (!knows(target, event))
    return `${event} is not an event of ${target.product}; ${elsewhere(event, others)}`;
  if (NEVER_HAPPENS.has(event))
    return `${event} does not happen in a trial: nobody is there to be asked or told, with no engine`;
  const groups = own(hooks?.value.hooks, event) ?? [];
  const entries = groups.flatMap((group) => group.hooks);
  return entries.length > 0 && entries.every(({ type }) => type === 'prompt')
    ? `all ${event} hooks are prompts, and only commands are run, with every engine`
    : null;
}

function knows({ missing }: HookTarget, event: string): boolean {
  return !missing.includes(event) && own(ENGINE_HOOK_EVENTS, event) !== undefined;
}

function elsewhere(event: string, others: readonly HookTarget[]): string {
  const able = others.filter((it) => knows(it, event) && !NEVER_HAPPENS.has(event));
  if (able.length === 0) return 'no engine can show it';
  return `run this case with ${able.map(({ engine }) => `--engine ${engine}`).join(' or ')}`;
}
