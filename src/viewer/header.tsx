/** The top of the page: what was run, and how it ended. */
import type { ViewerData, ViewerRun } from '../model/viewer.ts';
import { allTokens, count, percent, plural, seconds, time, totalCost } from './format.ts';
import { ShareBar } from './plots.tsx';
import { ThemeButton } from './theme.tsx';
import { visible, visibleLine } from './visible.ts';

export function Header({
  data,
  onHelp,
  onHome,
}: {
  data: ViewerData;
  onHelp: () => void;
  onHome: () => void;
}) {
  return (
    <header class="top">
      <div class="title-line">
        <h1>
          <button type="button" class="home" onClick={onHome} title="To the overview">
            {titleOf(data)}
          </button>
        </h1>
        {data.kind === 'run' && <span class="muted when">{time(data.run.report.timestamp)}</span>}
        <span class="tools">
          <ThemeButton />
          <button type="button" class="quiet" onClick={onHelp}>
            Keys
          </button>
        </span>
      </div>
      {data.kind === 'run' ? <RunLine run={data.run} /> : <DiffLine data={data} />}
    </header>
  );
}

export function titleOf(data: ViewerData): string {
  const { package: pkg } = (data.kind === 'run' ? data.run : data.b).report;
  const name = visibleLine([pkg.name, pkg.version].filter(Boolean).join(' '));
  return data.kind === 'run' ? name : `${name}: two runs compared`;
}

function RunLine({ run: { report } }: { run: ViewerRun }) {
  const { summary, agent, usage } = report;
  const tokens = allTokens(usage);
  return (
    <div class="totals">
      <ShareBar summary={summary} />
      <Total value={count(summary.passed)} name="passed" class="PASS" />
      <Total value={count(summary.failed)} name="failed" class={summary.failed > 0 ? 'FAIL' : ''} />
      <Total value={count(summary.skipped)} name="undecided" class={summary.skipped > 0 ? 'SKIP' : ''} />
      <Total value={percent(summary.pass_rate)} name={`of ${plural(summary.total, 'case')}`} />
      <Total value={seconds(report.duration_seconds)} name="" />
      {tokens !== null && <Total value={count(tokens)} name="tokens" />}
      {usage.cost_usd !== null && <Total value={totalCost(usage)} name="" />}
      <Total
        value={visibleLine([agent.runtime, agent.runtime_version].filter(Boolean).join(' '))}
        name={visibleLine(agent.model ?? 'model not told')}
      />
    </div>
  );
}

function Total({ value, name, class: kind = '' }: { value: string; name: string; class?: string }) {
  return (
    <span class={`total ${kind}`}>
      <b>{value}</b> {name}
    </span>
  );
}

const COLOURS = { better: 'PASS', worse: 'FAIL', 'no-evidence': '' } as const;

function DiffLine({ data: { diff } }: { data: Extract<ViewerData, { kind: 'diff' }> }) {
  const [short = '', ...rest] = visible(diff.reason).split(/(?=:)/);
  const { regressed, improved, newly_undecided } = diff.counts;
  return (
    <>
      <p class="conclusion">
        <b class={`tone ${COLOURS[diff.conclusion]}`}>{short}</b>
        {rest.join('')}
      </p>
      <div class="totals">
        <Total value={count(regressed)} name="regressed" class={regressed > 0 ? 'FAIL' : ''} />
        <Total value={count(improved)} name="improved" class={improved > 0 ? 'PASS' : ''} />
        {newly_undecided > 0 && <Total value={count(newly_undecided)} name="newly undecided" class="SKIP" />}
        {[
          { name: 'Before', side: diff.a },
          { name: 'After', side: diff.b },
        ].map(({ name, side }) => (
          <Total
            key={name}
            value={name}
            name={visibleLine(
              `${side.summary.passed}/${side.summary.total} passed, ${side.engine}, ${time(side.timestamp)}`,
            )}
          />
        ))}
      </div>
    </>
  );
}
