/** A part that cannot be shown must not take the rest of the page with it. */
import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';

export function Guard({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary();
  if (error === undefined || error === null) return <>{children}</>;
  return (
    <p class="error FAIL">
      This part could not be shown ({error instanceof Error ? error.message : String(error)}). The report’s
      JSON has it.
    </p>
  );
}
