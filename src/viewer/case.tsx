/** One case: its verdict, its trials, and the trial that is looked at. */
import type { Verdict } from '../model/trial.ts';
import type { ViewerCase, ViewerTrial } from '../model/viewer.ts';
import { percent, seconds, VERDICT_WORDS } from './format.ts';
import { IntervalPlot } from './plots.tsx';
import { TrialView } from './trial.tsx';
import { VerdictMark, VerdictWord } from './verdict.tsx';
import { visible, visibleLine } from './visible.ts';

interface Props {
  readonly it: ViewerCase;
  readonly trial: string | null;
  readonly onTrial: (trial: string) => void;
  /** Two cases side by side have their name above both. */
  readonly title?: string;
}

export function CaseView({ it, trial, onTrial, title }: Props) {
  const shown = it.trials.find((one) => one.trial === trial) ?? it.trials[it.decisive];
  const ownError = it.error !== undefined && it.error !== shown?.details?.error;
  return (
    <article class="case">
      {title === undefined ? <CaseHead it={it} /> : <SideHead it={it} title={title} />}
      {ownError && <p class={`error ${it.verdict} prose`}>{visible(it.error ?? '')}</p>}
      {it.trials.length > 1 && <Trials it={it} shown={shown} onTrial={onTrial} />}
      {shown && <TrialView key={shown.trial} trial={shown} />}
    </article>
  );
}

function CaseHead({ it }: { it: ViewerCase }) {
  const place = it.file === null ? null : it.line === null ? it.file : `${it.file}:${it.line}`;
  return (
    <>
      <h2 id="case-title" tabIndex={-1}>
        {visibleLine(it.name)}
      </h2>
      <p class="line">
        <VerdictWord verdict={it.verdict} />
        {it.statistics.flaky && <span class="tag SKIP">flaky</span>}
        {it.target !== null && <span class="muted">{visibleLine(it.target)}</span>}
        {place !== null && <code class="muted">{visibleLine(place)}</code>}
      </p>
      {it.description !== null && it.description !== '' && <p class="prose">{visible(it.description)}</p>}
    </>
  );
}

function SideHead({ it, title }: { it: ViewerCase; title: string }) {
  return (
    <>
      <h3 class="side-title">{title}</h3>
      <p class="line">
        <VerdictWord verdict={it.verdict} />
        {it.statistics.flaky && <span class="tag SKIP">flaky</span>}
      </p>
    </>
  );
}

function Trials({
  it,
  shown,
  onTrial,
}: {
  it: ViewerCase;
  shown: ViewerTrial | undefined;
  onTrial: Props['onTrial'];
}) {
  const { statistics, baseline } = it;
  const arms = [
    { arm: 'with' as const, name: 'with the package', figures: statistics },
    ...(baseline ? [{ arm: 'without' as const, name: 'without it', figures: baseline }] : []),
  ];
  return (
    <section>
      <h3>Trials</h3>
      {arms.map(({ arm, name, figures }) => (
        <div key={arm} class="arm">
          <span class="arm-name">{name}</span>
          <span class="trial-buttons">
            {it.trials.map((one) =>
              one.arm === arm ? (
                <TrialButton
                  key={one.trial}
                  one={one}
                  isShown={one === shown}
                  onPick={() => onTrial(one.trial)}
                />
              ) : null,
            )}
          </span>
          <span class="arm-figures">
            <IntervalPlot
              rate={figures.pass_rate}
              interval={figures.interval}
              threshold={figures.threshold}
              label={`Pass rate ${name}`}
            />
            <span class="nowrap">
              {figures.passed}/{figures.decided} passed
              {figures.decided < figures.total && `, ${figures.total - figures.decided} undecided`}
              {figures.interval && (
                <span class="muted">
                  {' '}
                  ({percent(figures.interval[0])} to {percent(figures.interval[1])})
                </span>
              )}
            </span>
          </span>
        </div>
      ))}
      {statistics.decided > 1 && (
        <p class="muted">
          {`Of ${statistics.decided} trials at least one passes: ${percent(statistics.pass_at_k.at(-1) ?? null)}; all pass: ${percent(statistics.pass_all_k.at(-1) ?? null)}`}
        </p>
      )}
    </section>
  );
}

function TrialButton({ one, isShown, onPick }: { one: ViewerTrial; isShown: boolean; onPick: () => void }) {
  const { verdict, repetition, arm, duration_seconds } = one;
  return (
    <button
      type="button"
      class="trial-button"
      aria-pressed={isShown}
      onClick={onPick}
      title={told(verdict, duration_seconds)}
    >
      <VerdictMark verdict={verdict} size={13} />
      <span class="sr">{`Trial ${repetition}, ${arm} the package`}</span>
    </button>
  );
}

function told(verdict: Verdict, duration: number): string {
  return `${VERDICT_WORDS[verdict]} in ${seconds(duration)}`;
}
