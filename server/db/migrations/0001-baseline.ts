// Each change of the schema, in order; a migration that has run never changes.

import type { Kysely } from 'kysely';
import { accounts } from './baseline-accounts.ts';
import { audit } from './baseline-audit.ts';
import { ahead, calendar } from './baseline-calendar.ts';
import { cases } from './baseline-cases.ts';
import { conflicts } from './baseline-conflicts.ts';
import { contacts } from './baseline-contacts.ts';
import { courtRules } from './baseline-court-rules.ts';
import { deadlines } from './baseline-deadlines.ts';
import { files } from './baseline-files.ts';
import { histories } from './baseline-histories.ts';
import { intakeForms, intakes } from './baseline-intakes.ts';
import { mails } from './baseline-mails.ts';
import { messages } from './baseline-messages.ts';
import { notices } from './baseline-notices.ts';
import { tasks } from './baseline-tasks.ts';

/** The schema of release 0.1.0, by feature. A statement may use only what is above it. */
const features = [
  accounts,
  audit,
  cases,
  tasks,
  files,
  mails,
  messages,
  calendar,
  courtRules,
  deadlines,
  ahead,
  intakeForms,
  intakes,
  notices,
  contacts,
  conflicts,
  histories,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of features.flat()) await statement.execute(db);
}
