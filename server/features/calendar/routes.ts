import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import type { Binder } from '../../http/bind.ts';
import { readCalendar } from './service.reading.ts';
import { addEvent, changeEvent, readEvent, requireMayEditEvent } from './service.ts';

export function serveCalendar(binder: Binder) {
  binder.serve(calendarRoutes, {
    readCalendar: ({ context, query }) => readCalendar(context, context.actor, query),
    addEvent: ({ context, body, once }) => addEvent(context, body, once),
    readEvent: ({ context, params }) => readEvent(context, params.id),
    changeEvent: {
      guard: ({ context, params }) => requireMayEditEvent(context, params.id),
      handle: ({ context, params, query, body }) =>
        changeEvent(context, params.id, { asked: body, scope: query.scope ?? 'this' }),
    },
  });
}
