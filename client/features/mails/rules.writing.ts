import * as z from 'zod/mini';
import {
  MAX_MAIL_TEXT,
  OutgoingMailSchema,
  type MailboxAddress,
  type MailDetail,
} from '@matterdesk/contract/mails.ts';
import { addressInWords, dateInWords } from './rules.ts';
import { cutQuotes } from './rules.reading.ts';

const attachedFields = { name: z.string(), size: z.number() };
const WrittenSchema = z.object({
  to: z.string(),
  cc: z.string(),
  bcc: z.string(),
  subject: z.string(),
  text: z.string(),
  attachments: z.array(
    z.union([
      z.object({ ...attachedFields, upload: z.string() }),
      z.object({ ...attachedFields, url: z.string() }),
    ]),
  ),
  inReplyTo: z.optional(z.string()),
  forwardOf: z.optional(z.string()),
});
/** A mail as somebody writes it; `cc` and `bcc` are lists as they are typed. */
export type Written = z.infer<typeof WrittenSchema>;
/** A file that goes with a mail: one that was uploaded for it, or one of a case's library. */
export type Attached = Written['attachments'][number];

const ComposingSchema = z.object({
  id: z.string(),
  /** As it was when nobody had anything to lose yet. */
  start: WrittenSchema,
  written: WrittenSchema,
  draftId: z.nullable(z.string()),
  /** When it was kept at Google last. */
  savedAt: z.optional(z.string()),
  isSmall: z.boolean(),
  /** What was sent last, under which key: the same again is the same mail. */
  sent: z.nullable(z.object({ key: z.string(), body: z.string() })),
  /** The case whose library is offered first. */
  matter: z.nullable(z.object({ id: z.string(), label: z.string() })),
});
/** A mail that is being written, with where it stands. */
export type Composing = z.infer<typeof ComposingSchema>;

export const NOTHING_WRITTEN: Written = {
  to: '',
  cc: '',
  bcc: '',
  subject: '',
  text: '',
  attachments: [],
};

export type AnswerKind = 'reply' | 'replyAll' | 'forward';

/**
 * The beginning of an answer.
 * @param own the addresses of whoever answers, who is not written to
 */
export function answerTo(mail: MailDetail, kind: AnswerKind, own: readonly string[]): Written {
  if (kind === 'forward') {
    const subject = prefixed('Fwd: ', /^(?:fwd?|wg)\s*:/i, mail.subject);
    const text = `\n\n${forwardedHead(mail)}\n\n${mail.message}`;
    return { ...NOTHING_WRITTEN, subject, text: text.slice(0, MAX_MAIL_TEXT), forwardOf: mail.id };
  }
  const isOwn = (email: string) => own.some((one) => isSame(one, email));
  const isFromOthers = mail.from !== null && !isOwn(mail.from.email);
  const asked = isFromOthers ? (mail.replyTo ?? [mail.from]) : [mail.to];
  const everybody = kind === 'replyAll' ? [...asked, mail.to, ...mail.cc] : asked;
  const [to = asked[0]?.email ?? '', ...cc] = everybody
    .flatMap((one) => one?.email || [])
    .filter((one, at, all) => !isOwn(one) && all.findIndex((other) => isSame(one, other)) === at);
  return {
    ...NOTHING_WRITTEN,
    to,
    cc: cc.join(', '),
    subject: prefixed('Re: ', /^(?:re|aw)\s*:/i, mail.subject),
    text: `\n\n${quoted(mail)}`.slice(0, MAX_MAIL_TEXT),
    inReplyTo: mail.id,
  };
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function prefixed(prefix: string, there: RegExp, subject: string): string {
  return there.test(subject.trim()) ? subject.trim() : `${prefix}${subject.trim()}`;
}

function quoted({ date, from, message }: MailDetail): string {
  const who = from ? addressInWords(from) : 'somebody';
  const lines = message.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const text = lines.map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`)).join('\n');
  return `On ${dateInWords(date)}, ${who} wrote:\n${text}`;
}

function forwardedHead({ date, from, to, cc, subject }: MailDetail): string {
  const lines = [
    '---------- Forwarded message ---------',
    `From: ${from ? addressInWords(from) : ''}`,
    `Date: ${dateInWords(date)}`,
    `Subject: ${subject}`,
    `To: ${to ? addressInWords(to) : ''}`,
  ];
  if (cc.length > 0) lines.push(`Cc: ${cc.map(addressInWords).join(', ')}`);
  return lines.join('\n');
}

/** A draft, to be written on. */
export function draftAsWritten({ to, cc, bcc = [], subject, message }: MailDetail): Written {
  const listed = (people: readonly MailboxAddress[]) => people.map(({ email }) => email).join(', ');
  return {
    ...NOTHING_WRITTEN,
    to: to?.email ?? '',
    cc: listed(cc),
    bcc: listed(bcc),
    subject,
    text: message,
  };
}

/** What the server takes; `Name <address>` counts as its address in a list. */
export function outgoing(written: Written, from: string, draftId: string | null) {
  const { to, cc, bcc, subject, text, attachments, inReplyTo, forwardOf } = written;
  const [copies, blind] = [listOf(cc), listOf(bcc)];
  return {
    from,
    to: to.trim(),
    subject,
    text,
    ...(copies.length > 0 && { cc: copies }),
    ...(blind.length > 0 && { bcc: blind }),
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(forwardOf !== undefined && { forwardOf }),
    ...(attachments.length > 0 && {
      attachments: attachments.map((one) =>
        'upload' in one ? { upload: one.upload } : { url: one.url },
      ),
    }),
    ...(draftId !== null && { draftId }),
  };
}

type Outgoing = ReturnType<typeof outgoing>;

function listOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((one) => (/<([^<>]*)>\s*$/.exec(one)?.[1] ?? one).trim())
    .filter((one) => one !== '');
}

/** What of a mail can be kept as a draft: addresses that are still being typed cannot. */
export function keepable(body: Outgoing) {
  const faults = faultsOf(body);
  const left = (['to', 'cc', 'bcc'] as const).filter((name) => faults[name] !== undefined);
  const fields = Object.entries(body).filter(([name]) => !left.some((one) => one === name));
  return { body: Object.fromEntries(fields), isWhole: left.length === 0 };
}

const ATTACHED = /\b(?:attached|attaching|enclosed|enclosing)\b/i;

/** It speaks of a file, and none goes with it. What is quoted spoke of others. */
export function forgetsFile({ text, attachments, forwardOf }: Written): boolean {
  if (attachments.length > 0 || forwardOf !== undefined) return false;
  return cutQuotes(text).some(({ kind, text: said }) => kind === 'said' && ATTACHED.test(said));
}

/** What is wrong, by field, as the contract has it. */
export function faultsOf(body: Outgoing): Partial<Record<string, string>> {
  const { error } = OutgoingMailSchema.safeParse(body);
  const faults = (error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]);
  return Object.fromEntries(faults.toReversed()) as Partial<Record<string, string>>;
}

/** A composed mail as the tab kept it; null when it cannot be read. */
export function readComposing(kept: unknown): Composing | null {
  return ComposingSchema.safeParse(kept).data ?? null;
}
