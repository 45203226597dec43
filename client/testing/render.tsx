import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished, vi } from 'vitest';

// Components are tested on a page without layout; what needs a real browser is in tools/e2e.

/** Shows it until the test ends. */
export async function render(element: ReactNode): Promise<void> {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  onTestFinished(() => act(async () => root.unmount()));
  await act(async () => root.render(element));
}

/** The control with this label. */
export function field(label: string): HTMLInputElement {
  const found = all('label').find(({ textContent }) => textContent === label);
  return element(document.getElementById(found?.getAttribute('for') ?? ''), label);
}

/** The hint or the error that is read with a control. */
export function descriptionOf(control: HTMLElement): string {
  const ids = control.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}

export function button(name: string): HTMLButtonElement {
  const found = all('button').find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  );
  return element(found, name);
}

export async function click(target: HTMLElement): Promise<void> {
  await act(async () => target.click());
}

export async function fill(control: HTMLInputElement, text: string): Promise<void> {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
  await act(async () => {
    set?.call(control, text);
    control.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
}

/** Until the page is as the assertions say. */
export async function eventually(assertions: () => void): Promise<void> {
  await act(async () => vi.waitFor(assertions, { timeout: 25_000 }));
}

function all(selector: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(selector)];
}

function element<E extends HTMLElement>(found: HTMLElement | null | undefined, name: string): E {
  if (!found) throw new Error(`Nothing on the page is named ${name}`);
  return found as E;
}
