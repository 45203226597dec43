const CONTROLS = 'input, select, textarea, button, a[href], [tabindex]';

/** The first control in an element that the Tab key reaches. */
export function firstControl(element: HTMLElement | null): HTMLElement | null {
  const controls = [...(element?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
  return controls.find((control) => control.tabIndex >= 0 && !control.matches(':disabled')) ?? null;
}
