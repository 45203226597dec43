/** The events by which a user changes a field; drops and pastes into rich texts are no `beforeinput`. */
const CHANGES = ['beforeinput', 'keydown', 'mousedown', 'click', 'paste', 'drop'];

/** Keys that change no field. */
const PASSING = new Set(['Tab', 'Escape']);

/** Controls that a press of the mouse alone changes, or opens. */
const PRESSED = 'select, input, label';

/**
 * Keeps the fields in an element as they were sent while the submit button of their form is busy: a change would be
 * lost with the reply. Unlike disabled fields, they keep the focus.
 * @returns the end of it
 */
export function holdFields(element: HTMLElement): () => void {
  const handle = (event: Event) => {
    if (!isSaving(element) || isPassing(event)) return;
    event.stopPropagation();
    if (event.type !== 'mousedown' || isIn(event.target, PRESSED)) event.preventDefault();
  };
  for (const type of CHANGES) element.addEventListener(type, handle, true);
  return () => {
    for (const type of CHANGES) element.removeEventListener(type, handle, true);
  };
}

function isSaving(element: HTMLElement): boolean {
  return element.closest('form')?.querySelector('[type=submit][aria-busy=true]') != null;
}

function isPassing(event: Event): boolean {
  return event instanceof KeyboardEvent && PASSING.has(event.key);
}

function isIn(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
