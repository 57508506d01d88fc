/** One difference between a request and a recorded one, in words and as a short diff. */
import { structuredPatch } from 'diff';
import type { TapePart } from '../../model/tape.ts';
import { BRIEFING, JUDGE_QUESTION, SYSTEM_PROMPT } from './labels.ts';
import { lineHash } from './line-hashes.ts';
import type { RequestPart } from './request.ts';
import { scrub } from './scrub.ts';

export interface Difference {
  /** null: the recorded part is gone. */
  readonly is: RequestPart | null;
  /** null: the part is new. */
  readonly was: TapePart | null;
}

export interface SubAgentPrompt {
  readonly name: string;
  readonly prompt: string;
}

const MAX_LINES = 12;
/** Texts with little in common are compared for minutes. */
const MAX_MS = 500;
const CRITERIA = "the judge's criteria";
const MAX_LINE_LENGTH = 160;

export function describeDifference(
  { is, was }: Difference,
  secrets: readonly string[],
  subAgents: readonly SubAgentPrompt[] = [],
): string {
  const changes = is === null ? goneLines(was) : changesOf(is.text, was, secrets);
  const label = subAgentLabel(is, changes, subAgents) ?? labelOf(is, was, changes);
  const verb = was === null ? 'is new' : is === null ? 'is gone' : label === CRITERIA ? 'differ' : 'differs';
  const lines = changes.slice(0, MAX_LINES).map((line) => `    ${shortened(scrub(line, secrets))}`);
  if (changes.length > MAX_LINES) lines.push(`    … ${changes.length - MAX_LINES} more lines`);
  return [`${scrub(label, secrets)} ${verb}${lines.length > 0 ? ':' : ''}`, ...lines].join('\n');
}

function goneLines(was: TapePart | null): string[] {
  return (was?.text ?? '').split('\n').flatMap((line) => (line === '' ? [] : [`-${line}`]));
}

/** Lines with `-`, `+` or a blank in front. What the tape kept is without secrets, so the other side is too. */
function changesOf(now: string, was: TapePart | null, secrets: readonly string[]): string[] {
  if (was === null)
    return scrub(now, secrets)
      .split('\n')
      .map((line) => `+${line}`);
  if (was.lines) {
    const known = new Set(was.lines);
    return now.split('\n').flatMap((line) => (known.has(lineHash(line)) ? [] : [`+${line}`]));
  }
  const clean = scrub(now, secrets);
  const options = { context: 1, timeout: MAX_MS };
  const patch = structuredPatch('', '', was.text ?? '', clean, '', '', options);
  if (patch === undefined) return clean.split('\n').map((line) => `+${line}`);
  return patch.hunks.flatMap(({ lines }) => lines).filter((line) => !line.startsWith('\\'));
}

/** Where a CLI tells a sub-agent who it is, and what is new there are words of its prompt. */
function subAgentLabel(
  is: RequestPart | null,
  changes: readonly string[],
  subAgents: readonly SubAgentPrompt[],
): string | null {
  if (is?.label !== SYSTEM_PROMPT && is?.label !== BRIEFING) return null;
  const come = changes.filter((line) => /^\+.*\S/.test(line)).map((line) => line.slice(1).trim());
  const told = subAgents.find(({ prompt }) => {
    const words = prompt.trim();
    if (words === '' || !is.text.includes(words)) return false;
    const lines = new Set(words.split('\n').map((line) => line.trim()));
    return come.every((line) => lines.has(line));
  });
  return told ? `the prompt of the sub-agent ${told.name}` : null;
}

function labelOf(is: RequestPart | null, was: TapePart | null, changes: readonly string[]): string {
  const label = is?.label ?? was?.label ?? 'a part';
  const changed = changes.filter((line) => /^[+-]/.test(line)).map((line) => line.slice(1));
  const lists = changed.map((line) => LISTED.exec(line)?.slice(1));
  if (label === BRIEFING && changed.length > 0) {
    const name = lists[0]?.[0];
    if (name === undefined || !lists.every((it) => it?.[0] === name)) return label;
    return isSkill(name, is?.text ?? '')
      ? `the description of the skill ${name} (SKILL.md)`
      : `the description of the sub-agent ${name}`;
  }
  if (label !== JUDGE_QUESTION) return label;
  if (changed.length > 0 && changed.every((line) => CRITERION.test(line))) return CRITERIA;
  return 'what the judge is shown';
}

/** `- name: description`, as both CLIs list skills and sub-agents. */
const LISTED = /^- ([a-z0-9:-]+): (.*)$/i;
const CRITERION = /^\{"id":.*"criterion":/;

function isSkill(name: string, text: string): boolean {
  const before = text.slice(0, text.indexOf(`\n- ${name}: `));
  return before.lastIndexOf('kills') > before.lastIndexOf('agent types');
}

function shortened(line: string): string {
  return line.length <= MAX_LINE_LENGTH ? line : `${line.slice(0, MAX_LINE_LENGTH)}…`;
}
