import {
  calendarRoutes,
  type EventPatch,
  type NewEvent,
  type Scope,
} from '@matterdesk/contract/calendar.ts';
import { call } from '../../api.ts';
import { Resource } from '../../core/resource.ts';
import { windows } from './slice.ts';

/** The reader's own zone. */
export const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Everything between two days; the page itself says what went wrong. */
export const calendarWindow = new Resource(windows, {
  slice: ({ calendar }) => calendar,
  kept: 3,
  fetch: (query, { signal }) =>
    call(calendarRoutes.readCalendar, { query: { ...query, timeZone }, signal, toasts: 'none' }),
});

export async function readEvent(id: string, signal: AbortSignal) {
  return (await call(calendarRoutes.readEvent, { params: { id }, signal, toasts: 'none' })).event;
}

export function addEvent(body: NewEvent, idempotencyKey: string) {
  return call(calendarRoutes.addEvent, { body, idempotencyKey, failing: 'Couldn’t add the event' });
}

export function changeEvent(id: string, body: EventPatch, scope: Scope) {
  return call(calendarRoutes.changeEvent, {
    params: { id },
    query: { scope },
    body,
    failing: 'Couldn’t save the event',
  });
}
