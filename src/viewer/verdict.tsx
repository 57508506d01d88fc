/** Verdicts by shape as well as by colour. */
import type { CaseDiff } from '../model/diff.ts';
import type { Verdict } from '../model/trial.ts';
import type { ViewerTrial } from '../model/viewer.ts';
import { VERDICT_WORDS } from './format.ts';

export function VerdictMark({ verdict, size = 14 }: { verdict: Verdict; size?: number }) {
  return (
    <svg class={`mark ${verdict}`} width={size} height={size} viewBox="0 0 14 14" role="img">
      <title>{VERDICT_WORDS[verdict]}</title>
      <Shape verdict={verdict} x={7} y={7} />
    </svg>
  );
}

/** PASS: a full disc. FAIL: a cross. SKIP: an empty ring. */
function Shape({ verdict, x, y }: { verdict: Verdict; x: number; y: number }) {
  if (verdict === 'PASS') return <circle class="full" cx={x} cy={y} r="5" />;
  if (verdict === 'SKIP') return <circle class="ring" cx={x} cy={y} r="4.2" />;
  return <path class="cross" d={`M${x - 4} ${y - 4}l8 8m0 -8l-8 8`} />;
}

export function VerdictWord({ verdict }: { verdict: Verdict }) {
  return (
    <span class={`word ${verdict}`}>
      <VerdictMark verdict={verdict} size={12} /> {verdict}
    </span>
  );
}

const CHANGE_KINDS: Readonly<Record<CaseDiff['change'], string>> = {
  regressed: 'FAIL',
  'newly-undecided': 'SKIP',
  improved: 'PASS',
  'newly-decided': 'PASS',
  'not-comparable': 'plain',
  added: 'plain',
  removed: 'plain',
  unchanged: 'plain',
};

export function ChangeWord({ change }: { change: CaseDiff['change'] }) {
  return <span class={`word ${CHANGE_KINDS[change]}`}>{change.replace('-', ' ')}</span>;
}

const MAX_DOTS = 24;

/** One for each trial, in their order; more than fit are told as numbers. */
export function TrialDots({ trials }: { trials: readonly ViewerTrial[] }) {
  if (trials.length < 2) return null;
  const passed = trials.filter((it) => it.verdict === 'PASS').length;
  const told = `${passed} of ${trials.length} trials passed`;
  if (trials.length > MAX_DOTS) return <span class="muted nowrap">{told}</span>;
  return (
    <svg
      class="dots"
      width={trials.length * 11 + 2}
      height="12"
      viewBox={`0 0 ${trials.length * 11 + 2} 12`}
      role="img"
    >
      <title>{told}</title>
      {trials.map(({ trial, verdict }, at) => (
        <g key={trial} class={`mark ${verdict}`} transform={`translate(${at * 11 + 0.5} 0.5) scale(0.78)`}>
          <Shape verdict={verdict} x={7} y={7} />
        </g>
      ))}
    </svg>
  );
}
