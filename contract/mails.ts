import * as z from 'zod/mini';
import { CurrentUserSchema } from './accounts.ts';
import { FiledMailSchema, ProposedCaseSchema } from './mail-cases.ts';
import { MailInvitationSchema } from './mail-invitations.ts';
import { mailSections } from './mail-sections.ts';
import { defineRoute } from './route.ts';
import { id, line, optionalLine, optionalParagraphs } from './text.ts';

export const BAD_ADDRESS = 'Please enter a valid email address.';
export const NO_RECIPIENT = 'Please enter a recipient';
/** Most mails per page. */
export const MAX_MAIL_PAGE = 100;
/** Gmail's limit on the total size of one mail, in bytes. */
export const MAX_MAIL_BYTES = 25 * 1024 * 1024;
/** Most characters in a mail's text. */
export const MAX_MAIL_TEXT = 1_000_000;
const MAX_RECIPIENTS = 100;

const text = z.string();
const perSection = <S extends z.ZodMiniType>(schema: S) =>
  z.object({ inbox: schema, sent: schema, drafts: schema });

/** `name` is empty when the mail has none. */
export const MailboxAddressSchema = z.object({ name: text, email: text });
export type MailboxAddress = z.infer<typeof MailboxAddressSchema>;

export const MailSummarySchema = z.object({
  id: text,
  threadId: text,
  /** Plain text. */
  snippet: text,
  subject: text,
  from: MailboxAddressSchema,
  /** First recipient; both fields are empty when there is none. */
  to: MailboxAddressSchema,
  date: text,
  unread: z.boolean(),
  hasAttachments: z.boolean(),
});
export type MailSummary = z.infer<typeof MailSummarySchema>;

export const MailAttachmentSchema = z.object({
  url: text,
  name: text,
  /** Bytes. */
  size: z.number(),
  mimeType: text,
  /** Embedded in the message by `cid:` instead of listed. */
  inline: z.boolean(),
  contentId: z.nullable(text),
});
export type MailAttachment = z.infer<typeof MailAttachmentSchema>;

export const MailDetailSchema = z.object({
  id: text,
  subject: text,
  from: z.nullable(MailboxAddressSchema),
  to: z.nullable(MailboxAddressSchema),
  /** All recipients after the first. */
  cc: z.array(MailboxAddressSchema),
  /** Blind copies of mails that the user sent, and reply addresses; present only when not empty. */
  bcc: z.optional(z.array(MailboxAddressSchema)),
  replyTo: z.optional(z.array(MailboxAddressSchema)),
  /** From the mail's header, else its time of arrival. */
  date: text,
  /** Always text. */
  message: text,
  /** Verbatim and unsafe; `cid:` addresses are kept. Saving a draft here drops its HTML. */
  html: z.nullable(text),
  attachments: z.array(MailAttachmentSchema),
  draftId: z.nullable(text),
  proposedCase: z.nullable(ProposedCaseSchema),
  invitation: z.nullable(MailInvitationSchema),
  /** Cases to which the reader filed it, oldest first. */
  filed: z.array(FiledMailSchema),
});
export type MailDetail = z.infer<typeof MailDetailSchema>;

export const MailboxSchema = z.object({
  data: perSection(z.array(MailSummarySchema)),
  nextCursor: perSection(z.nullable(text)),
  total: perSection(z.nullable(z.number())),
  /** Null for sections that were not requested and for searches, which are not counted. */
  unread: perSection(z.nullable(z.number())),
});
export type Mailbox = z.infer<typeof MailboxSchema>;

const address = z.string(BAD_ADDRESS).check(
  z.trim(),
  z.maxLength(254, { error: BAD_ADDRESS, abort: true }),
  z.refine((written) => z.regexes.email.test(written), BAD_ADDRESS),
);
const addresses = (label: string) =>
  z.optional(
    z
      .array(address, `${label} must be a list of addresses`)
      .check(z.maxLength(MAX_RECIPIENTS, `${label} must have at most ${MAX_RECIPIENTS} addresses`)),
  );
const mailId = z.optional(id('Mail not found'));

/** A composed mail, sent or saved as a draft. */
export const OutgoingMailSchema = z.strictObject({
  from: line('From', { max: 254 }),
  to: z._default(
    z.union(
      [
        z.pipe(
          z.string().check(z.regex(/^\s*$/)),
          z.transform(() => ''),
        ),
        address,
      ],
      BAD_ADDRESS,
    ),
    '',
  ),
  subject: z._default(optionalLine('Subject', { max: 900 }), ''),
  text: z._default(optionalParagraphs('Message', { max: MAX_MAIL_TEXT }), ''),
  cc: addresses('Cc'),
  bcc: addresses('Bcc'),
  inReplyTo: mailId,
  forwardOf: mailId,
  attachments: z.optional(
    z
      .array(
        z.union(
          [
            z.strictObject({ upload: id('Upload not found') }),
            z.strictObject({ url: line('Url', { max: 3000 }) }),
          ],
          'An attachment must be an upload or the url of a file',
        ),
        'Attachments must be a list',
      )
      .check(z.maxLength(100, 'Attachments must be at most 100')),
  ),
  draftId: z.optional(id('Draft not found')),
});
export type OutgoingMail = z.infer<typeof OutgoingMailSchema>;

