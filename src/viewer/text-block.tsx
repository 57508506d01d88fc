/** Text that somebody else wrote: always text, never markup, never a link. */
import { useContext, useMemo, useState } from 'preact/hooks';
import type { ViewerText } from '../model/viewer.ts';
import { Evidence } from './evidence.ts';
import { count } from './format.ts';
import { findQuotes, type Range } from './highlight.ts';
import { visible } from './visible.ts';

interface Props {
  readonly text: ViewerText;
  /** Characters and lines that are shown before the reader asks for more. */
  readonly preview?: number;
  readonly lines?: number;
}

export function TextBlock({ text, preview = 4_000, lines = 40 }: Props) {
  const quotes = useContext(Evidence);
  const { head, cut, tail } = typeof text === 'string' ? { head: text, cut: 0, tail: '' } : text;
  const parts = useMemo(
    () => [head, tail].map(visible).map((part) => ({ part, marks: findQuotes(part, quotes) })),
    [head, tail, quotes],
  );
  const [first = NOTHING, last = NOTHING] = parts;
  const end = previewEnd(first.part, preview, lines);
  const isLong = end < first.part.length || cut > 0;
  const hidesMarks = last.marks.length > 0 || first.marks.some(({ to }) => to > end);
  const [whole, setWhole] = useState<boolean>();
  const isOpen = !isLong || (whole ?? hidesMarks);
  const left = first.part.length - end + cut + last.part.length;
  return (
    <div class="text">
      <pre>
        <Marked text={isOpen ? first.part : first.part.slice(0, end)} marks={first.marks} />
        {isOpen && cut > 0 && <span class="cut">{`\n${count(cut)} characters are not in this page\n`}</span>}
        {isOpen && cut > 0 && <Marked text={last.part} marks={last.marks} />}
      </pre>
      {isLong && (
        <button type="button" class="quiet more" onClick={() => setWhole(!isOpen)}>
          {isOpen ? 'Show less' : `Show ${count(left)} more characters`}
        </button>
      )}
    </div>
  );
}

const NOTHING = { part: '', marks: [] as Range[] };

function previewEnd(text: string, characters: number, lines: number): number {
  let end = -1;
  for (let line = 0; line < lines; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return Math.min(text.length, characters);
  }
  return Math.min(end, characters);
}

function Marked({ text, marks }: { text: string; marks: readonly Range[] }) {
  const shown = marks.filter(({ from }) => from < text.length);
  if (shown.length === 0) return text;
  let at = 0;
  return (
    <>
      {shown.map(({ from, to }) => {
        const before = text.slice(at, from);
        at = Math.min(to, text.length);
        return [before, <mark key={from}>{text.slice(from, at)}</mark>];
      })}
      {text.slice(at)}
    </>
  );
}
