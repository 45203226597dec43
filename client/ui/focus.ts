import { flushSync } from 'react-dom';

const CONTROLS = 'input, select, textarea, button, a[href], [tabindex]';

/** Animation frames in which a list that has just appeared shows its rows. */
const FRAMES = 20;

/** The first control in an element that the Tab key reaches: of a group of radio buttons the chosen one. */
export function firstControl(element: HTMLElement | null): HTMLElement | null {
  const controls = [...(element?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
  const first = controls.find((control) => control.tabIndex >= 0 && !control.matches(':disabled'));
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first ?? null;
  const group = controls.filter((control) => control.matches(`[name="${CSS.escape(first.name)}"]`));
  return group.find((control) => control.matches(':checked')) ?? first;
}

/**
 * Focuses the first link of the row with `data-row={id}`, as soon as it is rendered.
 * @param fallback the id of an element that has the focus until then
 */
export async function focusRow(id: string, fallback: string): Promise<void> {
  for (let frame = 0; frame < FRAMES && !focusLinkOf(id); frame += 1) {
    focusElement(fallback);
    await new Promise(requestAnimationFrame);
    // The user went on.
    if (document.activeElement?.id !== fallback && !isFocusLost()) return;
  }
}

/** Opens a form in the row of a button that disappears with it, and hands the focus over. */
export function openInRow(button: HTMLElement, open: () => void): void {
  const row = button.closest('li');
  flushSync(open);
  firstControl(row?.querySelector('form') ?? null)?.focus();
}

/** The search that is nearest to an element, such as that of its list, or the first of `data-filters` without one. */
export function nearestSearch(element: HTMLElement): HTMLElement | null {
  const search = element.querySelector<HTMLElement>('input[type=search]');
  const found = search ?? firstControl(element.querySelector<HTMLElement>('[data-filters]'));
  return found ?? (element.parentElement && nearestSearch(element.parentElement));
}

export function focusElement(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true });
}

export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function focusLinkOf(id: string): boolean {
  const link = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] a`);
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: 'nearest' });
  return link !== null && link === document.activeElement;
}
