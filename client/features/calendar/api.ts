import {
  calendarRoutes,
  type EventPatch,
  type NewEvent,
  type Scope,
} from '@matterdesk/contract/calendar.ts';
import { call } from '../../api.ts';

export function readEvent(id: string, signal: AbortSignal) {
  return call(calendarRoutes.readEvent, { params: { id }, signal, toasts: 'none' });
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
