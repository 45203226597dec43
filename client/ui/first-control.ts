const CONTROLS = 'input, select, textarea, button, a[href], [tabindex]';

/** The first thing in an element that one would type into or press. */
export function firstControl(element: HTMLElement | null): HTMLElement | null {
  const controls = [...(element?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
  return controls.find((control) => control.tabIndex >= 0 && !control.matches(':disabled')) ?? null;
}
