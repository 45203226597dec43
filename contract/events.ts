import * as z from 'zod/mini';
import { AccessChangedSchema, AccessOpenedSchema } from './access.ts';
import { UserSchema } from './accounts.ts';
import { EventSchema, SeriesChangedSchema } from './calendar.ts';
import { CaseSchema, PersonSchema } from './cases.ts';
import { AlertedSchema } from './conflicts.ts';
import { ContactSchema } from './contacts.ts';
import { DeadlineSchema } from './deadlines.ts';
import { DeletedFileSchema, FileEventSchema } from './files.ts';
import { ImportEndedSchema } from './imports.ts';
import { IntakeSchema } from './intakes.ts';
import { MailReceivedSchema } from './mails.ts';
import { TextMessageSchema } from './messages.ts';
import { NoticeSchema } from './notices.ts';
import { ProposalEventSchema } from './proposals.ts';
import { EntryMovedSchema, StreamEntrySchema } from './stream.ts';
import { DeletedTaskSchema, TaskSchema } from './tasks.ts';
import { TrayChangedSchema } from './tray.ts';

export const SessionEndedSchema = z.object({
  reason: z.enum(['logout', 'deactivated', 'expired']),
});
export type SessionEnded = z.infer<typeof SessionEndedSchema>;

/** Socket events, named `entity.pastTense`; the payload is the entity as in a reply. */
export const events = {
  'case.created': CaseSchema,
  'case.updated': CaseSchema,
  'task.created': TaskSchema,
  'task.updated': TaskSchema,
  'task.deleted': DeletedTaskSchema,
  'entry.created': StreamEntrySchema,
  'entry.updated': z.union([StreamEntrySchema, EntryMovedSchema]),
  'tray.changed': TrayChangedSchema,
  'event.created': EventSchema,
  'event.updated': EventSchema,
  'series.changed': SeriesChangedSchema,
  'file.uploaded': FileEventSchema,
  'file.deleted': DeletedFileSchema,
  'file.trainingChanged': FileEventSchema,
  'deadline.created': DeadlineSchema,
  'deadline.updated': DeadlineSchema,
  'proposal.opened': ProposalEventSchema,
  'proposal.decided': ProposalEventSchema,
  'notice.raised': NoticeSchema,
  'contact.updated': ContactSchema,
  'import.ended': ImportEndedSchema,
  'intake.created': IntakeSchema,
  'intake.updated': IntakeSchema,
  'conflict.alerted': AlertedSchema,
  'mail.received': MailReceivedSchema,
  'message.received': TextMessageSchema,
  'message.sent': TextMessageSchema,
  'message.statusChanged': TextMessageSchema,
  'user.created': UserSchema,
  'user.updated': UserSchema,
  'access.changed': AccessChangedSchema,
  'access.opened': AccessOpenedSchema,
  'session.ended': SessionEndedSchema,
};

export type EventName = keyof typeof events;
export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;

/**
 * The actor of an event, null for the server itself, and its time. `at` equals the payload's `updatedAt` if there is one; for
 * `task.deleted` it is later than any `updatedAt` that the task had.
 */
export const EventOriginSchema = z.object({ actor: z.nullable(PersonSchema), at: z.string() });
export type EventOrigin = z.infer<typeof EventOriginSchema>;

/** Client listeners, for Socket.IO's types. */
export type ServerToClientEvents = {
  [Name in EventName]: (payload: EventPayload<Name>, origin: EventOrigin) => void;
};
