/** A run as a command: to do it again another way, with all that the user asked for. */
import { relative } from 'node:path';
import type { EvalOptions } from './eval.ts';

export type CommandRequest = Pick<
  EvalOptions,
  | 'host'
  | 'path'
  | 'selection'
  | 'engine'
  | 'target'
  | 'targetsFile'
  | 'evaluator'
  | 'model'
  | 'judge'
  | 'judgeVotes'
  | 'noJudge'
  | 'judgeAll'
  | 'runs'
  | 'baseline'
  | 'timeoutSeconds'
  | 'sandbox'
  | 'maxCostUsd'
  | 'maxTokens'
  | 'tape'
>;

export interface CommandChanges {
  /** Instead of those that were chosen. */
  readonly cases?: readonly string[];
  readonly engine?: string;
  readonly model?: string | null;
  readonly tape: EvalOptions['tape']['mode'];
}

/** Paths are relative to the folder that the run was for. */
export function evalCommand(request: CommandRequest, { tape, ...changes }: CommandChanges): string {
  const { host, path, selection, runs, judge, judgeVotes, maxCostUsd, maxTokens, timeoutSeconds } = request;
  const targets = changes.cases === undefined ? selection.targets : [];
  const engine = changes.engine ?? request.engine;
  const model = changes.model ?? request.model;
  const words = [
    ...(path === null ? [] : [path]),
    ...(changes.cases ?? selection.cases).flatMap((name) => (name === 'diff' ? ['--case', name] : [name])),
    ...targets.flatMap((it) => ['--target', it]),
    ...(selection.filters ?? []).flatMap((it) => ['--filter', it]),
    ...(selection.tags ?? []).flatMap((it) => ['--filter-tags', it]),
    ...option('--evaluator', request.evaluator),
    // A target names its engine.
    ...(request.target === null ? option('--engine', engine) : ['--target', request.target]),
    ...option('--targets', request.targetsFile === null ? null : shown(host.cwd, request.targetsFile)),
    ...option('--model', model),
    ...option('--judge', judge),
    ...option('--judge-votes', judgeVotes === 1 ? null : judgeVotes),
    ...flag('--no-judge', request.noJudge),
    ...flag('--judge-all', request.judgeAll),
    ...option('--runs', runs),
    ...flag('--baseline', request.baseline),
    ...option('--timeout', timeoutSeconds),
    ...option('--max-cost-usd', maxCostUsd),
    ...option('--max-tokens', maxTokens),
    ...option('--sandbox', request.sandbox === 'none' ? 'none' : null),
    ...option('--tape', tape === 'off' ? null : tape),
    ...option(
      '--tapes',
      tape === 'off' || request.tape.folder === null ? null : shown(host.cwd, request.tape.folder),
    ),
  ];
  return ['aam eval', ...words.map(quoted)].join(' ');
}

function option(name: string, value: string | number | null): string[] {
  return value === null ? [] : [name, String(value)];
}

function flag(name: string, isSet: boolean): string[] {
  return isSet ? [name] : [];
}

function shown(cwd: string, folder: string): string {
  const near = relative(cwd, folder) || '.';
  return near.startsWith('..') ? folder : near;
}

function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
