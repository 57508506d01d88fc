/** The page: header, list of cases, and the case that is open. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewerData } from '../model/viewer.ts';
import { Banners } from './banners.tsx';
import { CaseView } from './case.tsx';
import { CaseList } from './case-list.tsx';
import { CasePair } from './case-pair.tsx';
import { DiffOverview } from './diff-overview.tsx';
import { Filters } from './filters.tsx';
import { Guard } from './guard.tsx';
import { Header } from './header.tsx';
import { Help } from './help.tsx';
import { pageKey } from './keys.ts';
import { NARROW, useMedia } from './media.ts';
import { Overview } from './overview.tsx';
import { type PageState, usePageState } from './page-state.ts';
import { filterRows, type Row, rowsOf } from './rows.ts';

export function App({ data }: { data: ViewerData }) {
  const [state, update] = usePageState();
  const [left, setLeft] = useState<string | null>(null);
  const [help, setHelp] = useState(false);
  const isNarrow = useMedia(NARROW);
  const isPrinted = useMedia('print');
  const search = useRef<HTMLInputElement>(null);
  const detail = useRef<HTMLElement>(null);

  const all = useMemo(() => rowsOf(data), [data]);
  const { query, show, sort } = state;
  const rows = useMemo(() => filterRows(all, { query, show, sort }), [all, query, show, sort]);
  const open = useMemo(() => all.find(({ name }) => name === state.open) ?? null, [all, state.open]);

  // The open case, or the one the reader was at before.
  const cursor = state.open ?? left;
  useEffect(() => detail.current?.scrollTo(0, 0), [state.open]);

  const openCase = (name: string | null) => {
    setLeft(name ?? cursor);
    update({ open: name, trial: null });
  };
  const moveTo = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    // Where only one pane is seen, moving in the list must not leave it.
    if (isNarrow && open === null) setLeft(row.name);
    else openCase(row.name);
  };
  const actions = {
    move: (by: number) => moveTo(indexOf(rows, cursor) + by),
    first: () => moveTo(0),
    last: () => moveTo(rows.length - 1),
    enter: () => {
      const row = rows[Math.max(0, indexOf(rows, cursor))];
      if (!row) return;
      openCase(row.name);
      // The case is drawn only after this.
      requestAnimationFrame(() => document.getElementById('case-title')?.focus());
    },
    search: () => search.current?.select(),
    back: () => {
      const focused = document.activeElement;
      const inDetail = focused instanceof Node && detail.current?.contains(focused) === true;
      if (focused === search.current && query !== '') update({ query: '' });
      else if (focused === search.current || (inDetail && !isNarrow)) focusList();
      else if (open !== null) {
        openCase(null);
        requestAnimationFrame(focusList);
      }
    },
    help: () => setHelp(true),
  };
  const latest = useRef(actions);
  latest.current = actions;
  // At once: a key that is pressed right after the page is there must not be lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => pageKey(event, latest.current);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);

  const runs =
    data.kind === 'run'
      ? [{ name: '', run: data.run }]
      : [
          { name: 'Before', run: data.a },
          { name: 'After', run: data.b },
        ];
  return (
    <div class={`page ${data.kind} ${open ? 'has-open' : ''}`}>
      <Header data={data} onHelp={() => setHelp(true)} onHome={() => openCase(null)} />
      <Banners runs={runs} />
      <div class="panes">
        <nav class="list-pane" aria-label="Cases">
          <Filters rows={all} shown={rows.length} state={state} update={update} search={search} />
          <CaseList rows={rows} cursor={cursor} onPick={openCase} isPrinted={isPrinted} />
        </nav>
        <main class="detail-pane" ref={detail} tabIndex={-1}>
          {open !== null && (
            <button type="button" class="quiet back" onClick={() => openCase(null)}>
              Back to the {isNarrow ? 'list' : 'overview'}
            </button>
          )}
          <Guard key={state.open ?? ''}>
            <Detail data={data} row={open} state={state} update={update} />
          </Guard>
        </main>
      </div>
      {help && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

interface DetailProps {
  readonly data: ViewerData;
  readonly row: Row | null;
  readonly state: PageState;
  readonly update: (change: Partial<PageState>) => void;
}

function Detail({ data, row, state, update }: DetailProps) {
  const onTrial = (trial: string) => update({ trial });
  if (row === null)
    return (
      <>
        {state.open !== null && <p class="warning">This report has no case of the name in the address.</p>}
        {data.kind === 'run' ? (
          <Overview run={data.run} />
        ) : (
          <DiffOverview diff={data.diff} a={data.a} b={data.b} />
        )}
      </>
    );
  if (data.kind === 'diff')
    return <CasePair row={row} diff={data.diff} trial={state.trial} onTrial={onTrial} />;
  return row.now && <CaseView it={row.now} trial={state.trial} onTrial={onTrial} />;
}

function indexOf(rows: readonly Row[], name: string | null): number {
  return rows.findIndex((row) => row.name === name);
}

function focusList(): void {
  document.getElementById('case-list')?.focus();
}
