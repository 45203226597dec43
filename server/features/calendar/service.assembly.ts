import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { readDeadlineItems } from '../deadlines/service.items.ts';
import type { Chains, Firm, Neighbours } from './service.fields.ts';
import { CalendarReader } from './service.reading.ts';
import { EventService } from './service.ts';
import { SeriesUpkeep } from './service.upkeep.ts';

type Parts = Neighbours & { db: Database; writer: Writer; firm: Firm; proposals: Chains };

/** Everything of the calendar. */
export function createCalendar(parts: Parts) {
  return {
    events: new EventService(parts),
    calendar: new CalendarReader({ ...parts, deadlines: readDeadlineItems }),
    upkeep: new SeriesUpkeep(parts.db, parts.writer),
  };
}
