import { configureStore } from '@reduxjs/toolkit';
import { act, useState } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Check, VisibleHit } from '@matterdesk/contract/conflicts.ts';
import { connectStore } from '../../../core/store.ts';
import { button, click, eventually, fill, render } from '../../../testing/render.tsx';
import { conflictsReducer } from '../slice.ts';
import { ConcludeBar } from './ConcludeBar.tsx';
// Loaded with the file, as the test is about what is asked, and not about how long its code takes to arrive.
import './DirectQuestion.tsx';
import { HitRow } from './HitRow.tsx';

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

const store = configureStore({ reducer: { conflicts: conflictsReducer } });
connectStore(store as never);

const hit: VisibleHit = {
  id: 'h1',
  name: 0,
  severity: 'direct',
  match: 'exact',
  score: 1,
  reason: 'Same name',
  decisions: [],
  before: [],
  found: {
    name: 'Marisol Reyes',
    role: 'client',
    source: 'parties',
    contact: null,
    case: { id: 'c1', caseName: 'Reyes v. Jansen', statusType: 'Active' },
    intake: null,
    file: null,
  },
};
const check: Check = {
  id: 'k1',
  number: 7,
  at: '2026-11-20T15:00:00.000Z',
  by: null,
  names: [
    { name: 'Marisol Reyes', role: null, emails: [], phoneNumbers: [], otherNames: [] },
    { name: 'Denise Okonkwo', role: null, emails: [], phoneNumbers: [], otherNames: [] },
  ],
  subject: null,
  searched: [],
  hits: [hit],
  answers: [],
  concluded: null,
  rerunOf: null,
  sha256: '',
};

/** Answers every call with the check, and keeps what was sent. */
function stubCalls(): unknown[] {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_: unknown, init?: RequestInit) => {
    if (typeof init?.body === 'string') sent.push(JSON.parse(init.body));
    return Response.json({ statusCode: 200, message: 'OK', body: { check } });
  });
  return sent;
}

const says = (text: string) => document.body.textContent.includes(text);

function input(selector: string): HTMLInputElement {
  const found = document.querySelector<HTMLInputElement>(selector);
  if (!found) throw new Error(`Nothing on the page is ${selector}`);
  return found;
}

test('a direct hit has no decision beforehand, and is cleared only after a question', async () => {
  const sent = stubCalls();
  await render(
    <Provider store={store}>
      <MemoryRouter>
        <HitRow
          check={check}
          hit={hit}
          asked="Marisol Reyes"
          canWall={false}
          waivers={[]}
          canDecide
          isOpen
          onOpen={() => undefined}
          onSaved={() => undefined}
        />
      </MemoryRouter>
    </Provider>,
  );
  expect(document.querySelectorAll('input:checked')).toHaveLength(0);
  await fill(input('[aria-label=Reason]'), 'Another person');
  await click(button('Save decision'));
  await eventually(() => expect(says('Please choose a decision')).toBe(true));
  await click(input('input[type=radio]'));
  await eventually(() => expect(says('Please choose a decision')).toBe(false));
  await click(button('Save decision'));
  await eventually(() => expect(says('Clear a direct hit?')).toBe(true));
  expect(says('client in Reyes v. Jansen, active')).toBe(true);
  expect(sent).toEqual([]);
  await click(button('No conflict'));
  await eventually(() =>
    expect(sent).toEqual([{ hitIds: ['h1'], decision: 'noConflict', reason: 'Another person' }]),
  );
});

/** A hit that is left for another one. */
function LeftHit() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(false)}>
        Elsewhere
      </button>
      <HitRow
        check={check}
        hit={hit}
        asked="Marisol Reyes"
        canWall={false}
        waivers={[]}
        canDecide
        isOpen={isOpen}
        onOpen={() => setIsOpen(true)}
        onSaved={() => setIsOpen(false)}
      />
    </>
  );
}

test('a decision stays as it was entered when another hit is opened, until it is saved', async () => {
  const sent = stubCalls();
  await render(
    <Provider store={store}>
      <MemoryRouter>
        <LeftHit />
      </MemoryRouter>
    </Provider>,
  );
  await click(input('label:last-child > input[type=radio]'));
  await fill(input('[aria-label=Reason]'), 'We act against her');
  await click(button('Elsewhere'));
  expect(document.querySelector('[aria-label=Reason]')).toBeNull();
  await click(button('Decide'));
  expect(input('[aria-label=Reason]').value).toBe('We act against her');
  await click(button('Save decision'));
  await eventually(() => expect(says('Save decision')).toBe(false));
  expect(sent).toHaveLength(1);
  await click(button('Decide'));
  expect(input('[aria-label=Reason]').value).toBe('');
});

test('the reason of a conclusion takes no more words while it is being saved', async () => {
  const held = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async () => {
    await held.promise;
    return Response.json(
      { statusCode: 500, message: 'The disk is full', body: null },
      { status: 500 },
    );
  });
  await render(
    <Provider store={store}>
      <ConcludeBar check={{ ...check, hits: [{ ...hit, severity: 'known' }] }} />
    </Provider>,
  );
  const reason = () => input('[aria-label="Reason of the outcome"]');
  await fill(reason(), 'Nothing stands against it');
  await click(button('Conclude check'));
  expect(reason().readOnly).toBe(true);
  await act(async () => held.resolve());
  await eventually(() => expect(reason().readOnly).toBe(false));
  expect(reason().value).toBe('Nothing stands against it');
});

test('a check that found nothing is concluded by one click, with what it found as its reason', async () => {
  const sent = stubCalls();
  await render(
    <Provider store={store}>
      <ConcludeBar check={{ ...check, hits: [] }} />
    </Provider>,
  );
  expect(document.querySelectorAll('input')).toHaveLength(0);
  await click(button('Conclude as cleared'));
  await eventually(() =>
    expect(sent).toEqual([{ outcome: 'cleared', reason: 'No match for 2 names' }]),
  );
});
