/** A part that is made only when it is opened: most of a long timeline never is. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  readonly summary: ComponentChildren;
  readonly class?: string;
  readonly open?: boolean;
  readonly children: () => ComponentChildren;
}

export function Fold({ summary, class: kind = '', open = false, children }: Props) {
  const [isOpen, setOpen] = useState(open);
  return (
    <details class={`fold ${kind}`} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && <div class="folded">{children()}</div>}
    </details>
  );
}
