import * as z from 'zod/mini';
import { CaseSchema } from '@matterdesk/contract/cases.ts';
import { LibrarySchema } from '@matterdesk/contract/files.ts';
import { MailSummarySchema } from '@matterdesk/contract/mails.ts';
import { ConversationSchema } from '@matterdesk/contract/messages.ts';
import { TaskSchema } from '@matterdesk/contract/tasks.ts';
import { entriesSchema } from './kept-entries.ts';

/** Validates the stored slices. Missing members get their initial state. */
export const keptStores: Record<string, z.ZodMiniType> = {
  cases: entitiesOf(CaseSchema),
  // Drops other members that older versions stored.
  tasks: z.object({
    caseId: z.optional(z.nullable(z.string())),
    boards: z.optional(entriesSchema(z.record(z.string(), TaskSchema))),
    orders: z.record(z.string(), z.record(z.string(), z.array(z.string()))),
  }),
  mails: z.object({
    lists: entriesSchema(
      z.looseObject({ mails: z.array(MailSummarySchema), isKept: z.literal(true) }),
    ),
    unread: entriesSchema(z.number()),
    notice: z.nullable(z.string()),
  }),
  files: z.object({ libraries: entriesSchema(LibrarySchema) }),
  messages: z.object({
    // Older versions stored an array.
    // oxlint-disable-next-line promise/valid-params -- the validator's, not a promise's
    conversations: z.catch(entriesSchema(z.array(ConversationSchema)), {}),
    added: z.optional(z.array(z.string())),
    names: z.optional(z.record(z.string(), z.string())),
    drafts: z.optional(z.record(z.string(), z.string())),
    attempts: z.optional(
      z.record(z.string(), z.object({ text: z.string(), key: z.string(), isBusy: z.boolean() })),
    ),
  }),
  socket: z.looseObject({ epoch: z.number() }),
};

function entitiesOf<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.looseObject({ ids: z.array(z.string()), entities: z.record(z.string(), schema) });
}
