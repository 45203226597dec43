/** Nothing, as a dash; `means` says it to those who cannot see it. */
export function Dash({ means }: { means: string }) {
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{means}</span>
    </span>
  );
}
