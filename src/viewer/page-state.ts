/** What the reader is looking at. It lives in the address after the #, so that a view can be kept and shared. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Filter, SORTS, type Sort } from './rows.ts';

export interface PageState extends Filter {
  /** The name of the open case; null: the overview. */
  readonly open: string | null;
  /** Id of the trial that is looked at; null: the one that stands for the case. */
  readonly trial: string | null;
}

/** Browsers refuse to be told of every keystroke. */
const WRITE_MS = 200;

export function usePageState(): [PageState, (change: Partial<PageState>) => void] {
  const [state, setState] = useState(() => parseState(location.hash));
  const current = useRef(state);
  const timer = useRef(0);
  useEffect(() => {
    const read = () => {
      clearTimeout(timer.current);
      current.current = parseState(location.hash);
      setState(current.current);
    };
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  const update = useCallback((change: Partial<PageState>) => {
    current.current = { ...current.current, ...change };
    setState(current.current);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(
      () => history.replaceState(null, '', `#${formatState(current.current)}`),
      WRITE_MS,
    );
  }, []);
  return [state, update];
}

function parseState(hash: string): PageState {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const sort = fields.get('sort') ?? '';
  return {
    query: fields.get('q') ?? '',
    show: fields.get('show') ?? '',
    sort: Object.hasOwn(SORTS, sort) ? (sort as Sort) : 'default',
    open: fields.get('case'),
    trial: fields.get('trial'),
  };
}

function formatState({ query, show, sort, open, trial }: PageState): string {
  const fields = new URLSearchParams();
  if (query !== '') fields.set('q', query);
  if (show !== '') fields.set('show', show);
  if (sort !== 'default') fields.set('sort', sort);
  if (open !== null) fields.set('case', open);
  if (trial !== null) fields.set('trial', trial);
  return fields.toString();
}
