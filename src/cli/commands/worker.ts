/** `aam worker`. */
import { Command } from 'commander';
import type { WorkerEvent } from '../../pipeline/worker-events.ts';
import { collect, positive, tagsIn, whole } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';
import { queueUrl } from '../queue-flags.ts';
import { safeLine } from '../render/safe-text.ts';

interface Flags {
  readonly queue?: string;
  readonly jobs?: number;
  readonly tags?: string[];
  readonly allowNetwork?: boolean;
  readonly allowNoSandbox?: boolean;
  readonly lease?: number;
  readonly json?: boolean;
}

const LEASE_SECONDS = 30;

export function workerCommand(cli: Cli): Command {
  return new Command('worker')
    .description(
      'Run trials that others put into a queue (aam eval --queue), with the credentials of this machine.',
    )
    .option('--queue <url>', 'redis://… or rediss://… (default: $AAM_QUEUE)')
    .option('-j, --jobs <count>', 'how many agents run at once', whole)
    .option('--tags <tags>', 'what this worker is, with commas between; runs may ask for it', collect)
    .option('--allow-network', 'also run suites that give the network to their agents')
    .option('--allow-no-sandbox', 'also run what asks for --sandbox none: it can do whatever you can')
    .option('--lease <seconds>', 'so long after the last sign of life its trials go to others', positive)
    .option('--json', 'print each event as a line of JSON')
    .addHelpText(
      'after',
      `
Ends on SIGTERM or Ctrl-C when the trials under way are done; a second one ends it at once, and others run them.

Examples:
  aam worker --queue redis://localhost:6379
  aam worker --queue redis://host:6379 -j 4 --tags gpu,linux
  AAM_QUEUE=rediss://user:password@host:6380 aam worker
  aam eval --queue redis://host:6379         elsewhere: plan a run, and have workers run it
  aam queue status                           who is there, and what is going on`,
    )
    .action((flags: Flags) => work(cli, flags));
}

async function work(cli: Cli, flags: Flags): Promise<void> {
  const url = queueUrl(flags.queue, cli);
  const tags = tagsIn(flags.tags, '--tags');
  const { withoutQueue } = await import('../../pipeline/queue-missing.ts');
  const { runWorker } = await import('../../pipeline/worker.ts').catch(withoutQueue);
  const { defaultJobs } = await import('../../pipeline/eval-run.ts');
  await runWorker({
    ...{ host: cli.host, version: cli.version, url, tags, drain: cli.signal },
    jobs: flags.jobs ?? defaultJobs(),
    allowNetwork: flags.allowNetwork ?? false,
    allowNoSandbox: flags.allowNoSandbox ?? false,
    leaseSeconds: flags.lease ?? LEASE_SECONDS,
    onEvent: (event) => cli.out(flags.json ? JSON.stringify(event) : safeLine(line(event))),
  });
  cli.exitWith(EXIT.ok);
}

function line(event: WorkerEvent): string {
  const at = new Date().toISOString().slice(11, 19);
  switch (event.type) {
    case 'ready': {
      const { id, jobs, engines, providers, tags } = event.worker;
      const known = Object.entries(engines).map(([name, version]) => (version ? `${name} ${version}` : name));
      const offers = [known.join(', '), ...(tags.length > 0 ? [`tags ${tags.join(', ')}`] : [])].join('; ');
      const keys =
        providers.length > 0 ? `credentials for ${providers.join(', ')}` : 'no credentials for any model';
      return `${at} ${id} is ready for ${jobs} at a time: ${offers}; ${keys}`;
    }
    case 'start':
      return `${at} ${event.trial} of ${event.run}`;
    case 'end':
      return `${at} ${event.trial} of ${event.run}: ${event.verdict}${event.error === null ? '' : ` ${event.error}`}`;
    case 'refused':
      return `${at} not run here: ${event.message}`;
    case 'error':
      return `${at} ${event.message}`;
    case 'draining':
      return `${at} takes nothing more; ${event.active === 0 ? 'nothing is' : `${event.active} are`} under way`;
  }
}
