/** What the comparison of two runs says as a whole. */
import type { EvalDiff } from '../model/diff.ts';
import type { ViewerRun } from '../model/viewer.ts';
import { count, money, percent, plural, points, score, seconds, signed, UNKNOWN } from './format.ts';
import { DifferencePlot, ShareBar } from './plots.tsx';
import { Provenance } from './provenance.tsx';
import { visible, visibleLine } from './visible.ts';

export function DiffOverview({ diff, a, b }: { diff: EvalDiff; a: ViewerRun; b: ViewerRun }) {
  const { test, notes, changes } = diff;
  return (
    <>
      <h2 id="case-title" tabIndex={-1}>
        Comparison
      </h2>
      {test && (
        <p class="line">
          <DifferencePlot
            difference={test.pass_rate.difference}
            interval={test.interval}
            label="Difference of the pass rates"
          />
          <span>
            Pass rate {points(test.pass_rate.difference)}, {plural(test.cases, 'case')},{' '}
            {visibleLine(test.method)}
          </span>
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="warning">
          {visible(note)}
        </p>
      ))}
      <Deltas diff={diff} />
      {changes.length > 0 && (
        <section>
          <h3>What else changed</h3>
          <table class="facts">
            <thead>
              <tr>
                <td />
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ what, a: before, b: after }) => (
                <tr key={what} class="differs">
                  <th scope="row">{visibleLine(what)}</th>
                  <td>{visibleLine(before ?? UNKNOWN)}</td>
                  <td>{visibleLine(after ?? UNKNOWN)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <section>
        <h3>Both runs</h3>
        <Provenance runs={[a, b]} />
      </section>
    </>
  );
}

interface Figure {
  readonly name: string;
  readonly delta: EvalDiff['deltas']['seconds'];
  readonly format: (value: number | null) => string;
  /** Where it has words of its own. */
  readonly difference?: string;
}

function Deltas({ diff: { deltas, a, b } }: { diff: EvalDiff }) {
  const rows: readonly Figure[] = [
    {
      name: 'Pass rate',
      delta: deltas.pass_rate,
      format: percent,
      difference: points(deltas.pass_rate.difference),
    },
    ...(deltas.score ? [{ name: 'Score of a trial', delta: deltas.score, format: score }] : []),
    { name: 'Time for a trial', delta: deltas.seconds, format: seconds },
    { name: 'Tokens for a trial', delta: deltas.tokens, format: count },
    { name: 'Cost of a trial', delta: deltas.cost_usd, format: money },
  ];
  return (
    <section>
      <h3>Figures</h3>
      <table class="numbers">
        <thead>
          <tr>
            <td />
            <th scope="col">before</th>
            <th scope="col">after</th>
            <th scope="col">difference</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">All cases that passed</th>
            {[a, b].map(({ id, summary }, at) => (
              <td key={`${id} ${at}`}>
                <ShareBar summary={summary} />
                {summary.passed}/{summary.total}
              </td>
            ))}
            <td />
          </tr>
          {rows.map(({ name, delta, format, difference }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{format(delta.a)}</td>
              <td>{format(delta.b)}</td>
              <td>{difference ?? signed(delta.difference, format)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
