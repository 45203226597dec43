import * as z from 'zod/mini';
import { defineRoute } from './route.ts';

const content = '/api/v1/intakes/{id}/files/{name}';

/** Stable URL of an intake's file; the last segment is its display name. */
export function intakeFileUrl(id: string, name: string): string {
  return `/api/v1/intakes/${encodeURIComponent(id)}/files/${encodeURIComponent(name)}`;
}

/** Files that came with an inquiry, or were added to it. */
export const intakeFileRoutes = {
  addFiles: defineRoute({
    method: 'POST',
    path: '/api/v1/intakes/{id}/files',
    summary: 'Adds one to a hundred files to an intake',
    access: 'signedIn',
    file: 'attachments',
    reply: z.object({ urls: z.array(z.string()) }),
    status: 201,
    message: 'File uploaded',
  }),
  readFile: defineRoute({
    method: 'GET',
    path: content,
    summary: 'The bytes of a file, whole or in ranges; the session cookie opens it too',
    access: 'signedIn',
    cookie: true,
    query: z.object({
      download: z.optional(z.enum(['0', '1'], { error: 'download must be one of 0, 1' })),
    }),
    message: 'OK',
  }),
  deleteFile: defineRoute({
    method: 'DELETE',
    path: content,
    summary: 'Deletes a file of an intake',
    access: 'signedIn',
    reply: z.null(),
    message: 'File deleted',
  }),
};
