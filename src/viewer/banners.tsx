/** What a reader must know before believing a verdict. */
import type { ViewerRun } from '../model/viewer.ts';
import { visible } from './visible.ts';

export function Banners({ runs }: { runs: readonly { readonly name: string; readonly run: ViewerRun }[] }) {
  const all = runs.flatMap(({ name, run }) =>
    bannersOf(run).map((banner) => ({
      ...banner,
      text: name === '' ? banner.text : `${name}: ${banner.text}`,
    })),
  );
  if (all.length === 0) return null;
  return (
    <aside class="banners" aria-label="Before you trust this report">
      {all.map(({ kind, text }) => (
        <p key={text} class={`banner ${kind}`}>
          {visible(text)}
        </p>
      ))}
    </aside>
  );
}

function bannersOf({ report }: ViewerRun): { kind: 'loud' | 'calm'; text: string }[] {
  return [
    ...((report.tape.mode !== 'record' || report.tape.source === 'scripted') && report.tape.note !== null
      ? [
          {
            kind: report.tape.source === 'recorded' ? ('calm' as const) : ('loud' as const),
            text: report.tape.note,
          },
        ]
      : []),
    ...(report.sandbox?.kind === 'none'
      ? [
          {
            kind: 'loud' as const,
            text: 'sandbox: none. The agent was not isolated: it could read and write whatever the user could, and use the network.',
          },
        ]
      : []),
    ...(report.interrupted
      ? [{ kind: 'loud' as const, text: 'The run was interrupted: what had not ended is undecided.' }]
      : []),
  ];
}
