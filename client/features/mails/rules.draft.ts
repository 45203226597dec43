import * as z from 'zod/mini';
import {
  MAIL_TEXT_MAX,
  OutgoingMailSchema,
  type MailboxAddress,
  type MailDetail,
} from '@matterdesk/contract/mails.ts';
import { fullMoment } from '../../core/words.ts';
import { splitQuotes, addressInWords } from './rules.ts';

const attachedFields = { name: z.string(), size: z.number() };
const MailContentSchema = z.object({
  to: z.string(),
  cc: z.string(),
  bcc: z.string(),
  subject: z.string(),
  text: z.string(),
  /** The text with its formatting, where it has any. */
  html: z.optional(z.string()),
  attachments: z.array(
    z.union([
      z.object({ ...attachedFields, upload: z.string() }),
      z.object({ ...attachedFields, url: z.string() }),
    ]),
  ),
  inReplyTo: z.optional(z.string()),
  forwardOf: z.optional(z.string()),
});
/** A mail as it is typed, with `cc` and `bcc` as text. */
export type MailContent = z.infer<typeof MailContentSchema>;
/** An attachment: a file uploaded for the mail, or a file of a case. */
export type DraftAttachment = MailContent['attachments'][number];

const MailDraftSchema = z.object({
  id: z.string(),
  /** The initial content, to detect changes. */
  start: MailContentSchema,
  written: MailContentSchema,
  draftId: z.nullable(z.string()),
  /** When it was last saved to Gmail. */
  savedAt: z.optional(z.string()),
  isSmall: z.boolean(),
  /** The last attempt to send: an unchanged mail is sent again with the same key. */
  sent: z.nullable(z.object({ key: z.string(), body: z.string() })),
  /** The case whose files are offered first. */
  matter: z.nullable(z.object({ id: z.string(), label: z.string() })),
});
/** A mail being written, with its state. */
export type MailDraft = z.infer<typeof MailDraftSchema>;

export const EMPTY_CONTENT: MailContent = {
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  text: '',
  attachments: [],
};

export type AnswerKind = 'reply' | 'replyAll' | 'forward';

/**
 * Prefills an answer.
 * @param own the user's own addresses, which are not recipients
 */
export function answerTo(mail: MailDetail, kind: AnswerKind, own: readonly string[]): MailContent {
  if (kind === 'forward') {
    const subject = withPrefix('Fwd: ', /^(?:fwd?|wg)\s*:/i, mail.subject);
    const text = `\n\n${forwardedHead(mail)}\n\n${mail.message}`;
    return { ...EMPTY_CONTENT, subject, text: text.slice(0, MAIL_TEXT_MAX), forwardOf: mail.id };
  }
  const isOwn = (email: string) => own.some((address) => isSame(address, email));
  const isFromOthers = mail.from !== null && !isOwn(mail.from.email);
  const replyTo = isFromOthers ? (mail.replyTo ?? [mail.from]) : [mail.to];
  const recipients = kind === 'replyAll' ? [...replyTo, mail.to, ...mail.cc] : replyTo;
  const [to = replyTo[0]?.email ?? '', ...cc] = recipients
    .flatMap((person) => person?.email || [])
    .filter((email, at, all) => !isOwn(email) && all.findIndex((a) => isSame(a, email)) === at);
  return {
    ...EMPTY_CONTENT,
    to,
    cc: cc.join(', '),
    subject: withPrefix('Re: ', /^(?:re|aw)\s*:/i, mail.subject),
    text: `\n\n${quoteOf(mail)}`.slice(0, MAIL_TEXT_MAX),
    inReplyTo: mail.id,
  };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function withPrefix(prefix: string, present: RegExp, subject: string): string {
  return present.test(subject.trim()) ? subject.trim() : `${prefix}${subject.trim()}`;
}

function quoteOf({ date, from, message }: MailDetail): string {
  const who = from ? addressInWords(from) : 'someone';
  const lines = message.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const text = lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n');
  return `On ${fullMoment(date)}, ${who} wrote:\n${text}`;
}

function forwardedHead({ date, from, to, cc, subject }: MailDetail): string {
  const lines = [
    '---------- Forwarded message ---------',
    `From: ${from ? addressInWords(from) : ''}`,
    `Date: ${fullMoment(date)}`,
    `Subject: ${subject}`,
    `To: ${to ? addressInWords(to) : ''}`,
  ];
  if (cc.length > 0) lines.push(`Cc: ${cc.map(addressInWords).join(', ')}`);
  return lines.join('\n');
}

/** A draft, to continue writing. */
export function draftAsWritten({
  to,
  cc,
  bcc = [],
  subject,
  message,
  html,
}: MailDetail): MailContent {
  const listed = (people: readonly MailboxAddress[]) => people.map(({ email }) => email).join(', ');
  return {
    ...EMPTY_CONTENT,
    to: to?.email ?? '',
    cc: listed(cc),
    bcc: listed(bcc),
    subject,
    text: message,
    ...(html !== null && { html }),
  };
}

/** The mail as the server expects it; `Name <address>` in a list becomes the address. */
export function toOutgoing(written: MailContent, from: string, draftId: string | null) {
  const { to, cc, bcc, subject, text, html, attachments, inReplyTo, forwardOf } = written;
  const [copies, blind] = [listOf(cc), listOf(bcc)];
  return {
    from,
    to: to.trim(),
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(copies.length > 0 && { cc: copies }),
    ...(blind.length > 0 && { bcc: blind }),
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(forwardOf !== undefined && { forwardOf }),
    ...(attachments.length > 0 && {
      attachments: attachments.map((file) =>
        'upload' in file ? { upload: file.upload } : { url: file.url },
      ),
    }),
    ...(draftId !== null && { draftId }),
  };
}

type Outgoing = ReturnType<typeof toOutgoing>;

function listOf(text: string): string[] {
  const { chosen, typed } = parseRecipients(text);
  return typed === '' ? chosen : [...chosen, ...typed.split(', ')];
}

/** Adds addresses to a list of them. */
export function addAddresses(list: string, more: readonly string[]): string {
  const { chosen, typed } = parseRecipients(list);
  return listRecipients({ chosen: [...chosen, ...more], typed });
}

/** The part of a mail that can be saved as a draft: without incomplete addresses. */
export function savablePart(body: Outgoing) {
  const faults = fieldErrorsOf(body);
  const omitted = (['to', 'cc', 'bcc'] as const).filter((name) => faults[name] !== undefined);
  const fields = Object.entries(body).filter(([name]) => !omitted.some((field) => field === name));
  return { body: Object.fromEntries(fields), isWhole: omitted.length === 0 };
}

const ATTACHED = /\b(?:attached|attaching|enclosed|enclosing)\b/i;

/** Whether the text, apart from quotes, mentions an attachment that is missing. */
export function lacksMentionedFile({ text, attachments, forwardOf }: MailContent): boolean {
  if (attachments.length > 0 || forwardOf !== undefined) return false;
  return splitQuotes(text).some(({ kind, text: said }) => kind === 'said' && ATTACHED.test(said));
}

/** The validation messages of the contract, by field. */
export function fieldErrorsOf(body: Outgoing): Partial<Record<string, string>> {
  const { error } = OutgoingMailSchema.safeParse(body);
  const faults = (error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]);
  return Object.fromEntries(faults.toReversed()) as Partial<Record<string, string>>;
}

