import * as z from 'zod/mini';

/** Bytes of an invitation that is read; others have some thousands. */
export const MAX_CALENDAR_BYTES = 512 * 1024;

const NamedAddressSchema = z.object({ name: z.string(), email: z.string() });

const AttachmentSchema = z.object({
  part: z.string(),
  name: z.string(),
  size: z.int().check(z.nonnegative()),
  mimeType: z.string(),
  isInline: z.boolean(),
  contentId: z.nullable(z.string()),
});
export type ReadAttachment = z.infer<typeof AttachmentSchema>;

const addresses = z.array(NamedAddressSchema);
const MailSchema = z.object({
  subject: z.string(),
  from: z.nullable(NamedAddressSchema),
  recipients: addresses,
  bcc: addresses,
  replyTo: addresses,
  /** ISO 8601; null for missing or invalid dates. */
  date: z.nullable(z.iso.datetime()),
  text: z.string(),
  html: z.nullable(z.string()),
  attachments: z.array(AttachmentSchema),
  /** An invitation as it was written. */
  calendar: z.nullable(z.string().check(z.maxLength(MAX_CALENDAR_BYTES))),
});
/** A readable mail without the bytes of its attachments. */
export type ReadMail = z.infer<typeof MailSchema>;

const most = z.maxLength(5000);
const words = z.array(z.string().check(z.maxLength(2000))).check(most);
const CluesSchema = z.object({ numbers: words, emails: words, names: words });
/** Numbers, addresses and names in a mail that may point to a case. */
export type Clues = z.infer<typeof CluesSchema>;

/** The mail reader's answer. A mail may have taken the reader over, so its shape is checked. */
export const AnswerSchema = z.object({
  /** Gmail's own details of the mail, beside its bytes. */
  whole: z.object({ labels: z.array(z.string()), threadId: z.string(), arrivedAt: z.number() }),
  mail: z.optional(MailSchema),
  clues: z.optional(CluesSchema),
  attachment: z.optional(AttachmentSchema),
  /** Whether bytes follow. */
  hasBytes: z.boolean(),
});
export type WholeMail = z.infer<typeof AnswerSchema>['whole'];
