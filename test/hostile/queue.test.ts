/** A stranger who writes to the queue what a planner would: nothing of a worker's machine comes out. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunSpec } from '../../src/model/run-spec.ts';
import { putBlob } from '../../src/queue/blobs.ts';
import { blobKey } from '../../src/queue/keys.ts';
import type { TrialJob } from '../../src/queue/messages.ts';
import { Producer } from '../../src/queue/producer.ts';
import { announceRun, removeRun } from '../../src/queue/registry.ts';
import { readEvents } from '../../src/queue/trial-events.ts';
import { type Fleet, type FleetWorker, numberedSkill, startFleet } from '../helpers/fleet.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';
import { changedBundle, type Stolen, stealJob } from '../helpers/stolen-job.ts';
import { attempted, leaked } from './attempts.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const CANARY = 'canary-of-the-host-Xk83Lq';
const WAIT_MS = 60_000;
const DEEP = 'files/9/a/b/c/d/e/f/g/h';
/** From the folder of the bundle's files to the one that holds the worker's own. */
const UP = '../../../..';

type Job = Omit<TrialJob, 'trial'> & { readonly trial: TrialJob['trial'] };

interface Attempt {
  readonly job?: (job: Job) => unknown;
  readonly spec?: (spec: RunSpec) => unknown;
  readonly files?: Readonly<Record<string, string>>;
  /** What the queue holds as the bundle. */
  readonly blob?: (redis: Redis, sha256: string) => Promise<unknown>;
}

