import * as z from 'zod/mini';
import { UserSchema } from './accounts.ts';
import { CaseSchema } from './cases.ts';
import { FileGoneSchema, FileHeardSchema } from './files.ts';
import { MailReceivedSchema } from './mails.ts';
import { TextMessageSchema } from './messages.ts';
import { TaskGoneSchema, TaskSchema } from './tasks.ts';

export const SessionEndedSchema = z.object({
  reason: z.enum(['logout', 'deactivated', 'expired']),
});
export type SessionEnded = z.infer<typeof SessionEndedSchema>;

/** What the server tells over the socket: `entity.pastTense`, the payload is the entity as in a reply. */
export const events = {
  'case.created': CaseSchema,
  'case.updated': CaseSchema,
  'task.created': TaskSchema,
  'task.updated': TaskSchema,
  'task.deleted': TaskGoneSchema,
  'file.uploaded': FileHeardSchema,
  'file.deleted': FileGoneSchema,
  'file.trainingChanged': FileHeardSchema,
  'mail.received': MailReceivedSchema,
  'message.received': TextMessageSchema,
  'message.sent': TextMessageSchema,
  'message.statusChanged': TextMessageSchema,
  'user.created': UserSchema,
  'user.updated': UserSchema,
  'session.ended': SessionEndedSchema,
};

export type EventName = keyof typeof events;
export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;
/** The listeners of a client, for Socket.IO's types. */
export type ServerToClientEvents = {
  [Name in EventName]: (payload: EventPayload<Name>) => void;
};
