/** What the judge decided, why, and what it quoted. */
import { useMemo } from 'preact/hooks';
import { outOfTen } from '../model/score.ts';
import type { ViewerCapture, ViewerJudge } from '../model/viewer.ts';
import { placeOf } from './evidence.ts';
import { money, percent, plural } from './format.ts';
import { VerdictWord } from './verdict.tsx';
import { visible, visibleLine } from './visible.ts';

export function JudgeView({ judge, capture }: { judge: ViewerJudge; capture: ViewerCapture | null }) {
  const failed = judge.votes.filter(({ state }) => state !== 'cast');
  return (
    <section>
      <h3>Judge</h3>
      <p class="line">
        <VerdictWord verdict={judge.result} />
        <span class="muted">
          {judge.model ?? 'model not known'}
          {judge.transport && `, by ${judge.transport}`}
          {judge.votes.length > 0 && `, ${plural(judge.votes.length, 'vote')}`}
          {judge.cost_usd !== null && `, ${money(judge.cost_usd)}`}
        </span>
      </p>
      {judge.reason !== '' && !isRepeated(judge) && <p class="prose">{visible(judge.reason)}</p>}
      {failed.map(({ state, error }, at) => (
        <p key={at} class="prose muted">
          A vote was {state}: {visible(error ?? 'no reason told')}
        </p>
      ))}
      {judge.criteria.map((it) => (
        <CriterionView key={it.id} criterion={it} capture={capture} />
      ))}
    </section>
  );
}

/** The reason of the only criterion is the reason of the whole. */
function isRepeated({ reason, criteria }: ViewerJudge): boolean {
  return criteria.some((it) => it.reason !== '' && reason.includes(it.reason));
}

function CriterionView({
  criterion,
  capture,
}: {
  criterion: ViewerJudge['criteria'][number];
  capture: ViewerCapture | null;
}) {
  const { text, result, score, reason, evidence, votes, agreement, weight } = criterion;
  const all = votes.pass + votes.fail + votes.undecided;
  const told = [
    all > 1 &&
      `${votes.pass} for, ${votes.fail} against${votes.undecided > 0 ? `, ${votes.undecided} undecided` : ''}`,
    all > 1 && agreement !== null && `agreement ${percent(agreement)}`,
    weight !== undefined && `weight ${weight}`,
  ].filter((it) => it !== false);
  return (
    <div class={`criterion ${result}`}>
      <p class="line">
        <VerdictWord verdict={result} />
        {typeof score === 'number' && <span class="nowrap">{outOfTen(score)}</span>}
        <span class="prose">{visible(text)}</span>
      </p>
      {told.length > 0 && <p class="muted">{told.join(', ')}</p>}
      {reason !== '' && <p class="prose">{visible(reason)}</p>}
      {evidence.map((quote) => (
        <Quote key={quote} quote={quote} capture={capture} />
      ))}
    </div>
  );
}

function Quote({ quote, capture }: { quote: string; capture: ViewerCapture | null }) {
  const place = useMemo(() => (capture === null ? null : placeOf(quote, capture)), [quote, capture]);
  return (
    <figure class={place === null ? 'quote missing' : 'quote'}>
      <blockquote>{visibleLine(quote)}</blockquote>
      <figcaption class="muted">
        {place === null ? 'was shown to the judge; this page does not have the passage' : visibleLine(place)}
      </figcaption>
    </figure>
  );
}
