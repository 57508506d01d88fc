/** A case in two runs, side by side. */
import type { EvalDiff } from '../model/diff.ts';
import { CaseView } from './case.tsx';
import { time } from './format.ts';
import type { Row } from './rows.ts';
import { ChangeWord } from './verdict.tsx';
import { visible, visibleLine } from './visible.ts';

interface Props {
  readonly row: Row;
  readonly diff: EvalDiff;
  readonly trial: string | null;
  readonly onTrial: (trial: string) => void;
}

export function CasePair({ row, diff, trial, onTrial }: Props) {
  const description = row.now?.description ?? row.before?.description ?? '';
  const sides = [
    {
      key: 'before',
      it: row.before,
      title: `Before: ${time(diff.a.timestamp)}`,
      absent: 'The case was not in this run.',
    },
    {
      key: 'after',
      it: row.now,
      title: `After: ${time(diff.b.timestamp)}`,
      absent: 'The case is not in this run.',
    },
  ];
  return (
    <>
      <h2 id="case-title" tabIndex={-1}>
        {visibleLine(row.name)}
      </h2>
      <p class="line">
        {row.diff && <ChangeWord change={row.diff.change} />}
        {row.target !== null && <span class="muted">{visibleLine(row.target)}</span>}
      </p>
      {row.diff?.kept_out && <p class="warning">Not part of the conclusion: {visible(row.diff.kept_out)}</p>}
      {description !== '' && <p class="prose">{visible(description)}</p>}
      <div class="pair">
        {sides.map(({ key, it, title, absent }) => (
          <div key={key}>
            {it ? (
              <CaseView it={it} trial={trial} onTrial={onTrial} title={title} />
            ) : (
              <>
                <h3 class="side-title">{title}</h3>
                <p class="muted">{absent}</p>
              </>
            )}
          </div>
        ))}
      </div>
    </>
  );
}