/** Restores a mail from the tab's storage; null if it is invalid. */
export function readMailDraft(kept: unknown): MailDraft | null {
  return MailDraftSchema.safeParse(kept).data ?? null;
}

/** With the signature below the new text and above the quoted text. */
export function withSignature(written: MailContent, signature: string): MailContent {
  if (signature === '') return written;
  const { text } = written;
  const isQuoteAlone = text === '' || text.startsWith('\n');
  return {
    ...written,
    text: (isQuoteAlone ? `\n\n${signature}${text}` : `${text.trimEnd()}\n\n${signature}`).slice(
      0,
      MAIL_TEXT_MAX,
    ),
  };
}

/** Number of suggested people, and of letters to type before they appear. */
const MAX_SUGGESTIONS = 6;
const MIN_TYPED = 2;

/** The chosen addresses, and the text after them that is still being typed. */
export type Recipients = { chosen: string[]; typed: string };

/** Splits a list of addresses; `Name <address>` becomes the address, and anything else is still being typed. */
export function parseRecipients(list: string): Recipients {
  const parts = list
    .split(SEPARATOR)
    .map(bareAddress)
    .filter((part) => part !== '');
  const typed = parts.filter((part) => !isAddress(part));
  return { chosen: parts.filter(isAddress), typed: typed.join(', ') };
}

/** Takes what is typed: a separator ends an address, whether it is right or not. */
export function typeRecipient(before: readonly string[], text: string): Recipients {
  const parts = text.split(SEPARATOR);
  const typed = parts.pop()?.trimStart() ?? '';
  const ended = parts.map(bareAddress).filter((part) => part !== '');
  return { chosen: [...before, ...ended], typed };
}

/** Makes the typed text an address, once it is one. */
export function endTyping({ chosen, typed }: Recipients): Recipients {
  const address = bareAddress(typed);
  return isAddress(address) ? { chosen: [...chosen, address], typed: '' } : { chosen, typed };
}

export function listRecipients({ chosen, typed }: Recipients): string {
  return [...chosen, typed].filter((part) => part !== '').join(', ');
}

export function isAddress(text: string): boolean {
  return z.regexes.email.test(text);
}

const SEPARATOR = /[,;\n]/;

function bareAddress(text: string): string {
  return (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim();
}

/** People with a name or address in which a word starts with the text; none once the address is complete. */
export function suggestPeople(typed: string, known: readonly MailboxAddress[]): MailboxAddress[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted.length < MIN_TYPED) return [];
  const found = new Map<string, MailboxAddress>();
  for (const person of known) {
    const email = person.email.toLowerCase();
    if (email === wanted) return [];
    const isNamed = found.get(email)?.name;
    if (!isNamed && email.includes('@') && matches(person, wanted)) found.set(email, person);
  }
  return [...found.values()].slice(0, MAX_SUGGESTIONS);
}

function matches({ name, email }: MailboxAddress, wanted: string): boolean {
  const text = ` ${name} ${email}`.toLowerCase();
  return text.replaceAll(/[@._-]/g, ' ').includes(` ${wanted}`) || text.includes(` ${wanted}`);
}
