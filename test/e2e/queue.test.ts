/** Runs on workers, as a user sees them: what is said, what is cancelled, what survives. */
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EvalReport, evalReport } from '../../src/model/report.ts';
import type { QueueStatus } from '../../src/pipeline/queue-status.ts';
import { aam, type CliResult, startAam } from '../helpers/cli.ts';
import { evalCase, HOST_KEY, PACKAGE } from '../helpers/eval.ts';
import {
  type AgentSetting,
  type Fleet,
  type FleetWorker,
  numberedSkill,
  startFleet,
} from '../helpers/fleet.ts';
import { temporaryFolder } from '../helpers/folder.ts';
import { writePackage } from '../helpers/package.ts';
import { processesWith } from '../helpers/processes.ts';
import { findRedis, NO_REDIS } from '../helpers/redis.ts';
import { begunRuns, journalOf } from '../helpers/runs.ts';
import { comparable } from '../helpers/same-report.ts';

if (findRedis() === null) console.warn(NO_REDIS);

const LONG = { timeout: 60_000 };
/** Without anybody's keys. */
const NO_KEYS = {
  ANTHROPIC_API_KEY: '',
  ANTHROPIC_AUTH_TOKEN: '',
  CLAUDE_CODE_OAUTH_TOKEN: '',
  OPENAI_API_KEY: '',
};

