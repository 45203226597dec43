import * as z from 'zod/mini';
import { CurrentUserSchema } from './accounts.ts';
import { mailSections } from './mail-sections.ts';
import { limitUpTo } from './paging.ts';
import { defineRoute } from './route.ts';
import { id, line, optionalLine, optionalParagraphs } from './text.ts';

/** URL of an attachment; `part` is the MIME part's path, stable for the mail's life. */
export function attachmentUrl(mail: string, part: string, name: string): string {
  return `/api/v1/mails/attachment/${[mail, part, name].map(encodeURIComponent).join('/')}`;
}

/** The case that a mail seems to belong to. */
const ProposedCaseSchema = z.object({ id: z.string(), caseName: z.string(), reason: z.string() });

/** A case that holds the mail as a file. */
const FiledMailSchema = z.object({
  case: z.object({ id: z.string(), caseName: z.string() }),
  url: z.string(),
  at: z.string(),
});
export type FiledMail = z.infer<typeof FiledMailSchema>;

/** An invitation in a mail, and what taking it would do. */
const MailInvitationSchema = z.object({
  title: z.string(),
  /** Instants, or the first and the last day. */
  start: z.string(),
  end: z.string(),
  /** An address; empty without one. */
  organizer: z.string(),
  /** `skip`: the calendar has it as it is, or it was canceled before it was taken. */
  action: z.enum(['add', 'update', 'cancel', 'skip']),
  /** The event that the calendar has already. */
  event: z.nullable(z.string()),
});
export type MailInvitation = z.infer<typeof MailInvitationSchema>;

/** The Pub/Sub push body; unknown fields are ignored because Google may add more. */
export const MailPushSchema = z.object({
  message: z.object({
    /** Base64 of a MailboxChange. */
    data: z.string('Data must be text').check(z.maxLength(4000, 'Data is too long')),
  }),
});

/** Gmail's notice that a mailbox changed after a point in its history. */
export const MailboxChangeSchema = z.object({
  emailAddress: z.string().check(z.regex(/^[^\s@\p{Cc}]{1,255}@[^\s@\p{Cc}]{1,255}$/u)),
  historyId: z.pipe(
    z.union([z.string(), z.int()]),
    z.pipe(z.transform(String), z.string().check(z.regex(/^\d{1,40}$/))),
  ),
});
export type MailboxChange = z.infer<typeof MailboxChangeSchema>;

export const mailPushRoutes = {
  receivePush: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/google/push',
    summary: 'Google’s signed notice of a mailbox change',
    access: 'anyone',
    needs: 'google',
    signedBody: MailPushSchema,
    status: 204,
    message: 'OK',
  }),
};

export const BAD_ADDRESS = 'Please enter a valid email address.';
export const NO_RECIPIENT = 'Please enter a recipient';
/** Most mails per page. */
const MAIL_PAGE_SIZE_MAX = 100;
/** Gmail's limit on the total size of one mail, in bytes. */
export const MAIL_BYTES_MAX = 25 * 1024 * 1024;
/** Most characters in a mail's text. */
export const MAIL_TEXT_MAX = 1_000_000;
const MAIL_RECIPIENTS_MAX = 100;

const text = z.string();
const perSection = <S extends z.ZodMiniType>(schema: S) =>
  z.object({ inbox: schema, sent: schema, drafts: schema });

/** `name` is empty when the mail has none. */
const MailboxAddressSchema = z.object({ name: text, email: text });
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

/** A mail of a thread, with the cases to which the reader filed it; absent when there are none. */
const ThreadMailSchema = z.extend(MailSummarySchema, {
  filed: z.optional(z.array(FiledMailSchema)),
});
export type ThreadMail = z.infer<typeof ThreadMailSchema>;

