/** The index that a key moves to in a list, or undefined for other keys. */
export function indexForKey(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'j' || key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'k' || key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Whether a key press is meant for something else: the browser, a field, a menu, or a dialog over the list. */
export function isHandledElsewhere(event: KeyboardEvent, list: HTMLElement | null): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!list || list.closest('[aria-hidden="true"], [inert], [data-base-ui-inert]')) return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  const other = target.closest('input, select, textarea, [role=menu], [role=dialog]');
  return other !== null && !other.contains(list);
}

/** The next name that begins with the letters, from `at` on and wrapping around; -1 if none does. */
export function indexForLetters(
  names: readonly (readonly string[])[],
  letters: string,
  at: number,
): number {
  const wanted = letters.toLocaleLowerCase();
  // A single letter moves past the current row; more letters may still match it.
  const from = letters.length === 1 ? at + 1 : Math.max(at, 0);
  const order = names.map((_, step) => (from + step) % names.length);
  const found = order.find((index) =>
    names[index]?.some((name) => name.toLocaleLowerCase().startsWith(wanted)),
  );
  return found ?? -1;
}
