import type { ColumnType, Generated } from 'kysely';
import type { ErrorCode } from '@matterdesk/contract/errors.ts';
import type { MessageStatus } from '@matterdesk/contract/message-statuses.ts';
import type { RegistrationState } from '@matterdesk/contract/messages.ts';
import type { Stamp } from './schema-columns.ts';

export type PhoneNumbersTable = {
  id: Generated<string>;
  user_id: string;
  phone_number: string;
  sid: string | null;
  state: 'buying' | 'owned' | 'failed';
  refused_as: ErrorCode | null;
  refusal: string | null;
  is_registered: boolean | null;
  registration: RegistrationState | null;
  registration_reason: string | null;
  registration_asked_at: Date | null;
  created_at: Stamp;
  updated_at: Stamp;
};

export type TextMessagesTable = {
  id: Generated<string>;
  /** A bigint is read as text. */
  serial: Generated<string>;
  owner_id: string | null;
  own_number: string;
  other_number: string;
  is_inbound: boolean;
  body: string;
  sid: string | null;
  status: MessageStatus;
  error_code: number | null;
  error_message: string | null;
  refused_as: ErrorCode | null;
  refusal: string | null;
  sent_at: Stamp;
  is_dated: Generated<boolean>;
  is_unread: Generated<boolean>;
  created_at: Stamp;
  updated_at: Stamp;
};

export type ConversationsTable = {
  owner_id: string;
  other_number: string;
  last_message_id: string;
  last_at: Stamp;
  unread: number;
};

export type TextStatusesTable = {
  sid: string;
  status: MessageStatus;
  error_code: number | null;
  created_at: Stamp;
};

export type TextConsentsTable = {
  id: Generated<string>;
  own_number: string;
  other_number: string;
  keyword: 'STOP' | 'START' | 'HELP';
  word: string | null;
  sid: string | null;
  at: Stamp;
};

export type TextMediaTable = {
  id: Generated<string>;
  message_id: string;
  ordinal: number;
  sid: string;
  mime_type: string;
  /** Bytes; a bigint is read as text. */
  size: ColumnType<string | null, number | undefined, number>;
  state: Generated<'waiting' | 'kept' | 'lost'>;
  attempts: Generated<number>;
  try_at: Stamp;
};

export type TextSyncTable = {
  is_only: Generated<boolean>;
  complete_until: Date | null;
  look_from: Date | null;
  look_back_to: Date | null;
  looked_at: Date | null;
};
