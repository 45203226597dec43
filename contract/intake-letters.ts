import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import { line, paragraphs } from './text.ts';

const path = '/api/v1/intakes/{id}/letter';

export const LetterSchema = z.strictObject({
  subject: line('Subject', { max: 900 }),
  text: paragraphs('Text', { max: 10_000 }),
});
export type Letter = z.infer<typeof LetterSchema>;

export const letterRoutes = {
  readLetter: defineRoute({
    method: 'GET',
    path,
    summary: 'A letter to the person who asks, made of a template of the firm',
    access: 'signedIn',
    query: z.object({ template: line('Template') }),
    reply: z.object({ subject: z.string(), text: z.string() }),
    message: 'OK',
  }),
  draftLetter: defineRoute({
    method: 'POST',
    path,
    summary: "Keeps a letter as a draft in the caller's mailbox",
    access: 'signedIn',
    body: LetterSchema,
    idempotent: true,
    reply: z.object({ draftId: z.string() }),
    message: 'Draft saved',
  }),
};
