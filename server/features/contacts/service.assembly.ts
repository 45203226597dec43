import type { Database } from '../../db/schema.ts';
import type { Writer } from '../../db/unit-of-work.ts';
import type { CaseService } from '../cases/service.ts';
import type { createMails } from '../mails/service.ts';
import type { createTexting } from '../messages/service.ts';
import { intakeFollower, intakesOf } from '../intakes/service.following.ts';
import { MergingService } from './service.merging.ts';
import { PartyService } from './service.parties.ts';
import { ContactReading } from './service.reading.ts';
import { ContactService } from './service.ts';

type Parts = {
  db: Database;
  writer: Writer;
  cases: CaseService;
  mails: ReturnType<typeof createMails>;
  texting: ReturnType<typeof createTexting>;
};

/** The services of contacts, but the embedding, on which cases build. */
export function createContacts({ db, writer, cases, mails, texting }: Parts) {
  const contacts = new ContactService(writer, cases);
  const sources = {
    mails: mails.mailbox.listWith.bind(mails.mailbox),
    texts: texting.messages.listWith.bind(texting.messages),
    intakes: intakesOf(db),
  };
  return {
    contacts,
    contactReading: new ContactReading(db, sources),
    merging: new MergingService(db, writer, intakeFollower),
    parties: new PartyService({ db, writer, cases, contacts }),
  };
}
