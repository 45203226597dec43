const CONTROLS = 'input, select, textarea, button, a[href], [tabindex]';

/** The first control in an element that the Tab key reaches: of a group of radio buttons the chosen one. */
export function firstControl(element: HTMLElement | null): HTMLElement | null {
  const controls = [...(element?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];
  const first = controls.find((control) => control.tabIndex >= 0 && !control.matches(':disabled'));
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first ?? null;
  const group = controls.filter((control) => control.matches(`[name="${CSS.escape(first.name)}"]`));
  return group.find((control) => control.matches(':checked')) ?? first;
}
