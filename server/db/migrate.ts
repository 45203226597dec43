import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import * as accounts from './migrations/0001-accounts.ts';
import * as casesAndTasks from './migrations/0002-cases-and-tasks.ts';
import * as files from './migrations/0003-files.ts';
import * as ai from './migrations/0004-ai.ts';
import * as google from './migrations/0005-google.ts';
import * as messages from './migrations/0006-messages.ts';
import * as outgoingMails from './migrations/0007-outgoing-mails.ts';
import * as mailWatches from './migrations/0009-mail-watches.ts';
import * as namesOfNumbers from './migrations/0008-names-of-numbers.ts';
import * as calendar from './migrations/0020-calendar.ts';
import * as walls from './migrations/0014-walls.ts';
import * as registrations from './migrations/0010-registrations.ts';
import * as entry from './migrations/0011-entry.ts';
import * as caseCounts from './migrations/0012-case-counts.ts';
import * as record from './migrations/0013-record.ts';
import * as courtRules from './migrations/0015-court-rules.ts';
import * as secondFactors from './migrations/0016-second-factors.ts';
import * as firm from './migrations/0017-firm.ts';
import * as storageUse from './migrations/0018-storage-use.ts';
import * as recordCheck from './migrations/0019-record-check.ts';
import * as passkeys from './migrations/0021-passkeys.ts';
import * as deadlines from './migrations/0022-deadlines.ts';
import * as proposals from './migrations/0026-proposals.ts';
import * as doneTasks from './migrations/0031-done-tasks.ts';
import * as notices from './migrations/0026-reminders-and-notices.ts';
import * as conflicts from './migrations/0032-conflicts.ts';
import * as whatLiesAhead from './migrations/0033-what-lies-ahead.ts';
import * as contacts from './migrations/0034-contacts.ts';
import * as calendarExchange from './migrations/0034-calendar-exchange.ts';
import * as intakes from './migrations/0035-intakes.ts';
import * as checksOfIntakes from './migrations/0040-checks-of-intakes.ts';
import * as waitingDeadlines from './migrations/0036-waiting-deadlines.ts';
import * as checksOfNewMatters from './migrations/0041-checks-of-new-matters.ts';
import * as arrangedCases from './migrations/0042-arranged-cases.ts';
import * as copiedWalls from './migrations/0044-copied-walls.ts';
import * as filedMails from './migrations/0045-filed-mails.ts';
import * as mailCorrespondents from './migrations/0047-mail-correspondents.ts';
import * as searchedPages from './migrations/0048-searched-pages.ts';
import * as trainedUploads from './migrations/0049-trained-uploads.ts';
import * as openCases from './migrations/0050-open-cases.ts';
import * as walledIntakes from './migrations/0051-walled-intakes.ts';
import * as peopleOfCases from './migrations/0052-people-of-cases.ts';
import * as searchedEvents from './migrations/0053-searched-events.ts';
import * as intakeOrigins from './migrations/0054-intake-origins.ts';
import * as openTasks from './migrations/0055-open-tasks.ts';
import * as handedPasswords from './migrations/0056-handed-passwords.ts';
import * as sealedHistories from './migrations/0058-sealed-histories.ts';
import * as sourcesOfContacts from './migrations/0057-sources-of-contacts.ts';
import type { Database, Transaction } from './schema.ts';
import { listMissing, applySettings } from './role-settings.ts';

const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-cases-and-tasks': casesAndTasks,
  '0003-files': files,
  '0004-ai': ai,
  '0005-google': google,
  '0006-messages': messages,
  '0007-outgoing-mails': outgoingMails,
  '0008-names-of-numbers': namesOfNumbers,
  '0009-mail-watches': mailWatches,
  '0010-registrations': registrations,
  '0011-entry': entry,
  '0012-case-counts': caseCounts,
  '0013-record': record,
  '0014-walls': walls,
  '0015-court-rules': courtRules,
  '0016-second-factors': secondFactors,
  '0017-firm': firm,
  '0018-storage-use': storageUse,
  '0019-record-check': recordCheck,
  '0020-calendar': calendar,
  '0021-passkeys': passkeys,
  '0022-deadlines': deadlines,
  '0026-proposals': proposals,
  '0031-done-tasks': doneTasks,
  '0026-reminders-and-notices': notices,
  '0032-conflicts': conflicts,
  '0033-what-lies-ahead': whatLiesAhead,
  '0034-contacts': contacts,
  '0034-calendar-exchange': calendarExchange,
  '0035-intakes': intakes,
  '0040-checks-of-intakes': checksOfIntakes,
  '0036-waiting-deadlines': waitingDeadlines,
  '0041-checks-of-new-matters': checksOfNewMatters,
  '0042-arranged-cases': arrangedCases,
  '0044-copied-walls': copiedWalls,
  '0045-filed-mails': filedMails,
  '0047-mail-correspondents': mailCorrespondents,
  '0048-searched-pages': searchedPages,
  '0049-trained-uploads': trainedUploads,
  '0050-open-cases': openCases,
  '0051-walled-intakes': walledIntakes,
  '0052-people-of-cases': peopleOfCases,
  '0053-searched-events': searchedEvents,
  '0054-intake-origins': intakeOrigins,
  '0055-open-tasks': openTasks,
  '0056-handed-passwords': handedPasswords,
  '0057-sources-of-contacts': sourcesOfContacts,
  '0058-sealed-histories': sealedHistories,
};

/** Kysely's own number, by which earlier releases lock too. */
const LOCK = 3_853_314_791_062_309_107n;

/**
 * Migrates the database to the newest schema, in one transaction; several processes may call it at once. What it waits
 * for, and the work itself, may take as long as they need.
 * @param say gets a line for each setting that the role may not choose
 * @returns the names of the migrations that ran
 */
export async function migrate(
  db: Database,
  say: (line: string) => void = () => undefined,
): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    const missing = await listMissing(trx as Transaction);
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx);
    const provider = { getMigrations: () => Promise.resolve(migrations) };
    const { error, results } = await new Migrator({ db: trx, provider }).migrateToLatest();
    if (error) throw error;
    // Last, since a time limit of the session would hold for the migrations.
    for (const statement of await applySettings(trx as Transaction, missing))
      say(`The database serves best after its administrator has run: ${statement}`);
    return (results ?? []).map((result) => result.migrationName);
  });
}
