import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import { readDeadlineItems } from '../deadlines/service.items.ts';
import { CalendarFileReader } from '../../integrations/icalendar/reader.ts';
import type { Threads } from '../../integrations/threads.ts';
import type { Chains, Firm, Neighbours } from './service.fields.ts';
import { ExchangeService } from './exchange/service.ts';
import type { createMails } from '../mails/service.ts';
import { FeedService } from './feeds/service.ts';
import { FoundInvitations } from './invitations/service.finding.ts';
import { InvitationService } from './invitations/service.ts';
import { TakingService } from './invitations/service.taking.ts';
import { CalendarReader } from './service.reading.ts';
import { EventService } from './service.ts';
import { SeriesUpkeep } from './service.upkeep.ts';

type Parts = Neighbours & {
  db: Database;
  writer: Writer;
  firm: Firm;
  proposals: Chains;
  config: Pick<Config, 'publicUrl'>;
  threads: Threads;
};

/** Everything of the calendar. */
export function createCalendar(parts: Parts) {
  const calendar = new CalendarReader({ ...parts, deadlines: readDeadlineItems });
  const events = new EventService(parts);
  const reader = new CalendarFileReader(parts.threads);
  const found = new FoundInvitations({ ...parts, reader });
  return {
    events,
    calendar,
    exchange: new ExchangeService({ ...parts, events, reader }),
    found,
    feeds: new FeedService({ ...parts, calendar, publicUrl: parts.config.publicUrl }),
    upkeep: new SeriesUpkeep(parts.db, parts.writer),
    withMails: (mails: ReturnType<typeof createMails>) => {
      const inviting = new InvitationService({ ...mails, writer: parts.writer });
      events.onCanceled((actor, id) => inviting.cancel(actor, id));
      return { inviting, taking: new TakingService({ ...parts, found, mails: mails.reading }) };
    },
  };
}
