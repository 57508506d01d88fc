/** A stranger who can write to the queue: to a worker as a planner, and to a planner as a worker. */
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evalReport } from '../../src/model/report.ts';
import type { RunSpec } from '../../src/model/run-spec.ts';
import { putBlob } from '../../src/queue/blobs.ts';
import { Consumer } from '../../src/queue/consumer.ts';
import { blobKey, eventsKey } from '../../src/queue/keys.ts';
import { type TrialEvent, type TrialJob, trialJob } from '../../src/queue/messages.ts';
import { Producer } from '../../src/queue/producer.ts';
import { announceRun, announceWorker, listKinds, removeRun } from '../../src/queue/registry.ts';
import { readEvents, tellEvent } from '../../src/queue/trial-events.ts';
import { startAam } from '../helpers/cli.ts';
import { type Fleet, type FleetWorker, numberedSkill, startFleet } from '../helpers/fleet.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';
import { changedBundle, FAKE_WORKER, type Stolen, stealJob } from '../helpers/stolen-job.ts';
import { WHOLE_CAPTURE, WHOLE_RESULT } from '../model/travel/whole-result.ts';
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
    const monitor = await fleet.redis.client().monitor();
    monitor.on('monitor', (_time: string, words: string[]) => void seen.push(words.join(' ')));
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
    await using producer = new Producer(redis, run, stolen.needs);
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

  it('cannot make a planner believe what no worker has found', async (context) => {
    attempted(context, 5);
    await victim.end();
    await redis.flushall();
    await announceWorker(redis, FAKE_WORKER);
    await using pkg = await writePackage(numberedSkill({ cases: 4, agent: 'echo never' }));
    const args = ['eval', 'evals/evals.json', '--no-judge', '-o', 'out.json', '--queue', fleet.url];
    const { ended } = startAam(args, pkg.root, { TMPDIR: fleet.temporary });
    const consumer = new Consumer(redis, 30_000, () => {});
    await using _consumer = consumer;
    await expect.poll(async () => (await listKinds(redis)).length, { timeout: WAIT_MS }).toBe(1);
    await consumer.serve(await listKinds(redis));
    const worker = 'fake\u001b[2J';
    const answer = async ({ run, trial }: TrialJob, more: object, capture: string | null = null) => {
      const own = { trial: trial.id, case: trial.case.name, verdict: 'PASS', error: null, errorKind: null };
      const result = { ...WHOLE_RESULT, ...own, judged: null, tape: null, ...more };
      await tellEvent(redis, run, {
        version: 1,
        trial: trial.id,
        worker,
        type: 'done',
        result,
        capture,
      } as TrialEvent);
    };
    const other = await putBlob(
      redis,
      Buffer.from(JSON.stringify({ ...WHOLE_CAPTURE, trial: 'c-3.command.with.1' })),
      600,
    );
    for (let left = 4; left > 0; ) {
      const taken = await consumer.take();
      if (taken === null) {
        await delay(100);
        continue;
      }
      left -= 1;
      const job = trialJob.parse(taken.data);
      const garbage = redis.pipeline();
      for (let index = 0; index < 300; index++)
        garbage.xadd(eventsKey(job.run), '*', index % 2 ? 'event' : 'x', `{"type":"done","n":${index}`);
      await garbage.exec();
      const { name } = job.trial.case;
      if (name === 'c-0') await answer(job, { trial: 'c-1.command.with.1' });
      else if (name === 'c-1') await answer(job, { output: 'x' }, other);
      else if (name === 'c-2')
        await answer(job, {
          verdict: 'FAIL',
          error: 'red \u001b[31m\u001b]0;title\u0007',
          errorKind: 'agent-error',
        });
      else await answer(job, {});
      await taken.finish();
    }
    const { stdout, stderr } = await ended;
    const { readFile } = await import('node:fs/promises');
    const report = evalReport.parse(JSON.parse(await readFile(join(pkg.root, 'out.json'), 'utf8')));
    expect(report.cases.map(({ name, verdict, error_kind }) => [name, verdict, error_kind])).toEqual([
      ['c-0', 'SKIP', 'internal'],
      ['c-1', 'PASS', undefined],
      ['c-2', 'FAIL', 'agent-error'],
      ['c-3', 'PASS', undefined],
    ]);
    expect(report.cases[1]).toMatchObject({
      capture: null,
      warnings: expect.arrayContaining([expect.stringContaining('it is of another trial')]),
    });
    expect(stdout + stderr).not.toMatch(/\u001b|\u0007/);
  });
});
