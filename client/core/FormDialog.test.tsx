import { act, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { CallError } from '../api.ts';
import { button, click, field, fill, render } from '../testing/render.tsx';
import { CheckboxField, TextField } from './fields.tsx';
import { useSave } from './form.ts';
import { FormDialog } from './FormDialog.tsx';

/** Sends an event as a key or the mouse would. @returns whether the field may act on it */
async function send(target: HTMLElement, event: Event): Promise<boolean> {
  return act(async () => target.dispatchEvent(event));
}

const cancelable = { bubbles: true, cancelable: true };
const typed = () => new InputEvent('beforeinput', { ...cancelable, data: 'x' });
const key = (name: string) => new KeyboardEvent('keydown', { ...cancelable, key: name });

test('a dialog lets nothing change and keeps the focus until what it sent is answered', async () => {
  let answer = Promise.withResolvers<null>();
  const sent = vi.fn<(values: unknown) => Promise<null>>(async () => answer.promise);
  function Dialog() {
    const [isOpen, setIsOpen] = useState(true);
    const saving = useSave(null, { title: '', hard: false }, async (values) => {
      await sent(values);
      setIsOpen(false);
    });
    return (
      isOpen && (
        <FormDialog saving={saving} title="New deadline" submit="Add" onClose={() => undefined}>
          <TextField form={saving.form} name="title" label="Title" />
          <CheckboxField form={saving.form} name="hard" label="Hard" />
        </FormDialog>
      )
    );
  }
  await render(<Dialog />);
  const box = () => document.querySelector<HTMLInputElement>('input[type=checkbox]');
  await fill(field('Title'), 'Answer');
  await act(async () => field('Title').focus());
  await click(button('Add'));
  expect(button('Add').getAttribute('aria-busy')).toBe('true');
  expect(await send(field('Title'), typed())).toBe(false);
  expect(await send(field('Title'), key('x'))).toBe(false);
  expect(await send(field('Title'), key('Tab'))).toBe(true);
  await click(box() as HTMLElement);
  expect(box()?.checked).toBe(false);
  expect(document.activeElement).toBe(field('Title'));
  await act(async () => answer.reject(new CallError('The server is off', 0)));
  expect(await send(field('Title'), typed())).toBe(true);
  await click(box() as HTMLElement);
  expect(box()?.checked).toBe(true);
  answer = Promise.withResolvers<null>();
  answer.resolve(null);
  await click(button('Add'));
  expect(document.querySelector('[role=dialog]')).toBeNull();
  expect(sent.mock.calls.map(([values]) => values)).toEqual([
    { title: 'Answer', hard: false },
    { title: 'Answer', hard: true },
  ]);
});
