/** What a run says as a whole. */
import type { ArmComparison } from '../model/report.ts';
import type { ViewerRun } from '../model/viewer.ts';
import { chance } from '../model/words.ts';
import { count, money, percent, points, seconds } from './format.ts';
import { DifferencePlot } from './plots.tsx';
import { Provenance } from './provenance.tsx';
import { type Figure, FiguresTable } from './tables.tsx';
import { visible, visibleLine } from './visible.ts';

export function Overview({ run }: { run: ViewerRun }) {
  const { report } = run;
  return (
    <>
      <h2 id="case-title" tabIndex={-1}>
        Overview
      </h2>
      <Warnings warnings={report.warnings} />
      {report.comparison && <Arms comparison={report.comparison} />}
      <section>
        <h3>Provenance</h3>
        <Provenance runs={[run]} />
      </section>
    </>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <section>
      <h3>Warnings</h3>
      {warnings.map((warning, at) => (
        <p key={at} class="warning">
          {visible(warning)}
        </p>
      ))}
    </section>
  );
}

function Arms({ comparison }: { comparison: ArmComparison }) {
  const { pass_rate, lift, normalised_gain, seconds: took, tokens, cost_usd } = comparison;
  const figure = (name: string, arms: ArmComparison['seconds'], format: Figure['format']): Figure => ({
    name,
    sides: arms && [arms.with, arms.without],
    change: arms?.difference ?? null,
    format,
  });
  const figures: readonly Figure[] = [
    { ...figure('Pass rate', pass_rate, percent), difference: points(pass_rate?.difference ?? null) },
    figure('Time for a trial', took, seconds),
    figure('Tokens for a trial', tokens, count),
    figure('Cost of a trial', cost_usd, money),
  ];
  return (
    <section>
      <h3>With and without the package</h3>
      {pass_rate && (
        <p class="line">
          <DifferencePlot difference={pass_rate.difference} interval={lift?.interval ?? null} label="Lift" />
          <span>
            Pass rate {points(pass_rate.difference)}
            {lift &&
              ` (95 % interval ${points(lift.interval[0])} to ${points(lift.interval[1])}, ${chance(lift.p_value)})`}
            {normalised_gain !== null && `; ${percent(normalised_gain)} of what was possible`}
          </span>
        </p>
      )}
      <FiguresTable sides={['with', 'without']} figures={figures} />
      <Names title="Pass only with the package" names={comparison.gained} />
      <Names title="Pass only without it" names={comparison.lost} />
      <Names title="Pass in both, so they show nothing about the package" names={comparison.passed_in_both} />
      <Names title="Pass in neither" names={comparison.passed_in_neither} />
      <Names title="Undecided in one or both" names={comparison.undecided} />
      <Names
        title="Skills that were offered and never used"
        names={comparison.skills_never_activated ?? []}
      />
    </section>
  );
}

const MAX_NAMES = 30;

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  const more = names.length - MAX_NAMES;
  return (
    <p class="names">
      <span class="muted">{title}:</span> {names.slice(0, MAX_NAMES).map(visibleLine).join(', ')}
      {more > 0 && ` and ${count(more)} more`}
    </p>
  );
}
