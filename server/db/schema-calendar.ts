import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { Feed } from '@matterdesk/contract/calendar-exchange.ts';
import type { CalendarEvent, EventKind } from '@matterdesk/contract/calendar.ts';
import type { Person } from '@matterdesk/contract/cases.ts';
import type { Json, Stamp } from './schema-columns.ts';

/** A guest, with what no reader sees. */
export type StoredGuest = CalendarEvent['guests'][number] & {
  /** The organizer of the invitation in the guest's calendar, in whose name updates are sent, too. */
  organizer?: { name: string; email: string };
  /** Invited, and no longer a guest. */
  isRemoved?: boolean;
};

export type EventSeriesTable = {
  id: Generated<string>;
  /** An RRULE; its first day is that of the series' first occurrence. */
  rule: string;
  /** Null for an endless series; an hourly job extends it. */
  is_endless: boolean;
  /** The last day up to which it has occurrences. */
  expanded_to: string;
  created_at: Stamp;
};

export type EventsTable = {
  id: Generated<string>;
  series_id: string | null;
  /** Its place in the series, as wall time, wherever it was moved; null once a changed rule has no place for it. */
  slot: string | null;
  /** Changed alone: changes of the series pass it by. */
  is_alone: Generated<boolean>;
  case_id: string | null;
  title: string;
  kind: EventKind;
  all_day: boolean;
  /** `YYYY-MM-DDTHH:MM:SS` in `time_zone`; of all-day events `YYYY-MM-DD`. */
  wall_start: string;
  wall_end: string;
  time_zone: string;
  /** Derived from the wall times; null for all-day events. */
  starts_at: Date | null;
  ends_at: Date | null;
  /** Set only for all-day events. */
  first_day: string | null;
  last_day: string | null;
  location: string;
  link: string;
  notes: string;
  people: string[];
  guests: Json<StoredGuest[]>;
  reminders: number[];
  is_private: boolean;
  source: ColumnType<CalendarEvent['source'], string | null, string | null>;
  cancelled_at: Date | null;
  sequence: Generated<number>;
  organizer_id: string;
  search_text: string;
  created_at: Stamp;
  updated_at: Stamp;
};

export type EventRow = Selectable<EventsTable>;
export type NewEventRow = Omit<Insertable<EventsTable>, 'search_text' | 'guests' | 'source'> &
  Pick<CalendarEvent, 'source'> & { guests: StoredGuest[] };
/** With what other tables say about it. */
export type FullRow = EventRow & {
  case_name: string | null;
  rule: string | null;
  organizer: Person;
  attending: Person[];
};

/** Version of the time zone database by which the coming instants were derived; one row. */
export type ZoneRulesTable = { version: string };

/** Feeds of the calendar for other programs, each under a secret address. */
export type CalendarFeedsTable = {
  id: Generated<string>;
  /** The user whose access applies whenever the feed is read. */
  user_id: string;
  token_hash: Buffer;
  name: string;
  /** Empty for everyone, and for all kinds. */
  people: string[];
  kinds: Feed['kinds'];
  case_id: string | null;
  detail: Feed['detail'];
  read_at: Generated<Date | null>;
  created_at: Stamp;
};

/** With the name of its matter, as far as it is seen. */
export type FeedRow = Selectable<CalendarFeedsTable> & { case_name: string | null };

/** Events that came from other calendars, by what these call them. */
export type ImportedEventsTable = {
  event_id: string;
  uid: string;
  /** Which occurrence of a series it is in its own calendar; empty for a single event. */
  slot: string;
  sequence: number;
  /** When its calendar wrote it; null when it does not say so. */
  stamp: Date | null;
  /** The address of its organizer in lower case; empty without one. */
  organizer: string;
};

/** Data of a matter, as views (decision 28). */
export type EventTables = { events: EventsTable; imported_events: ImportedEventsTable };
export type CalendarTables = {
  calendar_feeds: CalendarFeedsTable;
  event_series: EventSeriesTable;
  zone_rules: ZoneRulesTable;
};
