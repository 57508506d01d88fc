/** Which cases are listed: by text, by verdict or change, in what order. */
import type { RefObject } from 'preact';
import { useMemo } from 'preact/hooks';
import { count, plural } from './format.ts';
import type { PageState } from './page-state.ts';
import { CHANGES, isShown, type Row, SORTS, type Sort } from './rows.ts';

interface Props {
  readonly rows: readonly Row[];
  readonly shown: number;
  readonly state: PageState;
  readonly update: (change: Partial<PageState>) => void;
  readonly search: RefObject<HTMLInputElement | null>;
}

export function Filters({ rows, shown, state, update, search }: Props) {
  const choices = useMemo(() => choicesOf(rows), [rows]);
  return (
    <search class="filters">
      <div class="chips">
        {choices.map(({ show, name, number }) => (
          <button
            key={show}
            type="button"
            class={`chip ${show}`}
            aria-pressed={state.show === show}
            onClick={() => update({ show: state.show === show ? '' : show })}
          >
            {name} <span class="number">{count(number)}</span>
          </button>
        ))}
      </div>
      <div class="search-line">
        <input
          ref={search}
          type="search"
          placeholder="Search names, targets, errors"
          aria-label="Search cases"
          spellcheck={false}
          value={state.query}
          onInput={(event) => update({ query: event.currentTarget.value })}
        />
        <select
          aria-label="Order"
          value={state.sort}
          onChange={(event) => update({ sort: event.currentTarget.value as Sort })}
        >
          {Object.entries(SORTS).map(([sort, name]) => (
            <option key={sort} value={sort}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <p class="muted shown" role="status">
        {shown === rows.length
          ? plural(rows.length, 'case')
          : `${count(shown)} of ${plural(rows.length, 'case')}`}
      </p>
    </search>
  );
}

interface Choice {
  readonly show: string;
  readonly name: string;
  readonly number: number;
}

/** Only what there is: a filter that shows nothing is no help. */
function choicesOf(rows: readonly Row[]): Choice[] {
  const choices = rows.some(({ diff }) => diff !== null)
    ? CHANGES.map((change) => ({ show: change as string, name: change.replace('-', ' ') }))
    : [
        { show: 'FAIL', name: 'failed' },
        { show: 'SKIP', name: 'undecided' },
        { show: 'PASS', name: 'passed' },
        { show: 'flaky', name: 'flaky' },
      ];
  const counted = choices.map((choice) => ({
    ...choice,
    number: rows.filter((row) => isShown(row, choice.show)).length,
  }));
  return [{ show: '', name: 'all', number: rows.length }, ...counted.filter(({ number }) => number > 0)];
}
