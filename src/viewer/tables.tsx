/** Tables that set two sides against each other. */
import type { ComponentChildren } from 'preact';
import { signed, UNKNOWN } from './format.ts';

export function ColumnHeads({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        <td />
        {names.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export interface Figure {
  readonly name: string;
  /** null: not known. */
  readonly sides: readonly [number | null, number | null] | null;
  readonly change: number | null;
  readonly format: (value: number) => string;
  /** Where it has words of its own. */
  readonly difference?: string;
}

interface Sides {
  readonly sides: readonly [string, string];
  readonly figures: readonly Figure[];
  /** Rows that come before the figures. */
  readonly children?: ComponentChildren;
}

export function FiguresTable({ sides, figures, children }: Sides) {
  const told = (value: number | null | undefined, format: Figure['format']) =>
    value === null || value === undefined ? UNKNOWN : format(value);
  return (
    <table class="numbers">
      <ColumnHeads names={[...sides, 'difference']} />
      <tbody>
        {children}
        {figures.map(({ name, sides: values, change, format, difference }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{told(values?.[0], format)}</td>
            <td>{told(values?.[1], format)}</td>
            <td>{difference ?? signed(change, format)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
