/** A hook stopped the agent, as its own exit code and decision show; what the agent says about it proves nothing. */
import type { AgentEvent } from '../../model/agent-event.ts';
import { ENGINE_HOOK_EVENTS, type HookRun } from '../../model/hook-log.ts';
import { HOOK_EVENTS } from '../../model/names.ts';
import { own } from '../../model/own.ts';
import type { CheckResult } from '../check.ts';

export interface BlockEvidence {
  readonly hooks: readonly HookRun[];
  readonly events: readonly AgentEvent[];
  /** The package's own hooks that were installed: a block by any other hook says nothing about the package. */
  readonly installed: readonly InstalledHook[];
  /** Events of which the engine itself tells when a hook blocked: there, the shim's word alone is not enough. */
  readonly confirmed: readonly string[];
  /** Why the record of hooks is not whole; null: it is. */
  readonly gap: string | null;
  /** With hook:<event>, only a block by that event is the expected one. */
  readonly target: string | null;
}

export interface InstalledHook {
  readonly event: string;
  readonly group: number;
  readonly index: number;
  /** null: a prompt, which is not run. */
  readonly command: string | null;
}

export function agentBlocked(expected: boolean, evidence: BlockEvidence): CheckResult {
  const { hooks, events, target, gap } = evidence;
  const blocks = [
    ...hooks.filter(didBlock).map((run) => byShim(run, evidence)),
    ...events.flatMap((it) => byEngine(it, hooks)),
  ];
  const actual = hooks.map(({ event, exitCode, decision, error }) => ({ event, exitCode, decision, error }));
  if (!expected) {
    const [block] = blocks;
    if (block) return fail(false, block.text, actual);
    if (gap) return fail(false, `what the hooks did is not known to its end: ${gap}`, actual);
    const broken = hooks.find(({ error }) => error !== null);
    const note = broken ? `, but ${said(broken)}` : '';
    return { verdict: 'PASS', message: `no hook blocked (${hooks.length} ran)${note}`, actual };
  }
  const wanted = target?.startsWith('hook:') ? target.slice('hook:'.length) : null;
  const matching = blocks.filter(({ event }) => wanted === null || event === wanted);
  const earned = matching.find(({ flaw }) => flaw === null);
  if (earned) return { verdict: 'PASS', message: earned.text, actual };
  return fail(true, whyNot(hooks, matching[0] ?? null, blocks[0] ?? null, wanted), actual);
}

interface Block {
  readonly event: string;
  readonly text: string;
  /** Why this is no block that the hook decided. */
  readonly flaw: string | null;
}

function didBlock({ decision, event }: HookRun): boolean {
  return decision === 'block' && canBlock(event);
}

function canBlock(event: string): boolean {
  return own(HOOK_EVENTS, event)?.canBlock ?? true;
}

function byShim(run: HookRun, evidence: BlockEvidence): Block {
  const { event, toolName, reason, error } = run;
  if (error !== null) return { event, text: said(run), flaw: 'the hook itself decided nothing' };
  if (!isInstalled(run, evidence))
    return { event, text: `${label(run)} blocked`, flaw: 'it is no hook of the package' };
  const text = `${label(run)} blocked ${toolName ?? 'the agent'}: ${oneLine(reason)}`;
  return { event, text, flaw: isConfirmed(run, evidence) ? null : 'the engine knows nothing of it' };
}

function isInstalled(run: HookRun, { installed }: BlockEvidence): boolean {
  return installed.some(
    ({ event, group, index, command }) =>
      command !== null && event === run.event && group === run.group && index === run.index,
  );
}

/** Whatever runs in the sandbox can write to the shim's socket, so the engine must have seen the block too. */
function isConfirmed({ event }: HookRun, { events, confirmed }: BlockEvidence): boolean {
  if (!confirmed.includes(event)) return true;
  return events.some(
    (it) =>
      (it.type === 'hook' && it.blocked && packageEvent(it.event) === event) ||
      (it.type === 'denied' && it.by === 'hook' && event === 'pre-tool-use'),
  );
}

/** What the engine saw and no shim reported: enough against `false`, but any hook of the workspace may have done it. */
function byEngine(it: AgentEvent, hooks: readonly HookRun[]): Block[] {
  const isHook = it.type === 'hook' && it.blocked;
  if (!isHook && !(it.type === 'denied' && it.by === 'hook')) return [];
  const event = it.type === 'hook' ? packageEvent(it.event) : 'pre-tool-use';
  if (!canBlock(event) || hooks.some((run) => run.event === event && didBlock(run))) return [];
  const text = `${event} hook blocked: ${oneLine(it.type === 'hook' ? it.detail : it.reason)}`;
  return [{ event, text, flaw: 'no hook of the package reported it' }];
}

/** The package's spelling of an event as the engine names it. */
function packageEvent(spelled: string): string {
  const name = spelled.split(':')[0] ?? '';
  return Object.keys(ENGINE_HOOK_EVENTS).find((key) => ENGINE_HOOK_EVENTS[key] === name) ?? name;
}

function whyNot(
  hooks: readonly HookRun[],
  matching: Block | null,
  elsewhere: Block | null,
  wanted: string | null,
): string {
  if (matching) return `${matching.text}; ${matching.flaw}`;
  if (elsewhere) return `${wanted} did not block: ${elsewhere.text}`;
  const runs = hooks.filter(({ event }) => wanted === null || event === wanted);
  const telling = runs.find(({ error }) => error !== null) ?? runs.at(-1);
  if (telling) {
    const effect = telling.error === null ? '' : ', so nothing was blocked';
    const others = runs.length > 1 ? ` (${runs.length} hooks ran)` : '';
    return `${said(telling)}${effect}${others}`;
  }
  const ran = [...new Set(hooks.map(({ event }) => event))];
  return `no ${wanted ? `${wanted} ` : ''}hook ran${ran.length > 0 ? `, only ${ran.join(', ')}` : ''}`;
}

function said(run: HookRun): string {
  const { event, exitCode, decision, error } = run;
  const hook = label(run);
  if (exitCode === 127) return `${hook} is missing (exit 127)`;
  if (exitCode === 126) return `${hook} is not executable (exit 126)`;
  if (error !== null) return `${hook} ${oneLine(error)}`;
  if (decision === 'block') return `${hook} exited ${exitCode}, and ${event} hooks cannot block`;
  if (decision === 'ask') return `${hook} asked for permission and did not deny it`;
  return `${hook} exited ${exitCode}${decision === 'allow' ? ' and allowed the call' : ''}`;
}

function label({ event, command }: HookRun): string {
  const short = command.replace(/["']/g, '').replaceAll(/\$(?:\{PACKAGE_ROOT\}|PACKAGE_ROOT)\//g, '');
  return `${event} hook${short ? ` ${oneLine(short)}` : ''}`;
}

const MAX_LENGTH = 200;

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function fail(expected: boolean, found: string, actual: unknown): CheckResult {
  return { verdict: 'FAIL', message: `expected agent-blocked=${expected} but ${found}`, actual };
}
