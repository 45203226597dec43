import type { Generated } from 'kysely';
import type { NoticeType } from '@matterdesk/contract/notices.ts';
import type { Stamp } from './schema-columns.ts';

type RemindersTable = {
  id: Generated<string>;
  event_id: string;
  minutes: number;
  /** Null for an all-day event until it is derived. */
  fire_at: Date | null;
  day: string | null;
  /** The settings by which `fire_at` of an all-day event was derived. */
  derived_by: string | null;
  set_at: Stamp;
};

/** `again`: sent once more, because the outcome of the first attempt is unknown. */
export type MailState = 'waiting' | 'sending' | 'again' | 'sent' | 'failed' | 'unknown' | 'no';

export type NoticesTable = {
  id: Generated<string>;
  /** The order in which they were raised. */
  serial: Generated<string>;
  user_id: string;
  case_id: string | null;
  intake_id: string | null;
  event_id: string | null;
  deadline_id: string | null;
  entry_id: string | null;
  type: NoticeType;
  subject: string;
  title: string;
  body: Generated<string>;
  at: Date;
  missed: Generated<boolean>;
  raised_at: Stamp;
  seen_at: Date | null;
  snoozed_until: Date | null;
  mail_state: MailState | null;
  mail_tries: Generated<number>;
};

type NoticeSettingsTable = {
  user_id: string;
  digest: Generated<boolean>;
  mail: Generated<boolean>;
};

type DeadlineWarningsTable = {
  deadline_id: string;
  look_at: Date | null;
  about: Generated<string>;
  warned_days: number | null;
  warned_at: Date | null;
  step: Generated<number>;
  repeated_on: string | null;
};

type HeartbeatTable = { at: Date };
/** Spans in which no process was running. */
type AbsencesTable = { from_at: Date; to_at: Date };
/** Days whose digests are written. */
type DigestDaysTable = { day: string };

/** Data of matters. */
export type NoticeTables = {
  reminders: RemindersTable;
  notices: NoticesTable;
  deadline_warnings: DeadlineWarningsTable;
};
/** Data of the firm. */
export type ClockTables = {
  notice_settings: NoticeSettingsTable;
  heartbeat: HeartbeatTable;
  absences: AbsencesTable;
  digest_days: DigestDaysTable;
};
