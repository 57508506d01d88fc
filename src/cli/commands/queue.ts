/** `aam queue`. */
import { Command } from 'commander';
import { needsInWords } from '../../model/needs-words.ts';
import type { QueueStatus } from '../../pipeline/queue-status.ts';
import { collect } from '../arguments.ts';
import { type Cli, EXIT } from '../cli.ts';
import { queueUrl } from '../queue-flags.ts';
import { columns } from '../render/layout.ts';
import { safeLine } from '../render/safe-text.ts';

const QUEUE = 'redis://… or rediss://… (default: $AAM_QUEUE)';

interface Flags {
  readonly queue?: string;
  readonly json?: boolean;
}

export function queueCommand(cli: Cli): Command {
  return new Command('queue')
    .description('Look at a queue of trials, and limit what its workers ask models.')
    .addCommand(statusCommand(cli))
    .addCommand(limitCommand(cli));
}

function statusCommand(cli: Cli): Command {
  return new Command('status')
    .description('Who works for the queue, which runs there are, and what waits.')
    .option('--queue <url>', QUEUE)
    .option('--json', 'print it for machines')
    .addHelpText(
      'after',
      `
Examples:
  aam queue status --queue redis://host:6379
  aam queue status --json | jq '.runs[] | select(.finished < .total)'`,
    )
    .action((flags: Flags) => status(cli, flags));
}

function limitCommand(cli: Cli): Command {
  return new Command('limit')
    .description('How often workers may ask a provider or a model, all of them together.')
    .argument('[rule...]', 'anthropic=60/min, or anthropic/claude-sonnet-4-5=1000/hour; none: list them')
    .option('--remove <target>', 'no longer limit it (repeatable)', collect)
    .option('--queue <url>', QUEUE)
    .option('--json', 'print the limits for machines')
    .addHelpText(
      'after',
      `
A request that comes too early waits, and its case has that much longer. Limits hold for all runs, at once.

Examples:
  aam queue limit anthropic=300/min
  aam queue limit openai/gpt-5=1000/hour anthropic=300/min
  aam queue limit --remove anthropic`,
    )
    .action((rules: string[], flags: LimitFlags) => limit(cli, rules, flags));
}

interface LimitFlags extends Flags {
  readonly remove?: string[];
}

async function limit(cli: Cli, rules: readonly string[], flags: LimitFlags): Promise<void> {
  const { withoutQueue } = await import('../../pipeline/queue-missing.ts');
  const { changeLimits } = await import('../../pipeline/queue-status.ts').catch(withoutQueue);
  const limits = await changeLimits(queueUrl(flags.queue, cli), { set: rules, remove: flags.remove ?? [] });
  const lines = limits.length === 0 ? ['there are no limits'] : limits.map(safeLine);
  cli.out(flags.json ? JSON.stringify(limits, null, 2) : lines.join('\n'));
  cli.exitWith(EXIT.ok);
}

async function status(cli: Cli, flags: Flags): Promise<void> {
  const { withoutQueue } = await import('../../pipeline/queue-missing.ts');
  const { queueStatus } = await import('../../pipeline/queue-status.ts').catch(withoutQueue);
  const found = await queueStatus(queueUrl(flags.queue, cli));
  cli.out(flags.json ? JSON.stringify(found, null, 2) : render(found));
  cli.exitWith(EXIT.ok);
}

function render({ workers, runs, limits, queues }: QueueStatus): string {
  const total = (of: 'waiting' | 'active' | 'failed') => queues.reduce((sum, it) => sum + it[of], 0);
  const jobs = workers.reduce((sum, it) => sum + it.jobs, 0);
  const unserved = queues.filter((it) => it.waiting > 0 && it.workers === 0);
  return [
    `${counted(workers.length, 'worker')} for ${jobs} agents at a time; ${total('waiting')} trials wait, ${total('active')} are under way, ${total('failed')} failed`,
    ...(workers.length === 0 ? [] : ['', 'workers', ...columns(workers.map(workerCells)).map(indented)]),
    ...(runs.length === 0 ? [] : ['', 'runs', ...columns(runs.map(runCells)).map(indented)]),
    ...(limits.length === 0 ? [] : ['', 'limits', ...limits.map(indented)]),
    ...unserved.map(
      (it) => `\nno worker can serve ${it.waiting} trials, which need ${needsInWords(it.needs)}`,
    ),
  ]
    .map((text) => text.split('\n').map(safeLine).join('\n'))
    .join('\n');
}

function workerCells({
  id,
  active,
  jobs,
  draining,
  trouble,
  engines,
  providers,
  tags,
}: QueueStatus['workers'][number]): string[] {
  const known = Object.entries(engines).flatMap(([name, version]) => (version ? [`${name} ${version}`] : []));
  return [
    id,
    `${active}/${jobs}${draining ? ' draining' : ''}${trouble === null ? '' : ' in trouble'}`,
    known.join(', ') || 'no agents',
    providers.join(', ') || 'no credentials',
    tags.join(', '),
  ];
}

function runCells({
  id,
  package: name,
  host,
  total,
  finished,
  failed,
  undecided,
  queued,
}: QueueStatus['runs'][number]): string[] {
  const counts = [
    `${finished}/${total} trials`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
  ];
  return [id, name, counts.join(', '), `${queued} in the queue`, `planned on ${host}`];
}

function counted(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count === 0 ? 'no' : count} ${word}s`;
}

function indented(text: string): string {
  return `  ${text}`;
}
