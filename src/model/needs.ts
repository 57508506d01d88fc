/** What a trial needs of the worker that runs it, and what a worker offers. */
import { createHash } from 'node:crypto';
import satisfies from 'semver/functions/satisfies.js';
import { z } from 'zod';

const names = z.array(z.string().max(200)).max(100).readonly();

export const workerNeeds = z.strictObject({
  aam: z.string().describe('The very version: another one may grade otherwise'),
  engine: z.string(),
  engineVersion: z.string().nullable().describe('A range; null: any, or the engine has none'),
  providers: names.describe('Of models that the agent and the judge ask'),
  tags: names,
  sandbox: z.enum(['bubblewrap', 'none']),
  network: z.boolean(),
});

export const workerFacts = z.strictObject({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  aam: z.string(),
  engines: z.record(z.string(), z.string().nullable()).describe('Version of each; null: it has none'),
  providers: names.describe('Those it has credentials for'),
  tags: names,
  sandboxes: z.array(z.enum(['bubblewrap', 'none'])).readonly(),
  network: z.boolean().describe('Whether agents may get the network'),
  jobs: z.number().describe('Agents at a time'),
  active: z.number(),
  draining: z.boolean(),
  trouble: z.string().nullable().describe('Why it can run nothing at the moment'),
  since: z.string(),
});

export type WorkerNeeds = z.output<typeof workerNeeds>;
export type WorkerFacts = z.output<typeof workerFacts>;

/** The same needs have the same id. */
export function kindOf(needs: WorkerNeeds): string {
  const { providers, tags, ...others } = needs;
  const text = JSON.stringify([
    ...Object.entries(others).sort(([a], [b]) => (a < b ? -1 : 1)),
    [...providers].sort(),
    [...tags].sort(),
  ]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** What keeps a worker from serving; empty: it can. */
export function lacks(worker: Omit<WorkerFacts, 'id' | 'active'>, needs: WorkerNeeds): string[] {
  const { engine, engineVersion: range } = needs;
  const has = Object.hasOwn(worker.engines, engine);
  const version = worker.engines[engine] ?? null;
  const isOther =
    has && range !== null && (version === null || !satisfies(version, range, { includePrerelease: true }));
  return [
    ...(worker.draining ? ['it takes nothing more'] : []),
    ...(worker.trouble === null ? [] : [`it could not run what it took last: ${worker.trouble}`]),
    ...(worker.aam === needs.aam ? [] : [`it has aam ${worker.aam}, not ${needs.aam}`]),
    ...(has ? [] : [`it has no ${engine}`]),
    ...(isOther ? [`it has ${engine} ${version ?? 'without a version'}, not ${range}`] : []),
    ...missing(needs.providers, worker.providers).map((it) => `it has no credentials for ${it}`),
    ...missing(needs.tags, worker.tags).map((it) => `it has no tag ${it}`),
    ...(worker.sandboxes.includes(needs.sandbox)
      ? []
      : [
          needs.sandbox === 'none'
            ? 'it runs nothing without a sandbox (--allow-no-sandbox)'
            : 'it has no bubblewrap',
        ]),
    ...(needs.network && !worker.network ? ['it gives no network to agents (--allow-network)'] : []),
  ];
}

function missing(wanted: readonly string[], there: readonly string[]): string[] {
  return wanted.filter((it) => !there.includes(it));
}
