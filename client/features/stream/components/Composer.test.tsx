import { configureStore } from '@reduxjs/toolkit';
import { act, useState } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { featureSlice } from '../../../core/feature-slice.ts';
import { people } from '../../../core/people.ts';
import { keptEntry } from '../../../core/resource.ts';
import { connectStore } from '../../../core/store.ts';
import { button, click, eventually, render } from '../../../testing/render.tsx';
import { closeToast, visibleToasts } from '../../../ui/toast-store.ts';
import { keptDraft } from '../rules.drafts.ts';
import { streamReducer } from '../slice.ts';
import { Composer } from './Composer.tsx';

const person = (id: string, firstName: string, lastName: string) => ({
  id,
  firstName,
  lastName,
  active: true,
});
const ama = person('a', 'Ama', 'Owusu');
const ben = person('b', 'Ben', 'Ito');

const user = featureSlice('user', { people }, { state: { current: ama, token: 't' } });

function openStore() {
  const store = configureStore({
    reducer: { user: user.reducer, stream: streamReducer },
    preloadedState: {
      user: { people: { '"all"': keptEntry([ama, ben]) }, current: ama, token: 't' } as never,
    },
  });
  connectStore(store as never);
  return store;
}

beforeEach(() => {
  sessionStorage.clear();
  for (const { id } of visibleToasts()) closeToast(id);
});
afterEach(() => vi.unstubAllGlobals());

const saved = vi.fn<() => void>();

const matter = { id: 'c1', label: 'Abara' };

const open = (shown = <Composer matter={matter} attach={() => null} onSaved={saved} />) =>
  render(
    <Provider store={openStore()}>
      <MemoryRouter>{shown}</MemoryRouter>
    </Provider>,
  );

function area(): HTMLTextAreaElement {
  const found = document.querySelector('textarea');
  if (!found) throw new Error('The composer has no text');
  return found;
}

async function type(text: string) {
  const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value') ?? {};
  await act(async () => {
    area().focus();
    set?.call(area(), text);
    area().setSelectionRange(text.length, text.length);
    area().dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
}

async function press(key: string, own: KeyboardEventInit = {}) {
  await act(async () => {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...own }));
  });
}

const body = (call: Parameters<typeof fetch> | undefined): unknown =>
  JSON.parse(call?.[1]?.body as string);

const reply = (status: number, content: object) =>
  vi.fn<typeof fetch>(async () => Response.json(content, { status }));

test('n opens the composer, and Esc leaves it and keeps the text', async () => {
  await open();
  await press('n');
  expect(document.activeElement).toBe(area());
  await type('Call her after two');
  await press('Escape');
  expect(document.activeElement).not.toBe(area());
  expect(area().value).toBe('Call her after two');
  expect(keptDraft('c1').text).toBe('Call her after two');
});

test('a person is mentioned by a few letters and Enter, and the note is saved with the id', async () => {
  const post = reply(201, { message: 'Entry added', body: { entry: { id: 'e', case: 'c1' } } });
  vi.stubGlobal('fetch', post);
  await open();
  await type('Ask @be');
  await press('Enter');
  expect(area().value).toBe('Ask @Ben Ito ');
  await press('Enter', { ctrlKey: true });
  await eventually(() => expect(saved).toHaveBeenCalled());
  expect(body(post.mock.calls[0])).toEqual({
    kind: 'note',
    text: 'Ask @Ben Ito ',
    at: null,
    mentions: ['b'],
    files: [],
  });
  expect(area().value).toBe('');
  expect(keptDraft('c1').text).toBe('');
});

test('what is typed while a note is being saved stays, and only what was sent is removed', async () => {
  const held = Promise.withResolvers<void>();
  const post = reply(201, { message: 'Entry added', body: { entry: { id: 'e', case: 'c1' } } });
  vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
    await held.promise;
    return post(...call);
  });
  await open();
  await type('Call her');
  await press('Enter', { ctrlKey: true });
  await type('Call her\nShe is in after two');
  held.resolve();
  await eventually(() => expect(keptDraft('c1').text).toBe('She is in after two'));
  expect(area().value).toBe('She is in after two');
  expect(body(post.mock.calls[0])).toMatchObject({ text: 'Call her' });
});

/** A composer whose page is left. */
function LeftComposer() {
  const [isHere, setIsHere] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setIsHere(false)}>
        Elsewhere
      </button>
      {isHere && <Composer matter={matter} attach={() => null} onSaved={saved} />}
    </>
  );
}

test('a note that is refused after its page was left stays, and a toast says why', async () => {
  const held = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => held.promise);
  await open(<LeftComposer />);
  await type('Call her');
  await press('Enter', { ctrlKey: true });
  await click(button('Elsewhere'));
  held.resolve(Response.json({ message: 'The disk is full', body: null }, { status: 500 }));
  const toasts = () => visibleToasts().map(({ text }) => text);
  await eventually(() => expect(toasts()).toEqual(['The disk is full']));
  expect(keptDraft('c1').text).toBe('Call her');
});

test('a refused note stays, with the reason below it', async () => {
  const message = 'Ben Ito cannot see this matter';
  vi.stubGlobal(
    'fetch',
    reply(400, {
      statusCode: 400,
      code: 'invalid',
      message,
      body: null,
      errors: [{ path: 'mentions', message }],
    }),
  );
  await open();
  await type('Ask @Ben Ito');
  await press('Enter', { ctrlKey: true });
  await eventually(() => expect(document.querySelector('[role=alert]')?.textContent).toBe(message));
  expect(area().value).toBe('Ask @Ben Ito');
});
