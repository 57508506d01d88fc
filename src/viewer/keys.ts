/** The keys of the page. */
export interface KeyActions {
  readonly move: (by: number) => void;
  readonly first: () => void;
  readonly last: () => void;
  readonly enter: () => void;
  readonly search: () => void;
  readonly back: () => void;
  readonly help: () => void;
}

/** Letters are the reader's own where text is written; a dialog keeps its keys. */
export function pageKey(event: KeyboardEvent, actions: KeyActions): void {
  const target = event.target instanceof Element ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('dialog')) return;
  const key = actionOf(event.key, target, actions);
  if (!key) return;
  event.preventDefault();
  key();
}

function actionOf(key: string, target: Element | null, actions: KeyActions): (() => void) | null {
  if (key === 'Escape') return actions.back;
  if (target?.matches('input, textarea')) {
    if (key === 'ArrowDown') return () => actions.move(1);
    if (key === 'ArrowUp') return () => actions.move(-1);
    return key === 'Enter' ? actions.enter : null;
  }
  if (target?.matches('select')) return null;
  const anywhere: Readonly<Record<string, () => void>> = {
    j: () => actions.move(1),
    k: () => actions.move(-1),
    '/': actions.search,
    '?': actions.help,
  };
  if (Object.hasOwn(anywhere, key)) return anywhere[key] ?? null;
  // Elsewhere these scroll, press a button or open a part.
  if (target !== document.body && !target?.closest('.list')) return null;
  const inList: Readonly<Record<string, () => void>> = {
    ArrowDown: () => actions.move(1),
    ArrowUp: () => actions.move(-1),
    Home: actions.first,
    End: actions.last,
    Enter: actions.enter,
  };
  return Object.hasOwn(inList, key) ? (inList[key] ?? null) : null;
}