describe.skipIf(findRedis() === null)('a stranger on the queue', { timeout: 180_000 }, () => {
  let fleet: Fleet;
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let stolen: Stolen;
  let victim: FleetWorker;
  let redis: Redis;
  const seen: string[] = [];
  let attempts = 0;

  beforeAll(async () => {
    fleet = await startFleet();
    home = await temporaryFolder();
    await mkdir(join(fleet.temporary, 'beside'));
    await writeFile(join(fleet.temporary, 'beside/canary.txt'), CANARY);
    await writeFile(join(home.path, 'canary.txt'), CANARY);
    execFileSync(
      'sh',
      [
        '-c',
        'git init -q . && git add canary.txt && git -c user.name=a -c user.email=a@b.invalid commit -qm a',
      ],
      { cwd: home.path },
    );
    const agent = `cat *.txt given/* ${home.path}/canary.txt ${fleet.temporary}/beside/canary.txt; echo "number $1"`;
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent }));
    stolen = await stealJob(fleet, pkg.root, ['evals/evals.json', '--no-judge']);
    redis = fleet.client();
    await fleet.redis.monitor((_time, words) => void seen.push(words.join(' ')));
    victim = await fleet.worker(['-j', '2'], { HOME: home.path });
  });

  afterAll(async () => {
    await fleet[Symbol.asyncDispose]();
    await home[Symbol.asyncDispose]();
  });

  /** What the worker says to it: `refused` and why, or how the trial ended. */
  async function attempt({ job, spec, files, blob }: Attempt): Promise<string> {
    attempts += 1;
    const run = `hostile-${attempts}`;
    const bytes = await changedBundle(stolen.bundle, spec ?? ((it) => it), files);
    const sha256 = await putBlob(redis, bytes, 600);
    await blob?.(redis, sha256);
    const facts = { total: 1, finished: 0, failed: 0, undecided: 0, queued: 1 };
    const about = { package: 'x', host: 'x', since: new Date().toISOString() };
    await announceRun(redis, { id: run, needs: stolen.needs, ...about, ...facts });
    const own: Job = { ...stolen.job, run, bundle: sha256 };
    const sent = (job?.(own) ?? own) as TrialJob;
    await using producer = new Producer(redis, run, 1, stolen.needs);
    const before = victim.events().length;
    await producer.add([sent]);
    try {
      const until = performance.now() + WAIT_MS;
      while (performance.now() < until) {
        for (const { event } of await readEvents(redis, run, '0', false)) {
          if (event?.type === 'done')
            return `${event.result.verdict} ${event.result.error ?? ''} ${JSON.stringify(event.result.checks)}`;
          if (event?.type === 'trouble') return `refused: ${event.message}`;
        }
        const refused = victim
          .events()
          .slice(before)
          .find(({ type }) => type === 'refused');
        if (refused?.type === 'refused') return `refused: ${refused.message}`;
        await delay(100);
      }
      throw new Error(`nothing came of it: ${victim.output()}`);
    } finally {
      await removeRun(redis, run);
      await producer.cancel([sent.trial.id]);
    }
  }

  /** A case with more in it. */
  const withCase = (more: object) => (job: Job) => ({
    ...job,
    trial: { ...job.trial, case: { ...job.trial.case, ...more } },
  });
  const given = (from: string) => withCase({ files: [{ from, to: 'given.txt' }] });
  const withLinks =
    (...links: { place: string; target: string }[]) =>
    (spec: RunSpec) => ({ ...spec, links });

  it('has its job run where nothing is wrong with it', async () => {
    expect(await attempt({})).toMatch(/^PASS/);
  });

  it.each<[string, (job: Job) => unknown, RegExp]>([
    ['an unknown key', (job) => ({ ...job, more: 1 }), /Unrecognized key/],
    ['an unknown key deep in it', withCase({ more: 1 }), /Unrecognized key/],
    ['another version', (job) => ({ ...job, version: 2 }), /version/],
    ['an id with slashes', (job) => ({ ...job, trial: { ...job.trial, id: '../../x' } }), /trial\.id/],
    ['a run with slashes', (job) => ({ ...job, run: '../x' }), /run/],
    ['a hash that is none', (job) => ({ ...job, bundle: '../../x' }), /bundle/],
    ['a file outside', given('bundle:../../etc/passwd'), /place in the bundle/],
    ['a file of the host', given('/etc/passwd'), /place in the bundle/],
    ['a file to a place outside', withCase({ files: [{ from: 'bundle:run.json', to: '../../x' }] }), /files/],
    ['no case', (job) => ({ ...job, trial: { ...job.trial, case: null } }), /case/],
    ['no object', () => ({ run: 'hostile', trial: { id: 'x' } }), /version/],
  ])('is refused a job with %s', async (_, job, words) => {
    const said = await attempt({ job });
    expect(said).toMatch(/^refused: a trial that no planner of ours has written: /);
    expect(said).toMatch(words);
  });

  it.each<[string, Attempt, RegExp]>([
    [
      'a link to the host',
      { spec: withLinks({ place: 'bundle:files/9/out', target: '/etc/passwd' }) },
      /leads out/,
    ],
    ['a link upwards', { spec: withLinks({ place: 'bundle:files/out', target: '../../x' }) }, /leads out/],
    [
      'a link through a link',
      {
        files: { [`${DEEP}/keep`]: '' },
        spec: withLinks(
          { place: `bundle:${DEEP}/up`, target: '../../../../../../../../..' },
          { place: 'bundle:files/9/out', target: `a/b/c/d/e/f/g/h/up/${UP}/beside/canary.txt` },
        ),
        job: given('bundle:files/9/out'),
      },
      /leads out/,
    ],
    [
      'a link behind a link',
      {
        files: { [`${DEEP}/keep`]: '' },
        spec: withLinks(
          { place: 'bundle:files/9/short', target: 'a/b/c' },
          { place: 'bundle:files/9/short/x', target: 'd' },
        ),
      },
      /behind another link/,
    ],
    [
      'a folder where a link is to be',
      {
        spec: (spec) => ({
          ...spec,
          folders: ['bundle:files/9/x/inside'],
          links: [{ place: 'bundle:files/9/x', target: 'y' }],
        }),
      },
      /EEXIST/,
    ],
    [
      'a link over its own file',
      { spec: withLinks({ place: 'bundle:run.json', target: 'x' }) },
      /leads out|EEXIST/,
    ],
    [
      'other contents than its hash',
      { blob: async (server, sha256) => await server.hset(blobKey(sha256), '0', 'something else') },
      /has the hash/,
    ],
    [
      'more pieces than may be',
      { blob: async (server, sha256) => await server.hset(blobKey(sha256), 'pieces', 100_000) },
      /larger than/,
    ],
    [
      'pieces that are missing',
      { blob: async (server, sha256) => await server.hdel(blobKey(sha256), '0') },
      /not in the queue/,
    ],
    [
      'the network',
      { spec: (spec) => ({ ...spec, settings: { ...spec.settings, network: true } }) },
      /network/,
    ],
    [
      'no sandbox',
      { spec: (spec) => ({ ...spec, options: { ...spec.options, sandbox: 'none' } }) },
      /no sandbox/,
    ],
    ['unknown settings', { spec: (spec) => ({ ...spec, more: 1 }) }, /more/],
    [
      'a package outside',
      { spec: (spec) => ({ ...spec, package: { ...spec.package, place: 'bundle:../../x' } }) },
      /place/,
    ],
  ])('is refused a bundle with %s', async (_, it, words) => {
    const said = await attempt(it);
    expect(said).toMatch(/^refused: /);
    expect(said).toMatch(words);
  });

  it('gets nothing of the host through programs, repositories and tapes', async () => {
    const path = `../../${UP}/beside/canary.txt`;
    const files = { 'files/9/p/x.txt': 'own', 'files/9/repo/.git': `gitdir: ${home.path}/.git\n` };
    const read = `cat ${path} /grader/* /grader/beside/* /grader/*/* ${home.path}/canary.txt 2> /dev/null`;
    const program = {
      ...{ argv: ['sh', '-c', `echo "{\\"score\\": 1, \\"reasoning\\": \\"read $(${read})\\"}"`, path] },
      ...{ cwd: 'bundle:files/9/p', config: null, timeoutMs: 20_000 },
    };
    const graders = [
      { id: 'p', kind: 'program', options: program, weight: 1, required: false, negate: false },
    ];
    const command = {
      name: 'x',
      argv: ['sh', '-c', `cat ${path} > got.txt; exit 0`],
      cwd: null,
      timeoutMs: 20_000,
    };
    const setup = { repositories: [], before: [command, { ...command, cwd: 'bundle:files/9/p' }], after: [] };
    const repositories = [{ from: 'bundle:files/9/repo', to: 'given', ref: null, ancestor: 0 }];
    const [first] = stolen.job.trial.case.graders;
    const graded = await attempt({ files, job: withCase({ graders: [{ ...first, ...graders[0] }] }) });
    expect(graded).toMatch(/^PASS .*read own"/);
    expect(await attempt({ files, job: withCase({ setup }) })).toMatch(/^PASS/);
    expect(await attempt({ files, job: withCase({ setup: { ...setup, repositories } }) })).toMatch(
      /^SKIP the repository/,
    );
    const tape = { mode: 'record', folder: join(home.path, 'tapes'), strict: false, source: 'recorded' };
    const unsent = { tape, keepWorkspace: true, output: join(home.path, 'out.json') };
    const spec = (it: RunSpec) => ({ ...it, options: { ...it.options, ...unsent } });
    expect(await attempt({ spec })).toMatch(/^PASS/);
    expect((await readdir(home.path)).sort()).toEqual(['.git', 'canary.txt']);
  });

  it('has seen nothing of the host, in all that the queue ever held', async (context) => {
    attempted(context, attempts);
    expect(seen.join('\n')).toContain('number 0');
    const leaks = seen.filter((it) => it.includes(CANARY));
    leaked(context, leaks);
    expect(leaks).toEqual([]);
    expect(victim.output()).not.toContain(CANARY);
  });
});
