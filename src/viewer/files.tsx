/** What changed in the workspace, as a coloured diff. */
import { useContext, useMemo, useState } from 'preact/hooks';
import type { ViewerFile, ViewerText } from '../model/viewer.ts';
import { Evidence, holdsQuote } from './evidence.ts';
import { Fold } from './fold.tsx';
import { count, plural } from './format.ts';
import { visible, visibleLine } from './visible.ts';

export function Files({ files, leftOut }: { files: readonly ViewerFile[]; leftOut: number }) {
  const quotes = useContext(Evidence);
  const evidence = useMemo(() => files.map(({ diff }) => holdsQuote(diff, quotes)), [files, quotes]);
  if (files.length === 0) return <p class="muted">No file was created, changed or deleted.</p>;
  return (
    <>
      {files.map(({ path, change, diff }, at) => (
        <Fold
          key={path}
          open={files.length <= 3}
          summary={
            <>
              <span class={`change ${change}`}>{change}</span>
              <span class="path">{visibleLine(path)}</span>
              {evidence[at] && <span class="tag evidence">evidence</span>}
            </>
          }
        >
          {() =>
            diff === null ? <p class="muted">Not text, or too large to compare.</p> : <DiffText diff={diff} />
          }
        </Fold>
      ))}
      {leftOut > 0 && <p class="cut">{plural(leftOut, 'more file')} left out to keep this page small</p>}
    </>
  );
}

const FIRST_LINES = 200;

function DiffText({ diff }: { diff: ViewerText }) {
  const [whole, setWhole] = useState(false);
  const lines = useMemo(() => linesOf(diff), [diff]);
  const shown = whole ? lines : lines.slice(0, FIRST_LINES);
  return (
    <>
      <pre class="diff">
        {shown.map(({ kind, text }, at) => (
          <span key={at} class={kind}>{`${text}\n`}</span>
        ))}
      </pre>
      {lines.length > FIRST_LINES && (
        <button type="button" class="quiet more" onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : `Show ${count(lines.length - FIRST_LINES)} more lines`}
        </button>
      )}
    </>
  );
}

interface DiffLine {
  readonly kind: 'added' | 'removed' | 'hunk' | 'cut' | 'same';
  readonly text: string;
}

function linesOf(diff: ViewerText): DiffLine[] {
  if (typeof diff === 'string') return parsed(diff);
  const mark: DiffLine = { kind: 'cut', text: `${count(diff.cut)} characters are not in this page` };
  return [...parsed(diff.head), mark, ...parsed(diff.tail)];
}

/** What stands before the first hunk repeats the name of the file. */
function parsed(text: string): DiffLine[] {
  const lines = visible(text).replace(/\n$/, '').split('\n');
  const start = lines.findIndex((line) => line.startsWith('@@'));
  return lines.slice(Math.max(0, start)).map((line) => ({ kind: kindOf(line), text: line }));
}

function kindOf(line: string): DiffLine['kind'] {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'hunk' : 'same';
}
