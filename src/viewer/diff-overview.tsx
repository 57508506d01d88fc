/** What the comparison of two runs says as a whole. */
import type { EvalDiff } from '../model/diff.ts';
import type { ViewerRun } from '../model/viewer.ts';
import { count, money, percent, plural, points, score, seconds, UNKNOWN } from './format.ts';
import { DifferencePlot, ShareBar } from './plots.tsx';
import { Provenance } from './provenance.tsx';
import { ColumnHeads, type Figure, FiguresTable } from './tables.tsx';
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
            <ColumnHeads names={['Before', 'After']} />
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

function Deltas({ diff: { deltas, a, b } }: { diff: EvalDiff }) {
  const figure = (name: string, delta: EvalDiff['deltas']['seconds'], format: Figure['format']): Figure => ({
    name,
    sides: [delta.a, delta.b],
    change: delta.difference,
    format,
  });
  const figures: readonly Figure[] = [
    {
      ...figure('Pass rate', deltas.pass_rate, percent),
      difference: points(deltas.pass_rate.difference),
    },
    ...(deltas.score ? [figure('Score of a trial', deltas.score, score)] : []),
    figure('Time for a trial', deltas.seconds, seconds),
    figure('Tokens for a trial', deltas.tokens, count),
    figure('Cost of a trial', deltas.cost_usd, money),
  ];
  return (
    <section>
      <h3>Figures</h3>
      <FiguresTable sides={['before', 'after']} figures={figures}>
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
      </FiguresTable>
    </section>
  );
}
