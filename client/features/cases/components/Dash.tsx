/** A dash for a missing value, with its meaning for screen readers. */
export function Dash({ means }: { means: string }) {
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{means}</span>
    </span>
  );
}
