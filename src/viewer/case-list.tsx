/** The list of cases. Only the rows in sight are made, so that thousands stay smooth. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { plural, seconds } from './format.ts';
import { IntervalPlot } from './plots.tsx';
import type { Row } from './rows.ts';
import { ChangeWord, TrialDots, VerdictMark } from './verdict.tsx';
import { visibleLine } from './visible.ts';

interface Props {
  readonly rows: readonly Row[];
  readonly cursor: string | null;
  readonly onPick: (name: string) => void;
  /** Paper has no scroll bar. */
  readonly isPrinted: boolean;
}

const ROW_HEIGHT = 46;
const OVERSCAN = 6;
const PRINTED_ROWS = 1_000;

export function CaseList({ rows, cursor, onPick, isPrinted }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const measure = () => {
    const it = list.current;
    if (!it) return;
    const { scrollTop: top, clientHeight: height } = it;
    setView((last) => (last.top === top && last.height === height ? last : { top, height }));
  };
  useLayoutEffect(measure, [rows]);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  const at = rows.findIndex(({ name }) => name === cursor);
  useLayoutEffect(() => {
    const it = list.current;
    if (!it || at < 0) return;
    const top = at * ROW_HEIGHT;
    if (top < it.scrollTop) it.scrollTop = top;
    else if (top + ROW_HEIGHT > it.scrollTop + it.clientHeight)
      it.scrollTop = top + ROW_HEIGHT - it.clientHeight;
    measure();
  }, [at]);

  const first = isPrinted ? 0 : Math.max(0, Math.floor(view.top / ROW_HEIGHT) - OVERSCAN);
  const last = isPrinted
    ? Math.min(rows.length, PRINTED_ROWS)
    : Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_HEIGHT) + OVERSCAN);
  const pick = useRef(onPick);
  pick.current = onPick;
  const shown = useMemo(
    () =>
      rows
        .slice(first, last)
        .map((row, offset) => (
          <ListRow
            key={row.name}
            row={row}
            index={first + offset}
            total={rows.length}
            isCurrent={first + offset === at}
            onPick={(name) => pick.current(name)}
          />
        )),
    [rows, first, last, at],
  );
  return (
    <>
      <div
        ref={list}
        id="case-list"
        class="list"
        role="listbox"
        aria-label="Cases"
        aria-activedescendant={at >= first && at < last ? `row-${at}` : undefined}
        tabIndex={0}
        onScroll={measure}
      >
        <div
          class="sizer"
          role="presentation"
          style={isPrinted ? {} : { height: `${rows.length * ROW_HEIGHT}px` }}
        >
          <div
            role="presentation"
            style={isPrinted ? {} : { transform: `translateY(${first * ROW_HEIGHT}px)` }}
          >
            {shown}
          </div>
        </div>
        {rows.length === 0 && <p class="empty">No case matches.</p>}
      </div>
      {isPrinted && rows.length > PRINTED_ROWS && (
        <p class="cut">
          {plural(rows.length - PRINTED_ROWS, 'more case')} not printed: filter the list before printing
        </p>
      )}
    </>
  );
}

interface RowProps {
  readonly row: Row;
  readonly index: number;
  readonly total: number;
  readonly isCurrent: boolean;
  readonly onPick: (name: string) => void;
}

function ListRow({ row, index, total, isCurrent, onPick }: RowProps) {
  const { name, target, verdict, now, before, diff } = row;
  const it = now ?? before;
  const mine = it?.trials.filter(({ arm }) => arm === 'with') ?? [];
  const why =
    it?.error ?? it?.trials[it.decisive]?.details?.checks.find((one) => one.verdict === 'FAIL')?.message;
  const second = why ?? it?.trials[it.decisive]?.details?.judge?.reason;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the list, which has the focus
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and says which row is active
    <div
      id={`row-${index}`}
      class={`row ${isCurrent ? 'current' : ''}`}
      role="option"
      aria-selected={isCurrent}
      aria-setsize={total}
      aria-posinset={index + 1}
      onClick={() => onPick(name)}
    >
      <span class="row-mark">{diff ? <Pair diff={diff} /> : <VerdictMark verdict={verdict} />}</span>
      <span class="row-name">{visibleLine(name)}</span>
      <span class="row-side">
        {it?.statistics.flaky && <span class="tag SKIP">flaky</span>}
        {diff ? (
          <ChangeWord change={diff.change} />
        ) : (
          <span class="muted">{seconds(it?.duration_seconds ?? null)}</span>
        )}
      </span>
      <span class="row-why muted">
        {target !== null && <span class="row-target">{visibleLine(target)}</span>}
        {verdict !== 'PASS' && second && visibleLine(second.slice(0, 300))}
      </span>
      <span class="row-figures">
        {mine.length > 1 && it && (
          <>
            <TrialDots trials={mine} />
            <IntervalPlot
              rate={it.statistics.pass_rate}
              interval={it.statistics.interval}
              width={64}
              label="Pass rate"
            />
          </>
        )}
      </span>
    </div>
  );
}

function Pair({ diff }: { diff: NonNullable<Row['diff']> }) {
  return (
    <>
      {diff.a ? <VerdictMark verdict={diff.a.verdict} /> : <span class="nothing">·</span>}
      <span class="arrow" aria-hidden="true">
        →
      </span>
      {diff.b ? <VerdictMark verdict={diff.b.verdict} /> : <span class="nothing">·</span>}
    </>
  );
}
