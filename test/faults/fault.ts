/** What a fault is, and what it must come to. */
import type { ErrorKind, Verdict } from '../../src/model/trial.ts';
import type { Lab, LabEngine, Seen } from './lab.ts';

export interface Fault {
  /** As docs/reliability.md has it. */
  readonly name: string;
  readonly engines: readonly LabEngine[];
  /** Names of cases that it does not hit: they pass. */
  readonly spared?: readonly string[];
  /** Of every other case; null: nothing is decided, since the run itself is refused, stopped or killed. */
  readonly verdict: Verdict | null;
  readonly kind: ErrorKind | null;
  readonly exit: number;
  /** Stands in the error of the case, in a warning, or on standard error. `…` is what differs; null: nothing is said. */
  readonly says: string | null;
  inject(lab: Lab, engine: LabEngine): Promise<Seen>;
}

/** For what does not depend on the agent. */
export function onlyWith(engine: LabEngine, fault: Fault): Fault {
  return { ...fault, engines: [engine] };
}

/** The row of a fault in the table of the docs, cell by cell. */
export function cellsOf({ name, verdict, kind, exit, says }: Fault): string[] {
  return [
    name,
    verdict ?? '',
    kind === null ? '' : `\`${kind}\``,
    String(exit),
    says === null ? '' : says.replaceAll('|', '\\|'),
  ];
}

export function patternOf(says: string): RegExp {
  const parts = says.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'), 's');
}