const limitText = `Limit must be a whole number from 1 to ${MAX_MAIL_PAGE}`;
const sectionText = `Section must be one of ${mailSections.join(', ')}`;

export const MailboxQuerySchema = z.object({
  section: z.optional(z.enum(mailSections, sectionText)),
  limit: z.optional(
    z.pipe(
      z.string(limitText).check(z.regex(/^\d{1,3}$/, { error: limitText, abort: true })),
      z.pipe(
        z.transform(Number),
        z.number().check(z.gte(1, limitText), z.lte(MAX_MAIL_PAGE, limitText)),
      ),
    ),
  ),
  cursor: z.optional(line('Cursor', { max: 500 })),
  search: z.optional(optionalLine('Search', { max: 200 })),
});
export type MailboxQuery = z.infer<typeof MailboxQuerySchema>;

/** Sent to the mailbox's owner only. Without ids the change is unknown and the section is refetched. */
export const MailReceivedSchema = z.object({
  section: z.enum(mailSections),
  ids: z.array(text),
});
export type MailReceived = z.infer<typeof MailReceivedSchema>;

const DraftKeptSchema = z.object({ draftId: text });
const UserReplySchema = z.object({ data: CurrentUserSchema });

export const mailRoutes = {
  startConnecting: defineRoute({
    method: 'GET',
    path: '/api/v1/mails/google/auth',
    summary: "Google's authorization address, with state and PKCE",
    access: 'signedIn',
    needs: 'google',
    reply: z.object({ data: text }),
    message: 'OK',
  }),
  finishConnecting: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/google/auth/callback',
    summary: 'Exchanges the authorization code; works once, for the session that requested it',
    access: 'signedIn',
    needs: 'google',
    body: z.strictObject({
      code: line('Code', { max: 2000 }),
      state: line('State', { max: 500 }),
      userEmail: line('User Email', { max: 254 }),
    }),
    reply: UserReplySchema,
    message: 'Google connected',
  }),
  disconnect: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/google/disconnect',
    summary: 'Deletes the grant and revokes it at Google',
    access: 'signedIn',
    reply: UserReplySchema,
    message: 'Google disconnected',
  }),
  listMails: defineRoute({
    method: 'GET',
    path: '/api/v1/mails/getAllMails/{userEmail}',
    summary: 'Inbox, sent and drafts, newest first; one section by pages',
    access: 'signedIn',
    needs: 'google',
    query: MailboxQuerySchema,
    reply: MailboxSchema,
    message: 'OK',
  }),
  readMail: defineRoute({
    method: 'GET',
    path: '/api/v1/mails/readMail/{userEmail}/{mailId}',
    summary: 'One mail; read at Google from then on',
    access: 'signedIn',
    needs: 'google',
    reply: z.object({ data: MailDetailSchema }),
    message: 'OK',
  }),
  readAttachment: defineRoute({
    method: 'GET',
    path: '/api/v1/mails/attachment/{mailId}/{attachmentId}/{name}',
    summary: 'The bytes of an attachment; the session cookie opens it too',
    access: 'signedIn',
    needs: 'google',
    cookie: true,
    query: z.object({
      download: z.optional(z.enum(['0', '1'], { error: 'download must be one of 0, 1' })),
    }),
    message: 'OK',
  }),
  sendMail: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/sendMail',
    summary: 'Sends a mail from the connected account',
    access: 'signedIn',
    needs: 'google',
    body: OutgoingMailSchema,
    idempotent: true,
    reply: z.null(),
    message: 'Email sent successfully',
  }),
  uploadAttachment: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/uploads',
    summary: 'Stores an attachment for a draft for 24 hours',
    access: 'signedIn',
    needs: 'google',
    file: 'attachment',
    fileBytes: MAX_MAIL_BYTES,
    reply: z.object({ upload: text, name: text, size: z.number() }),
    status: 201,
    message: 'Attachment uploaded',
  }),
  keepDraft: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/drafts',
    summary: 'Saves a draft in Gmail',
    access: 'signedIn',
    needs: 'google',
    body: OutgoingMailSchema,
    reply: DraftKeptSchema,
    status: 201,
    message: 'Draft saved',
  }),
  changeDraft: defineRoute({
    method: 'PUT',
    path: '/api/v1/mails/drafts/{draftId}',
    summary: 'Replaces a draft in Gmail',
    access: 'signedIn',
    needs: 'google',
    body: OutgoingMailSchema,
    reply: DraftKeptSchema,
    message: 'Draft saved',
  }),
  deleteDraft: defineRoute({
    method: 'DELETE',
    path: '/api/v1/mails/drafts/{draftId}',
    summary: 'Deletes a draft in Gmail',
    access: 'signedIn',
    needs: 'google',
    reply: z.null(),
    message: 'Draft deleted',
  }),
  fileToCase: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/fileToCase/{mailId}',
    summary: "Saves a mail as .eml in the case's E-mail folder; 200 if it was filed there before",
    access: 'signedIn',
    needs: 'google',
    body: z.strictObject({ caseId: id('Please select any case') }),
    reply: z.object({ url: text }),
    status: 201,
    message: 'Email filed',
  }),
};
