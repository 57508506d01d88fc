import { useEffect, useRef } from 'preact/hooks';

const KEYS = [
  ['j or ↓', 'next case'],
  ['k or ↑', 'previous case'],
  ['Home, End', 'first and last case'],
  ['Enter', 'into the case'],
  ['/', 'search'],
  ['Esc', 'back: out of the search, to the list, to the overview'],
  ['?', 'this list'],
] as const;

export function Help({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
