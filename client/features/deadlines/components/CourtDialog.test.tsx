import { configureStore } from '@reduxjs/toolkit';
import { act, useState } from 'react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Jurisdiction, Rule } from '@matterdesk/contract/court-rules.ts';
import { socketReducer } from '../../../core/connection.ts';
import { featureSlice } from '../../../core/feature-slice.ts';
import { firm } from '../../../core/firm.ts';
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
import { CourtDialog } from './CourtDialog.tsx';
import { RuleDialog } from './RuleDialog.tsx';

const court: Jurisdiction = {
  id: 'c1',
  name: 'Albany County',
  timeZone: 'America/New_York',
  weekend: [6, 7],
  holidays: [],
  updatedAt: '2026-11-02T09:00:00.000Z',
};
const step = {
  title: 'Answer',
  kind: 'response',
  hard: true,
  count: 20,
  unit: 'days',
  direction: 'after',
  roll: null,
  service: 0,
  authority: 'CPLR 3012',
} as const;
const rule: Rule = {
  id: 'r1',
  name: 'Answers',
  jurisdiction: 'c1',
  trigger: 'Complaint served',
  steps: [step],
  reviewed: true,
  version: 1,
  updatedAt: '2026-11-02T09:00:00.000Z',
};

const user = featureSlice('user', { firm });
const store = configureStore({ reducer: { user: user.reducer, socket: socketReducer } });
let sent: unknown[];

beforeEach(() => {
  connectStore(store as never);
  sent = [];
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    if (method === 'PATCH') sent.push([path, JSON.parse(typeof body === 'string' ? body : 'null')]);
    return Response.json({ message: 'OK', body: { firm: null } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const isOpen = () => document.querySelector('[role=dialog]') !== null;

test('a court keeps what someone else changed while its form was open, and says so where both did', async () => {
  let change: (now: Jurisdiction) => void = () => undefined;
  function Opened() {
    const [now, setNow] = useState<Jurisdiction | null>(court);
    change = setNow;
    return (
      <Provider store={store}>
        {now && <CourtDialog court={now} firmZone="UTC" onClose={() => setNow(null)} />}
      </Provider>
    );
  }
  await render(<Opened />);
  await fill(field('Name'), 'Supreme Court, Albany');
  const weekend = [5, 6];
  await act(async () => change({ ...court, name: 'Albany', weekend }));
  expect(descriptionOf(field('Name'))).toBe(
    'Someone else changed this to “Albany” meanwhile. Saving replaces it.',
  );
  await click(button('Save jurisdiction'));
  await eventually(() => expect(isOpen()).toBe(false));
  expect(sent).toEqual([['/api/v1/jurisdictions/c1', { name: 'Supreme Court, Albany' }]]);
});

test('a rule is saved with what was changed here alone, and nothing is saved without a change', async () => {
  let change: (now: Rule) => void = () => undefined;
  function Opened() {
    const [now, setNow] = useState<Rule | null>(rule);
    change = setNow;
    return now && <RuleDialog rule={now} courts={[court]} onClose={() => setNow(null)} />;
  }
  await render(<Opened />);
  await fill(field('Authority'), 'CPLR 3012(a)');
  await act(async () => change({ ...rule, trigger: 'Summons served', version: 2 }));
  expect(field('Counts from').value).toBe('Summons served');
  await click(button('Save rule'));
  await eventually(() => expect(isOpen()).toBe(false));
  const steps = [{ ...step, authority: 'CPLR 3012(a)' }];
  expect(sent).toEqual([['/api/v1/rules/r1', { steps, reviewed: false }]]);

  await render(<Opened />);
  await fill(field('Counts from'), 'Complaint handed over');
  await act(async () => change({ ...rule, steps: [{ ...step, title: 'Reply' }, step] }));
  expect([...document.querySelectorAll('fieldset legend')]).toHaveLength(2);
  expect(field('Title').value).toBe('Reply');
  await click(button('Save rule'));
  await eventually(() => expect(isOpen()).toBe(false));
  const trigger = 'Complaint handed over';
  expect(sent.slice(1)).toEqual([['/api/v1/rules/r1', { trigger, reviewed: false }]]);

  await render(<Opened />);
  await click(button('Save rule'));
  await eventually(() => expect(isOpen()).toBe(false));
  expect(sent).toHaveLength(2);
});