describe.skipIf(findRedis() === null)('a run on workers', { timeout: 180_000 }, () => {
  let fleet: Fleet;
  let workers: FleetWorker[];

  beforeAll(async () => {
    fleet = await startFleet();
    workers = await Promise.all(
      [1, 2].map(() =>
        fleet.worker(['-j', '2', '--allow-no-sandbox'], { ...NO_KEYS, HOME: fleet.temporary }),
      ),
    );
  });

  afterAll(() => fleet[Symbol.asyncDispose]());

  const env = () => ({ ...NO_KEYS, TMPDIR: fleet.temporary });
  const evaluate = (root: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    aam(['eval', '--no-judge', ...args], { cwd: root, env: { ...env(), ...more } });
  const queued = (...args: string[]) => ['--queue', fleet.url, ...args];
  const status = async (): Promise<QueueStatus> =>
    JSON.parse((await aam(['queue', 'status', '--json', '--queue', fleet.url])).stdout) as QueueStatus;

  /** Agents wait for the gate, and write down when they begin. They see the host: there is no sandbox. */
  async function gated(cases: number, waits: string, sharedLog?: string, then = '') {
    const folder = await temporaryFolder();
    const gate = join(folder.path, 'go');
    const log = sharedLog ?? join(folder.path, 'log');
    const mark = `0.2${process.pid}${Math.floor(Math.random() * 1e6)}`;
    // Nor does it wait when the test is over.
    const isShut = `[ -d ${folder.path} ] && [ ! -e ${gate} ]`;
    const agent = `echo "$1" >> ${log}; while [ ${waits} ] && ${isShut}; do sleep ${mark}; done; ${then}echo "number $1"`;
    const pkg = await writePackage(numberedSkill({ cases, agent }));
    const args = ['evals/evals.json', '--sandbox', 'none'];
    return {
      root: pkg.root,
      args,
      mark,
      log,
      open: () => writeFile(gate, ''),
      /** Numbers of cases whose agents began, in their order. */
      begun: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').map(Number) : []),
      start: (...more: string[]) =>
        startAam(['eval', '--no-judge', ...args, ...queued(...more)], pkg.root, env()),
      async [Symbol.asyncDispose]() {
        await pkg[Symbol.asyncDispose]();
        await folder[Symbol.asyncDispose]();
      },
    };
  }

  async function finished(result: Promise<CliResult>): Promise<EvalReport> {
    const { stdout, stderr } = await result;
    if (!stdout.startsWith('{')) throw new Error(`there is no report: ${stdout}${stderr}`);
    return evalReport.parse(JSON.parse(stdout));
  }

  it('goes on after Ctrl-C, which stops the agents and takes back what waits', async () => {
    await using run = await gated(30, '"$1" -ge 2');
    const { child, ended } = run.start();
    await expect.poll(() => run.begun().length, LONG).toBeGreaterThanOrEqual(6);
    const [busy] = (await status()).runs;
    expect(busy).toMatchObject({ total: 30, needs: { engine: 'command', sandbox: 'none' } });
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    await expect.poll(() => processesWith(run.mark), LONG).toEqual([]);
    await expect
      .poll(async () => (await status()).queues.map(({ waiting, active }) => waiting + active), LONG)
      .toEqual([0]);
    expect((await status()).runs).toEqual([]);
    const before = run.begun();
    await run.open();

    const report = await finished(evaluate(run.root, ['--resume', '--json', ...queued()]));
    expect(report.summary).toMatchObject({ total: 30, passed: 30 });
    // Those that had passed did not run again.
    expect(run.begun().slice(before.length)).not.toContain(0);
    const local = await finished(evaluate(run.root, [...run.args, '--json', '-j', '4']));
    expect(comparable(report)).toBe(comparable(local));
  });

  it('goes on after its planner was killed: what workers had finished is not run again', async () => {
    await using run = await gated(12, '"$1" -ge 6');
    const { child, ended } = run.start();
    await expect.poll(() => run.begun().length, LONG).toBe(10);
    child.kill('SIGKILL');
    await ended;
    await run.open();
    const [id = ''] = await begunRuns(run.root);
    await expect
      .poll(async () => (await status()).queues.map(({ waiting, active }) => waiting + active), LONG)
      .toEqual([0]);
    const report = await finished(evaluate(run.root, ['--resume', id, '--json', ...queued()]));
    expect(report.summary).toMatchObject({ total: 12, passed: 12 });
    expect(run.begun().sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index));
    expect((await journalOf(run.root, id)).match(/"errorKind":null/g)).toHaveLength(12);
  });

  it('is whole when the server loses all that it held in the middle', async () => {
    await using run = await gated(20, '"$1" -ge 8');
    const { ended } = run.start('--json');
    await expect.poll(() => run.begun().length, LONG).toBe(12);
    await fleet.redis.restart();
    await run.open();
    const report = await finished(ended);
    expect(report.summary).toMatchObject({ total: 20, passed: 20 });
    expect(report.warnings.filter((it) => !it.startsWith('--sandbox none'))).toEqual([]);
  });

  it('shares the workers: a small one that comes later is over before a large one', async () => {
    // Slow enough for workers to make ready for the other one meanwhile.
    await using large = await gated(60, '"$1" -ge 0', undefined, 'sleep 0.3; ');
    const first = large.start('--json');
    await expect.poll(() => large.begun().length, LONG).toBe(4);
    await using small = await gated(3, '"$1" -ge 99', large.log);
    const second = small.start('--json');
    const sizes = async () => (await status()).runs.map(({ queued: size }) => size);
    await expect.poll(sizes, LONG).toEqual([16, 3]);
    await large.open();
    expect((await finished(second.ended)).summary).toMatchObject({ total: 3, passed: 3 });
    expect((await finished(first.ended)).summary).toMatchObject({ total: 60, passed: 60 });
    // After those of the large one that were in the queue before, and those that ran while workers made ready for it.
    expect(
      large
        .begun()
        .slice(0, 50)
        .filter((it) => it < 3),
    ).toHaveLength(6);
  });

  it('is shown by aam queue status while it goes on', async () => {
    await using run = await gated(8, '"$1" -ge 0');
    const { ended } = run.start();
    await expect.poll(() => run.begun().length, LONG).toBe(4);
    await expect.poll(async () => (await status()).runs[0]?.queued, LONG).toBe(8);
    const { workers: there, runs, queues } = await status();
    expect(there).toHaveLength(2);
    expect(there.map(({ jobs, sandboxes }) => [jobs, sandboxes])).toEqual([
      [2, ['bubblewrap', 'none']],
      [2, ['bubblewrap', 'none']],
    ]);
    expect(runs).toMatchObject([{ package: 'counting', total: 8, finished: 0, failed: 0, queued: 8 }]);
    expect(queues.filter(({ active }) => active > 0)).toMatchObject([
      { waiting: 4, active: 4, failed: 0, workers: 2 },
    ]);
    const { stdout, code } = await aam(['queue', 'status'], { env: { AAM_QUEUE: fleet.url } });
    expect(code).toBe(0);
    expect(stdout).toContain('2 workers for 4 agents at a time; 4 trials wait, 4 are under way, 0 failed');
    expect(stdout).toContain('0/8 trials');
    await run.open();
    expect((await ended).code).toBe(0);
  });

  it('runs a trial elsewhere whose worker was killed, and counts it once', async () => {
    const mark = `5.${process.pid}${Math.floor(Math.random() * 1e6)}`;
    const agent = `[ "$1" = 0 ] && sleep ${mark}; echo "number $1"`;
    await using pkg = await writePackage(numberedSkill({ cases: 3, agent }));
    const before = await fleet.folders();
    const lost = await fleet.worker(['-j', '1', '--tags', 'frail']);
    const own = (await fleet.folders()).filter((it) => !before.includes(it));
    expect(own).not.toEqual([]);
    const args = ['evals/evals.json', ...queued('--json', '--worker-tags', 'frail')];
    const { ended } = startAam(['eval', ...args], pkg.root, env());
    await expect.poll(() => processesWith(`sleep ${mark}`).length, LONG).toBeGreaterThan(0);
    await lost.kill();
    const other = await fleet.worker(['-j', '1', '--tags', 'frail']);
    expect((await fleet.folders()).filter((it) => own.includes(it))).toEqual([]);
    const report = await finished(ended);
    // Also what was killed while it started, which bubblewrap does not end by itself.
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
    expect(report.summary).toMatchObject({ total: 3, passed: 3 });
    expect([...lost.started(), ...other.started()].filter((it) => it.startsWith('c-0'))).toHaveLength(2);
    expect(report.warnings).toEqual([]);
    await other.end();
  });

  it('gets the results of a worker that is told to end: it finishes what it has, and takes nothing more', async () => {
    const mark = `4.${process.pid}${Math.floor(Math.random() * 1e6)}`;
    await using pkg = await writePackage(
      numberedSkill({ cases: 3, agent: `sleep ${mark}; echo "number $1"` }),
    );
    const worker = await fleet.worker(['-j', '1', '--tags', 'leaving']);
    const args = ['evals/evals.json', ...queued('--json', '--worker-tags', 'leaving')];
    const { ended } = startAam(['eval', ...args], pkg.root, env());
    await expect.poll(() => processesWith(`sleep ${mark}`).length, LONG).toBeGreaterThan(0);
    worker.signal('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(worker.events().map(({ type }) => type)).toEqual(['ready', 'start', 'draining', 'end']);
    const next = await fleet.worker(['-j', '2', '--tags', 'leaving']);
    expect((await finished(ended)).summary).toMatchObject({ total: 3, passed: 3 });
    expect(next.started()).toHaveLength(2);
    await next.end();
  });

  describe('that nobody can serve', () => {
    const agent: AgentSetting = { cases: 1, agent: 'echo "number $1"' };

    it.each<[string, readonly string[], object, RegExp]>([
      [
        'a tag',
        ['--worker-tags', 'gpu,linux'],
        {},
        /needs command, the tags gpu, linux, .*no tag gpu; it has no tag linux/s,
      ],
      [
        'the network',
        [],
        { network: true },
        /needs command, network, .*it gives no network to agents \(--allow-network\)/s,
      ],
    ])('says so at once, and ends: for want of %s', async (_, args, sandbox, words) => {
      await using pkg = await writePackage(numberedSkill({ ...agent, sandbox }));
      const all = ['evals/evals.json', ...args, ...queued('--queue-wait', '1')];
      const { code, stderr, stdout } = await evaluate(pkg.root, all);
      expect(code).toBe(2);
      expect(stdout + stderr).toMatch(words);
      expect(stderr).toMatch(/^error: no worker can serve this run, which needs command, /m);
      expect(stderr).toContain('waited for 1 s (--queue-wait)');
      expect(await begunRuns(pkg.root)).toEqual([]);
    });

    it('names the version and the credentials that are missing', async () => {
      await using pkg = await writePackage({ ...PACKAGE, 'evals/cases/a.yaml': evalCase('a') });
      const args = ['--engine', 'claude-code', '--engine-version', '>=99', ...queued('--queue-wait', '1')];
      const { code, stderr } = await evaluate(pkg.root, args, { ANTHROPIC_API_KEY: HOST_KEY });
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /it has claude-code \d+\.\d+\.\d+, not >=99; it has no credentials for anthropic/,
      );
    });

    it('finds a queue without any worker', async () => {
      await using empty = await startFleet();
      await using pkg = await writePackage(numberedSkill(agent));
      const { code, stderr } = await evaluate(pkg.root, [
        'evals/evals.json',
        '--queue',
        empty.url,
        '--queue-wait',
        '1',
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain('no worker is there at all:  aam worker --queue <url>');
      const { stdout } = await aam(['queue', 'status', '--queue', empty.url]);
      expect(stdout).toBe('no workers for 0 agents at a time; 0 trials wait, 0 are under way, 0 failed\n');
    });
  });

  it.each([
    [['--tape', 'replay'], '--tape replay does not go with --queue'],
    [['--keep-workspace'], '--keep-workspace does not go with --queue'],
  ])('refuses %j', async (args, words) => {
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'echo "number $1"' }));
    const { code, stderr } = await evaluate(pkg.root, ['evals/evals.json', ...args, ...queued()]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it('says when the server cannot be reached, and never the password', async () => {
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'echo "number $1"' }));
    const port = new URL(fleet.url).port;
    const urls = [
      'redis://me:hush-word@127.0.0.1:1',
      `redis://me:hush-word@127.0.0.1:${port}`,
      'redis//me:hush-word@127.0.0.1',
    ];
    for (const url of urls) {
      const results = await Promise.all([
        evaluate(pkg.root, ['evals/evals.json', '--queue', url]),
        aam(['worker'], { env: { AAM_QUEUE: url } }),
      ]);
      for (const { code, stdout, stderr } of results) {
        expect(code).toBe(2);
        expect(stderr).toMatch(/cannot be reached|is no address of a queue/);
        expect(stdout + stderr).not.toMatch(/hush|word@1/);
      }
    }
  });

  it('lets no key of any machine into the server', async () => {
    const key = 'fake-Zq7Xw2Vb9Nm4Kj6Hg1Fd3Sa5Po8';
    await using pkg = await writePackage(numberedSkill({ cases: 1, agent: 'echo x', env: { TOKEN: key } }));
    const refused = await evaluate(pkg.root, ['evals/evals.json', ...queued()], { ANTHROPIC_API_KEY: key });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('holds a key of this machine, and keys do not travel to workers');

    const keyed = await fleet.worker(['--tags', 'keyed'], { ANTHROPIC_API_KEY: HOST_KEY, DEPLOY_TOKEN: key });
    const seen: string[] = [];
    await fleet.redis.monitor((_time, words) => void seen.push(words.join(' ')));
    // It says what only the worker knows.
    const agent = `echo "number $1 ${key.slice(0, 9)}"'${key.slice(9)}'; env`;
    await using loud = await writePackage(numberedSkill({ cases: 2, agent }));
    const args = ['evals/evals.json', '--json', ...queued('--worker-tags', 'keyed')];
    const report = await finished(evaluate(loud.root, args));
    expect(report.summary).toMatchObject({ passed: 2 });
    expect(JSON.stringify(report)).not.toContain(key);
    const all = seen.join('\n');
    expect(all).toContain('number 1');
    expect(all).not.toContain(key);
    await keyed.end();
  });

  it('ends when the server is gone for good, and so does a worker that has nothing to do', async () => {
    await using other = await startFleet();
    await using run = await gated(3, '"$1" -ge 0');
    const busy = await other.worker(['-j', '1', '--allow-no-sandbox']);
    const idle = await other.worker(['-j', '1', '--tags', 'idle']);
    const args = [
      'eval',
      ...run.args,
      '--no-judge',
      '-o',
      'out.json',
      '--queue',
      other.url,
      '--queue-wait',
      '3',
    ];
    const { ended } = startAam(args, run.root, env());
    await expect.poll(() => run.begun().length, LONG).toBe(1);
    await other.redis.kill();
    const { code, stdout, stderr } = await ended;
    expect(stdout + stderr).toContain('the queue cannot be reached any more');
    expect(code).toBe(3);
    const report = evalReport.parse(JSON.parse(readFileSync(join(run.root, 'out.json'), 'utf8')));
    expect(report.cases.map(({ error_kind: kind }) => kind)).toEqual(['no-worker', 'no-worker', 'no-worker']);
    idle.signal('SIGTERM');
    expect((await idle.ended).code).toBe(0);
    await run.open();
    // It has something to tell, and nobody to tell it to.
    await busy.kill();
  });

  it('leaves no folder and no process behind', async () => {
    await Promise.all(workers.map((worker) => worker.end()));
    expect(await Promise.all(workers.map(async ({ ended }) => (await ended).code))).toEqual([0, 0]);
    expect(await fleet.folders()).toEqual([]);
    const redis = fleet.redis.client();
    const keys = await redis.keys('*');
    expect(keys.filter((it) => /worker:|:run:/.test(it))).toEqual([]);
    // The files of a run go by themselves; what its trials left behind is gone.
    for (const key of keys.filter((it) => it.includes(':blob:')))
      expect(await redis.ttl(key)).toBeLessThanOrEqual(3600);
  });
});
