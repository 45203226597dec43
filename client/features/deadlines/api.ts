import { deadlineRoutes as routes } from '@matterdesk/contract/deadline-routes.ts';
import type { Deadline, NewChange, NewDeadline } from '@matterdesk/contract/deadlines.ts';
import { call } from '../../api.ts';
import { Resource } from '../../core/resource.ts';
import { store } from '../../core/store.ts';
import { daysAfter } from './rules.ts';
import { deadlineChanged, details, idle, type SectionQuery, sections } from './slice.ts';

const AHEAD = 30;

function queryOf({ section, today }: SectionQuery): Record<string, string> {
  if (section === 'waiting') return { attention: 'mine' };
  if (section === 'overdue') return { attention: 'overdue' };
  if (section === 'limitation') return { status: 'open', kind: 'limitation' };
  return { status: 'open', from: today, to: daysAfter(today, AHEAD) };
}

/** A section of the list of deadlines. */
export const sectionList = new Resource(sections, {
  slice: ({ deadlines }) => deadlines,
  kept: 8,
  fetch: (query: SectionQuery, { signal }) =>
    call(routes.listDeadlines, {
      query: { ...queryOf(query), owner: query.owner || undefined, limit: query.limit },
      signal,
      toasts: 'none',
    }),
});

/** Matters with nothing ahead. */
export const idleCases = new Resource(idle, {
  slice: ({ deadlines }) => deadlines,
  kept: 1,
  fetch: (_: string, { signal, cursor }) =>
    call(routes.listIdleCases, { query: { cursor, limit: 20 }, signal, toasts: 'none' }),
});

/** A deadline with its history. */
export const deadlineOf = new Resource(details, {
  slice: ({ deadlines }) => deadlines,
  kept: 2,
  fetch: (id: string, { signal }) =>
    call(routes.readDeadline, { params: { id }, signal, toasts: 'none' }),
});

async function changed(saving: Promise<Deadline>): Promise<Deadline> {
  const saved = await saving;
  store.dispatch(deadlineChanged(saved.id));
  return saved;
}

export function addDeadline(body: NewDeadline, idempotencyKey: string) {
  const failing = 'Couldn’t add the deadline';
  return changed(call(routes.addDeadline, { body, idempotencyKey, failing }));
}

export function verifyDate(id: string, body: { date: string; time: string | null }) {
  const failing = 'Couldn’t verify the date';
  // A different date is shown under its field.
  return changed(call(routes.verifyDeadline, { params: { id }, body, failing, toasts: 'none' }));
}

export function acknowledge(id: string) {
  const failing = 'Couldn’t acknowledge the warning';
  return changed(call(routes.acknowledgeDeadline, { params: { id }, failing }));
}

export function proposeChange(id: string, body: NewChange) {
  const failing = 'Couldn’t save the change';
  return changed(call(routes.proposeChange, { params: { id }, body, failing }));
}

export function decideChange(id: string, accept: boolean) {
  const failing = 'Couldn’t save the decision';
  return changed(call(routes.decideChange, { params: { id }, body: { accept }, failing }));
}
