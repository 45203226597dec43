/** A key on the keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="rounded-[4px] border border-line bg-paper px-1 font-sans text-[11px]/4 font-medium text-ink-3">
      {children}
    </kbd>
  );
}
