/** Which agent, which model and which package produced this. */
import type { ViewerRun } from '../model/viewer.ts';
import { count, percent, plural, seconds, time, totalCost, UNKNOWN } from './format.ts';
import { ColumnHeads } from './tables.tsx';
import { visibleLine } from './visible.ts';

/** One column for each run. */
export function Provenance({ runs }: { runs: readonly ViewerRun[] }) {
  const columns = runs.map(factsOf);
  const names = columns[0]?.map(([name]) => name) ?? [];
  return (
    <table class="facts">
      {runs.length > 1 && <ColumnHeads names={['Before', 'After']} />}
      <tbody>
        {names.map((name, at) => {
          const values = columns.map((column) => column[at]?.[1] ?? UNKNOWN);
          const differs = new Set(values).size > 1;
          return (
            <tr key={name} class={differs ? 'differs' : ''}>
              <th scope="row">{name}</th>
              {values.map((value, column) => (
                <td key={column}>{visibleLine(value)}</td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type Fact = readonly [name: string, value: string];

function factsOf({ report }: ViewerRun): Fact[] {
  const { config, agent, judge, environment, package: pkg, sandbox } = report;
  const known = (value: string | number | null | undefined) =>
    value === null || value === undefined || value === '' ? UNKNOWN : String(value);
  return [
    ['Package', [pkg.name, pkg.version].filter(Boolean).join(' ')],
    ['Package hash', known(pkg.hash)],
    ['Git commit', known(pkg.git_commit)],
    ['Engine', [agent.runtime, agent.runtime_version, ...(config.command ?? [])].filter(Boolean).join(' ')],
    [
      'Model',
      [known(agent.model), agent.model_provider && `(${agent.model_provider})`].filter(Boolean).join(' '),
    ],
    ['Model asked for', known(config.model ?? 'the engine’s default')],
    [
      'Judge',
      [known(judge.model), judge.model_provider && `(${judge.model_provider})`].filter(Boolean).join(' '),
    ],
    [
      'Judge asked',
      [judge.transport && `by ${judge.transport}`, judge.votes && plural(judge.votes, 'vote')]
        .filter(Boolean)
        .join(', ') || UNKNOWN,
    ],
    ['Judge’s prompt', known(judge.prompt_sha256)],
    ['Cases from', [report.suite?.format, report.suite?.file].filter(Boolean).join(', ') || UNKNOWN],
    ['Trials per case', `${config.runs}${config.baseline ? ', also without the package' : ''}`],
    ['Pass threshold', percent(config.pass_threshold)],
    ['Time for a case', config.timeout > 0 ? seconds(config.timeout) : UNKNOWN],
    ['Sandbox', sandboxText(sandbox)],
    ['Tapes', report.tape.note ?? 'none'],
    ['Environment set', config.env.join(', ') || 'nothing'],
    ['Machine', `${environment.os} ${environment.arch}, Node ${environment.node_version}`],
    ['aam', environment.aam_version],
    ['Run', report.id],
    ['Started', time(report.timestamp)],
    ['Took', `${seconds(report.duration_seconds)}, ${plural(config.jobs, 'case')} at once`],
    ['Requests', count(report.usage.requests)],
    [
      'Tokens',
      report.usage.requests === 0
        ? UNKNOWN
        : `${count(report.usage.input_tokens)} in, ${count(report.usage.output_tokens)} out, ${count(report.usage.cache_read_tokens)} read from cache, ${count(report.usage.cache_write_tokens)} written to it`,
    ],
    ['Models that answered', report.usage.models.join(', ') || UNKNOWN],
    ['Cost', totalCost(report.usage)],
    ['Exit code', String(report.exit_code)],
  ];
}

function sandboxText(sandbox: ViewerRun['report']['sandbox']): string {
  if (sandbox === null) return 'the report does not say';
  const limits = [
    sandbox.network ? 'with network' : 'no network',
    sandbox.memory_bytes !== null && `${count(sandbox.memory_bytes / 1024 / 1024)} MiB of memory`,
    sandbox.cpu_seconds !== null && `${count(sandbox.cpu_seconds)} s of processor time`,
  ].filter((it) => it !== false);
  return `${sandbox.kind}, ${limits.join(', ')}`;
}
