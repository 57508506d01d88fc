/** What else is different between two runs: a changed verdict may come from any of it. */
import type { EvalDiff } from '../../model/diff.ts';
import type { EvalReport } from '../../model/report.ts';

export function changesBetween(a: EvalReport, b: EvalReport): EvalDiff['changes'] {
  return Object.entries(LOOKED_AT).flatMap(([what, read]) => {
    const [before, after] = [read(a), read(b)].map((value) => (value === null ? null : String(value)));
    return before === after ? [] : [{ what, a: before ?? null, b: after ?? null }];
  });
}

export function engineOf({ agent }: EvalReport): string {
  return [agent.runtime, agent.runtime_version, agent.model].filter((it) => it !== null).join(' ');
}

/** What to look at, by the name people know it under. */
const LOOKED_AT = {
  engine: ({ agent }) => agent.runtime,
  'engine version': ({ agent }) => agent.runtime_version,
  command: ({ config }) => config.command?.join(' ') ?? null,
  model: ({ agent }) => agent.model,
  'model asked for': ({ config }) => config.model,
  'judge model': ({ judge }) => judge.model,
  'judge prompt': ({ judge }) => judge.prompt_sha256,
  'judge votes': ({ judge }) => judge.votes,
  'judge asked for': ({ config }) => config.judge,
  package: ({ package: { name } }) => name,
  'package version': ({ package: { version } }) => version,
  'package content': ({ package: { hash } }) => hash,
  'git commit': ({ package: { git_commit } }) => git_commit,
  runs: ({ config }) => config.runs,
  'pass threshold': ({ config }) => config.pass_threshold,
  timeout: ({ config }) => config.timeout,
  variables: ({ config }) => config.env.join(', ') || null,
  'writable paths': ({ config }) => config.writable_paths?.join(', ') ?? null,
  sandbox: ({ sandbox }) => sandbox?.kind ?? null,
  network: ({ sandbox }) => (sandbox === null ? null : sandbox.network ? 'open' : 'closed'),
  'memory limit': ({ sandbox }) => sandbox?.memory_bytes ?? null,
  'disk limit': ({ sandbox }) => sandbox?.disk_bytes ?? null,
  'processor limit': ({ sandbox }) => sandbox?.cpu_seconds ?? null,
  tapes: ({ tape }) => (tape.mode === 'replay' ? tape.source : null),
  'aam version': ({ environment }) => environment.aam_version,
  node: ({ environment }) => environment.node_version,
  system: ({ environment }) => `${environment.os} ${environment.arch}`,
} as const satisfies Record<string, (report: EvalReport) => string | number | null>;
