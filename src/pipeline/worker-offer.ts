/** What a worker can do: found out once, when it starts. */
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { ENGINES } from '../engine/engines.ts';
import { findEngine, hasProgram } from '../engine/find.ts';
import { resolveUpstreams } from '../gateway/credentials.ts';
import { PrerequisiteError } from '../model/errors.ts';
import type { WorkerFacts } from '../model/needs.ts';
import { SANDBOXES } from '../sandbox/sandboxes.ts';
import { observeVersion } from './environment.ts';
import type { WorkerOptions } from './worker.ts';

export async function observeOffer(
  options: WorkerOptions,
): Promise<Omit<WorkerFacts, 'id' | 'active' | 'draining' | 'trouble'>> {
  const { host, version, tags, jobs, allowNetwork, allowNoSandbox } = options;
  const upstreams = await resolveUpstreams(host);
  const engines: Record<string, string | null> = {};
  for (const name of Object.keys(ENGINES) as (keyof typeof ENGINES)[]) {
    if (!hasProgram(name)) engines[name] = null;
    else {
      const found = findEngine(name, host);
      const its = found && (await observeVersion(host, found.path));
      if (its) engines[name] = its;
    }
  }
  const hasSandbox = await isUsable(host);
  if (!hasSandbox.ok && !allowNoSandbox) throw hasSandbox.error;
  return {
    host: hostname(),
    pid,
    aam: version,
    engines,
    providers: Object.entries(upstreams).flatMap(([name, { state }]) => (state === 'ready' ? [name] : [])),
    tags: [...new Set(tags)].sort(),
    sandboxes: [
      ...(hasSandbox.ok ? (['bubblewrap'] as const) : []),
      ...(allowNoSandbox ? (['none'] as const) : []),
    ],
    network: allowNetwork,
    jobs,
    since: new Date().toISOString(),
  };
}

async function isUsable(host: WorkerOptions['host']): Promise<{ ok: true } | { ok: false; error: Error }> {
  try {
    await using _sandbox = await SANDBOXES.bubblewrap(host);
    return { ok: true };
  } catch (error) {
    if (!(error instanceof PrerequisiteError)) throw error;
    return { ok: false, error };
  }
}
