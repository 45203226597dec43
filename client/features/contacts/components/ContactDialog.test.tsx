import { configureStore } from '@reduxjs/toolkit';
import { act, type ReactNode, useState } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import type { Party } from '@matterdesk/contract/contacts.ts';
import { featureSlice } from '../../../core/feature-slice.ts';
import { connectStore } from '../../../core/store.ts';
import {
  button,
  click,
  descriptionOf,
  eventually,
  field,
  fill,
  render,
} from '../../../testing/render.tsx';
import { contactsReducer } from '../slice.ts';
import { ContactDialog } from './ContactDialog.tsx';
import { PartyDialog } from './PartyDialog.tsx';

const user = featureSlice('user', {}, { state: { current: { permissions: {} }, token: 't' } });

afterEach(() => vi.unstubAllGlobals());

/** A dialog until it closes, as its page shows it. */
function Opened({ dialog }: { dialog: (close: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(true);
  return isOpen && dialog(() => setIsOpen(false));
}

/** Shows a dialog; the reply to its first call is lost. @returns the keys that were sent */
async function open(dialog: (close: () => void) => ReactNode): Promise<(string | null)[]> {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (_: string, { method, headers }: RequestInit) => {
    if (method === 'POST') keys.push(new Headers(headers).get('idempotency-key'));
    if (keys.length === 1) throw new TypeError('The connection was lost');
    return Response.json({ message: 'OK', body: { contact: { id: 'p' }, party: { id: 'q' } } });
  });
  const store = configureStore({
    reducer: { user: user.reducer, contacts: contactsReducer },
  });
  connectStore(store as never);
  await render(
    <Provider store={store}>
      <MemoryRouter>
        <Opened dialog={dialog} />
      </MemoryRouter>
    </Provider>,
  );
  return keys;
}

const isOpen = () => document.querySelector('[role=dialog]') !== null;

/** Saves until the dialog closes: once without a reply, and once more. */
async function saveTwice(name: string, save = () => click(button(name))) {
  await save();
  await eventually(() => expect(button(name).getAttribute('aria-busy')).toBeNull());
  expect(isOpen()).toBe(true);
  await save();
  await eventually(() => expect(isOpen()).toBe(false));
}

test('a contact whose reply was lost is sent again with its key', async () => {
  const keys = await open((close) => <ContactDialog onClose={close} onSaved={close} />);
  await fill(field('Name'), 'Ngozi Abara');
  await saveTwice('Add contact');
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('a party whose reply was lost is sent again with its key', async () => {
  const keys = await open((close) => (
    <PartyDialog caseId="c" nameCheck={() => null} onClose={close} />
  ));
  const isNew = document.querySelector<HTMLInputElement>('input[value=new]');
  if (isNew) await click(isNew);
  await fill(field('Name'), 'Ngozi Abara');
  await saveTwice('Add party');
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('a party takes the role that someone else saves, and keeps the note typed here', async () => {
  const contact = { id: 'c', kind: 'person' as const, name: 'Ngozi Abara' };
  const opened: Party = { id: 'q', contact, role: 'witness', note: '', embedded: null };
  function Dialog({ close }: { close: () => void }) {
    const [party, setParty] = useState(opened);
    const change = () => setParty({ ...opened, role: 'expert', note: 'Retired' });
    return (
      <>
        <PartyDialog caseId="c" party={party} nameCheck={() => null} onClose={close} />
        <button type="button" aria-label="Someone else" onClick={change} />
      </>
    );
  }
  await open((close) => <Dialog close={close} />);
  await fill(field('Note'), 'Saw it all');
  await click(button('Someone else'));
  expect(field('Role').value).toBe('expert');
  expect(field('Note').value).toBe('Saw it all');
  expect(descriptionOf(field('Note'))).toBe(
    'Someone else changed this to “Retired” meanwhile. Saving replaces it.',
  );
  await click(button('Save'));
  await eventually(() => expect(isOpen()).toBe(false));
});

test('Ctrl+Enter saves from any field of a dialog', async () => {
  const keys = await open((close) => <ContactDialog onClose={close} onSaved={close} />);
  const name = field('Name');
  await fill(name, 'Ngozi Abara');
  const keydown = { key: 'Enter', ctrlKey: true, bubbles: true };
  const save = () =>
    act(async () => void name.dispatchEvent(new KeyboardEvent('keydown', keydown)));
  await saveTwice('Add contact', save);
  expect(keys).toHaveLength(2);
});
