/** What the agent did, in its order. */
import { useContext, useMemo } from 'preact/hooks';
import type { ViewerStep, ViewerText } from '../model/viewer.ts';
import { Evidence, holdsQuote } from './evidence.ts';
import { Fold } from './fold.tsx';
import { plural } from './format.ts';
import { TextBlock } from './text-block.tsx';
import { visibleLine } from './visible.ts';

export function Timeline({ steps }: { steps: readonly ViewerStep[] }) {
  if (steps.length === 0) return <p class="muted">The agent left no events.</p>;
  return (
    <ol class="timeline">
      {steps.map((step, at) => (
        <li key={at} class={kindOf(step)}>
          <Step step={step} />
        </li>
      ))}
    </ol>
  );
}

function kindOf(step: ViewerStep): string {
  if (step.type === 'tool') return step.isError ? 'tool bad' : 'tool';
  if (step.type === 'note') return step.isBad ? 'note bad' : 'note';
  return step.type;
}

function Step({ step }: { step: ViewerStep }) {
  switch (step.type) {
    case 'message':
      return (
        <>
          <p class="who">{step.subAgent ? 'Sub-agent' : 'Agent'}</p>
          <TextBlock text={step.text} preview={1_500} lines={20} />
        </>
      );
    case 'tool':
      return <ToolStep step={step} />;
    case 'note':
      return <NoteStep step={step} />;
    case 'gap':
      return (
        <p class="cut">
          {step.count === null
            ? 'Something is missing from here on'
            : `${plural(step.count, 'step')} left out`}
          : {visibleLine(step.why)}
        </p>
      );
  }
}

function ToolStep({ step }: { step: Extract<ViewerStep, { type: 'tool' }> }) {
  const quotes = useContext(Evidence);
  const isEvidence = useMemo(
    () => holdsQuote(step.input, quotes) || holdsQuote(step.output, quotes),
    [step, quotes],
  );
  return (
    <Fold
      summary={
        <>
          <span class="tool-name">{visibleLine(step.tool)}</span>
          <span class="gist">{gist(step.input)}</span>
          {step.subAgent && <span class="tag">sub-agent</span>}
          {step.isError && <span class="tag FAIL">error</span>}
          {step.output === null && <span class="tag SKIP">no result</span>}
          {isEvidence && <span class="tag evidence">evidence</span>}
        </>
      }
    >
      {() => (
        <>
          <p class="who">Arguments</p>
          <TextBlock text={step.input} />
          <p class="who">{step.isError ? 'Result: an error' : 'Result'}</p>
          {step.output === null ? <p class="muted">It never came.</p> : <TextBlock text={step.output} />}
        </>
      )}
    </Fold>
  );
}

function NoteStep({ step }: { step: Extract<ViewerStep, { type: 'note' }> }) {
  const quotes = useContext(Evidence);
  const isEvidence = useMemo(() => holdsQuote(step.text, quotes), [step, quotes]);
  const title = <span class="note-title">{visibleLine(step.title)}</span>;
  if (step.text === '') return title;
  return (
    <Fold
      open={step.isBad}
      summary={
        <>
          {title}
          <span class="gist">{gist(step.text)}</span>
          {isEvidence && <span class="tag evidence">evidence</span>}
        </>
      }
    >
      {() => <TextBlock text={step.text} />}
    </Fold>
  );
}

const GIST_LENGTH = 160;

/** Arguments of one field are told by their value alone. */
function gist(text: ViewerText): string {
  const head = typeof text === 'string' ? text : text.head;
  const start = visibleLine(head.slice(0, GIST_LENGTH * 4));
  const only = /^\{ "[\w-]+": "((?:[^"\\]|\\.)*)" \}$/.exec(start)?.[1];
  return (only ?? start).slice(0, GIST_LENGTH);
}
