import { calendarRoutes } from '@matterdesk/contract/calendar.ts';
import type { Binder } from '../../http/bind.ts';
import type { EventService } from './service.ts';
import type { CalendarReader } from './service.reading.ts';

export function bindCalendar(
  binder: Binder,
  { events, calendar }: { events: EventService; calendar: CalendarReader },
) {
  binder.bind(calendarRoutes.readCalendar, ({ actor, query }) => calendar.read(actor, query));
  binder.bind(calendarRoutes.addEvent, ({ actor, body, once }) =>
    events.addEvent(actor, body, once),
  );
  binder.bind(calendarRoutes.readEvent, ({ actor, params }) => events.readEvent(actor, params.id));
  binder.bind(
    calendarRoutes.changeEvent,
    ({ actor, params, query, body }) =>
      events.changeEvent(actor, params.id, { asked: body, scope: query.scope ?? 'this' }),
    ({ actor, params }) => events.requireMayEdit(actor, params.id),
  );
}