const MailAttachmentSchema = z.object({
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

const MailDetailSchema = z.object({
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

const MailboxSchema = z.object({
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
      .check(
        z.maxLength(
          MAIL_RECIPIENTS_MAX,
          `${label} must have at most ${MAIL_RECIPIENTS_MAX} addresses`,
        ),
      ),
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
  text: z._default(optionalParagraphs('Message', { max: MAIL_TEXT_MAX }), ''),
  /** The text with its formatting. The server keeps bold, italic, underlines, lists, links and quotes of it. */
  html: z.optional(optionalParagraphs('Message', { max: MAIL_TEXT_MAX })),
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

const sectionText = `Section must be one of ${mailSections.join(', ')}`;

const MailboxQuerySchema = z.object({
  section: z.optional(z.enum(mailSections, sectionText)),
  limit: limitUpTo(MAIL_PAGE_SIZE_MAX),
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

const SavedDraftSchema = z.object({ draftId: text });
const UserReplySchema = z.object({ data: CurrentUserSchema });

export const mailRoutes = {
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
  fileToCase: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/fileToCase/{mailId}',
    summary: "Saves a mail as .eml in the case's E-mail folder; 200 if it was filed there before",
    access: 'signedIn',
    needs: 'google',
    body: z.strictObject({ caseId: id('Please select any case') }),
    reply: z.object({ url: text }),
    status: 201,
    otherStatus: 200,
    message: 'Email filed',
  }),
};

export const mailWritingRoutes = {
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
  keepDraft: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/drafts',
    summary: 'Saves a draft in Gmail',
    access: 'signedIn',
    needs: 'google',
    body: OutgoingMailSchema,
    reply: SavedDraftSchema,
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
    reply: SavedDraftSchema,
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
  uploadAttachment: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/uploads',
    summary: 'Stores an attachment for a draft for 24 hours',
    access: 'signedIn',
    needs: 'google',
    file: 'attachment',
    fileBytes: MAIL_BYTES_MAX,
    reply: z.object({ upload: text, name: text, size: z.number() }),
    status: 201,
    message: 'Attachment uploaded',
  }),
};

export const mailAccountRoutes = {
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
};

const MAIL_CHANGE_REQUIRED = 'Please name one of unread, archived and trashed';
const flag = z.boolean(MAIL_CHANGE_REQUIRED);

/** One change of a mail: as in Gmail, `archived: false` brings it back to the inbox. */
const MailChangeSchema = z.union(
  [
    z.strictObject({ unread: flag }),
    z.strictObject({ archived: flag }),
    z.strictObject({ trashed: flag }),
  ],
  MAIL_CHANGE_REQUIRED,
);
export type MailChange = z.infer<typeof MailChangeSchema>;

export const mailChangeRoutes = {
  changeMail: defineRoute({
    method: 'POST',
    path: '/api/v1/mails/change/{userEmail}/{mailId}',
    summary:
      'Marks a mail as unread, archives it or moves it to the trash, or the reverse; at Google too',
    access: 'signedIn',
    needs: 'google',
    body: MailChangeSchema,
    reply: z.object({ data: MailSummarySchema }),
    message: 'Email changed',
  }),
  readThread: defineRoute({
    method: 'GET',
    path: '/api/v1/mails/thread/{userEmail}/{threadId}',
    summary: 'The mails of a thread, oldest first, without drafts and what is in the trash',
    access: 'signedIn',
    needs: 'google',
    reply: z.object({ data: z.array(ThreadMailSchema) }),
    message: 'OK',
  }),
};

const SIGNATURE_MAX = 2000;

/** The text below a user's mails; empty without one. */
export const SignatureSchema = z.strictObject({
  signature: optionalParagraphs('Signature', { max: SIGNATURE_MAX }),
});

const path = '/api/v1/mails/signature';

export const mailSignatureRoutes = {
  readSignature: defineRoute({
    method: 'GET',
    path,
    summary: 'The text that the caller’s new mails and answers end with',
    access: 'signedIn',
    reply: SignatureSchema,
    message: 'OK',
  }),
  changeSignature: defineRoute({
    method: 'PUT',
    path,
    summary: 'Sets the caller’s signature; mails that are being written keep what they have',
    access: 'signedIn',
    body: SignatureSchema,
    reply: SignatureSchema,
    message: 'Signature saved',
  }),
};
