import * as z from 'zod/mini';

const text = z.string();

/** The case that a mail seems to belong to. */
export const ProposedCaseSchema = z.object({ id: text, caseName: text, reason: text });

/** A case that holds the mail as a file. */
export const FiledMailSchema = z.object({
  case: z.object({ id: text, caseName: text }),
  url: text,
  at: text,
});
export type FiledMail = z.infer<typeof FiledMailSchema>;
