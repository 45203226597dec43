import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { defineRoute } from './route.ts';

/** Bytes of all stored files: those of matters, attachments of mails that are being written, and those of texts. */
export const StorageSchema = z.object({
  /** Bytes, the trash included. */
  used: z.number(),
  /** Bytes left for uploads; null without a limit, in a store of unknown size. */
  free: z.nullable(z.number()),
  /** MAX_STORAGE_GB in bytes; null without one. */
  limit: z.nullable(z.number()),
  /** Bytes of deleted files that can still be restored. */
  trash: z.number(),
  /** Users with stored files, the largest total first. */
  people: z.array(z.object({ person: PersonSchema, used: z.number() })),
  /** New matters and names that wait for their conflict check. */
  waiting: z.object({ cases: z.number(), names: z.number() }),
});
export type Storage = z.infer<typeof StorageSchema>;

export const storageRoutes = {
  readStorage: defineRoute({
    method: 'GET',
    path: '/api/v1/storage',
    summary: 'Bytes that are stored, by whom, and the room left for uploads',
    access: 'admin',
    reply: StorageSchema,
    message: 'OK',
  }),
};

export const trashRoutes = {
  emptyTrash: defineRoute({
    method: 'DELETE',
    path: '/api/v1/storage/trash',
    summary: 'Removes all deleted files for good',
    access: 'admin',
    reply: z.null(),
    message: 'Trash emptied',
  }),
};
