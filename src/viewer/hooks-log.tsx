/** What the hooks of the package did, as the shim around them reported. */
import type { ViewerHook } from '../model/viewer.ts';
import { Fold } from './fold.tsx';
import { plural } from './format.ts';
import { TextBlock } from './text-block.tsx';
import { visibleLine } from './visible.ts';

export function HooksLog({ hooks, leftOut }: { hooks: readonly ViewerHook[]; leftOut: number }) {
  return (
    <>
      {hooks.map((run, at) => (
        <Fold
          key={at}
          open={run.error !== null}
          summary={
            <>
              <span class="tool-name">{visibleLine(run.event)}</span>
              <span class="gist">
                {visibleLine(run.tool === null ? run.command : `${run.tool}: ${run.command}`)}
              </span>
              <span class={`tag ${run.decision === 'block' ? 'FAIL' : ''}`}>
                {run.decision === 'none' ? 'no decision' : visibleLine(run.decision)}
              </span>
              <span class="tag">{run.exitCode === null ? 'did not end' : `exit ${run.exitCode}`}</span>
              {run.error !== null && <span class="tag FAIL">broken</span>}
            </>
          }
        >
          {() => (
            <>
              {run.error !== null && <Part name="The hook is broken" text={run.error} />}
              <Part name="Reason" text={run.reason} />
              <Part name="Output" text={run.stdout} />
              <Part name="Error output" text={run.stderr} />
            </>
          )}
        </Fold>
      ))}
      {leftOut > 0 && <p class="cut">{plural(leftOut, 'more run')} left out to keep this page small</p>}
    </>
  );
}

function Part({ name, text }: { name: string; text: ViewerHook['stdout'] }) {
  if (text === '') return null;
  return (
    <>
      <p class="who">{name}</p>
      <TextBlock text={text} preview={1_000} lines={15} />
    </>
  );
}
