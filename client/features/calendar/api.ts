import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import { call } from '../../api.ts';
import { mutation } from '../../core/mutation.ts';

export function readEvent(id: string, signal: AbortSignal) {
  return call(calendarRoutes.readEvent, { params: { id }, signal, toasts: 'none' });
}

export const addEvent = mutation(calendarRoutes.addEvent, 'Couldn’t add the event');

export const changeEvent = mutation(calendarRoutes.changeEvent, 'Couldn’t save the event');

/** The grid says itself where an event was moved to. */
export const moveEvent = mutation(calendarRoutes.changeEvent, 'Couldn’t save the event', {
  toasts: 'errors',
});
