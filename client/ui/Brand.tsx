/** The product's logo and name, above the navigation and on the sign-in pages. */
export function Brand({ compact = false }: { compact?: boolean }) {
  return (
    <span className="flex items-center gap-[9px] font-serif text-brand font-semibold">
      <span
        aria-hidden="true"
        className="grid size-[22px] flex-none place-items-center rounded-[6px] bg-accent text-[13px]/none text-on-accent"
      >
        M
      </span>
      <span className={compact ? 'sr-only' : undefined}>Matterdesk</span>
    </span>
  );
}
