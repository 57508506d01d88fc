/** Small plots, drawn by hand: shares, intervals, differences. */
import type { ViewerRun } from '../model/viewer.ts';
import { percent, points } from './format.ts';

interface IntervalProps {
  readonly rate: number | null;
  readonly interval: readonly [number, number] | null;
  readonly threshold?: number;
  readonly width?: number;
  readonly label: string;
}

const PAD = 5;

/** A pass rate and its 95 % interval on a scale from 0 to 1. */
export function IntervalPlot({ rate, interval, threshold, width = 160, label }: IntervalProps) {
  const x = (value: number) => PAD + value * (width - 2 * PAD);
  const told = interval
    ? `${percent(rate)}, 95 % interval ${percent(interval[0])} to ${percent(interval[1])}`
    : 'no data';
  return (
    <svg class="plot" width={width} height="16" viewBox={`0 0 ${width} 16`} role="img">
      <title>{`${label}: ${told}`}</title>
      <line class="axis" x1={x(0)} x2={x(1)} y1="8" y2="8" />
      <line class="axis" x1={x(0)} x2={x(0)} y1="5" y2="11" />
      <line class="axis" x1={x(1)} x2={x(1)} y1="5" y2="11" />
      {threshold !== undefined && threshold < 1 && (
        <line class="threshold" x1={x(threshold)} x2={x(threshold)} y1="1" y2="15" />
      )}
      {interval && <line class="interval" x1={x(interval[0])} x2={x(interval[1])} y1="8" y2="8" />}
      {rate !== null && <circle class="point" cx={x(rate)} cy="8" r="3.5" />}
    </svg>
  );
}

/** A difference of pass rates and its interval on a scale from -1 to 1, with a line at no difference. */
export function DifferencePlot({
  difference,
  interval,
  label,
}: {
  difference: number;
  interval: readonly [number, number] | null;
  label: string;
}) {
  const width = 260;
  const x = (value: number) => PAD + ((value + 1) / 2) * (width - 2 * PAD);
  const told = interval ? ` (95 % interval ${points(interval[0])} to ${points(interval[1])})` : '';
  return (
    <svg class="plot" width={width} height="34" viewBox={`0 0 ${width} 34`} role="img">
      <title>{`${label}: ${points(difference)}${told}`}</title>
      <line class="axis" x1={x(-1)} x2={x(1)} y1="10" y2="10" />
      <line class="threshold" x1={x(0)} x2={x(0)} y1="2" y2="18" />
      {interval && <line class="interval" x1={x(interval[0])} x2={x(interval[1])} y1="10" y2="10" />}
      <circle class="point" cx={x(difference)} cy="10" r="4" />
      <text x={x(-1) - PAD} y="31">
        worse
      </text>
      <text x={x(0)} y="31" text-anchor="middle">
        0
      </text>
      <text x={x(1) + PAD} y="31" text-anchor="end">
        better
      </text>
    </svg>
  );
}

export function ShareBar({
  summary,
}: {
  summary: Pick<ViewerRun['report']['summary'], 'total' | 'passed' | 'failed' | 'skipped'>;
}) {
  const { total, passed, failed, skipped } = summary;
  const parts = [
    { verdict: 'PASS', share: passed },
    { verdict: 'FAIL', share: failed },
    { verdict: 'SKIP', share: skipped },
  ];
  let from = 0;
  return (
    <svg class="shares" viewBox="0 0 100 6" preserveAspectRatio="none" role="img">
      <title>{`${passed} passed, ${failed} failed, ${skipped} undecided`}</title>
      {parts.map(({ verdict, share }) => {
        const width = total === 0 ? 0 : (share / total) * 100;
        const x = from;
        from += width;
        return width === 0 ? null : (
          <rect key={verdict} class={verdict} x={x} y="0" width={width} height="6" />
        );
      })}
    </svg>
  );
}
