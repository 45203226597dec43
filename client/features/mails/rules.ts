import * as z from 'zod/mini';
import {
  MAX_MAIL_TEXT,
  OutgoingMailSchema,
  type MailAttachment,
  type MailboxAddress,
  type MailDetail,
} from '@matterdesk/contract/mails.ts';

/** 'Piet Voss', else the address, else that nobody is named. */
export function nameOf(address: MailboxAddress | null): string {
  return address?.name || address?.email || '(nobody)';
}

/** 'Piet Voss <voss@example.com>' */
export function addressInWords({ name, email }: MailboxAddress): string {
  return name === '' || name === email ? email : `${name} <${email}>`;
}

export function subjectOf(subject: string): string {
  return subject.trim() === '' ? '(no subject)' : subject;
}

const DAY_MS = 86_400_000;

/** As a list says it: the time today, the weekday of this week, else the day. */
export function dayInList(date: string, now: Date): string {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return '';
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const isToday = at.getTime() >= midnight && at.getTime() < midnight + DAY_MS;
  if (isToday) return at.toLocaleTimeString(undefined, { timeStyle: 'short' });
  const isThisWeek = at.getTime() >= midnight - 6 * DAY_MS && at.getTime() < midnight;
  if (isThisWeek) return at.toLocaleDateString(undefined, { weekday: 'short' });
  const isThisYear = at.getFullYear() === now.getFullYear();
  return at.toLocaleDateString(undefined, {
    month: 'short',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

/** 'Nov 20, 2026, 10:42 AM' */
export function dateInWords(date: string): string {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return '';
  return at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

export type Part = { kind: 'said' | 'quoted'; text: string };

const QUOTE = /^\s?>/;
const INTRODUCTION = /^.{0,300}\b(?:wrote|schrieb|écrit|escribió|ha scritto)\s?:\s*$/;
const ORIGINAL =
  /^(?:-{3,}\s?(?:Original Message|Forwarded message|Ursprüngliche Nachricht)\s?-{3,}|_{20,})\s*$/i;

/** Cuts a text into what its writer says and what is quoted from before. */
export function cutQuotes(text: string): Part[] {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const parts: { kind: Part['kind']; lines: string[] }[] = [];
  let isOriginal = false;
  for (const [at, line] of lines.entries()) {
    // A forwarded mail is the message itself; only what follows other words is from before.
    isOriginal ||= ORIGINAL.test(line) && at > 0 && /Original|Urspr|_{20}/.test(line);
    const kind = isOriginal || isQuoted(lines, at) ? 'quoted' : 'said';
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else parts.push({ kind, lines: [line] });
  }
  return parts
    .map((part) => ({ kind: part.kind, text: part.lines.join('\n').replace(/^\n+|\s+$/g, '') }))
    .filter((part) => part.text !== '');
}

/** Quoted itself, a blank line amid quoted ones, or the words that lead in. */
function isQuoted(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (QUOTE.test(line)) return true;
  const next = lines.slice(at + 1).find((one) => one.trim() !== '');
  if (next === undefined || !QUOTE.test(next)) return false;
  if (line.trim() === '') return at > 0 && QUOTE.test(lines[at - 1] ?? '');
  return INTRODUCTION.test(line);
}

const LINK = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}']/gi;

/** Cuts a text at its web addresses. */
export function cutLinks(text: string): { at: number; text: string; href: string | null }[] {
  const parts: { at: number; text: string; href: string | null }[] = [];
  let done = 0;
  for (const match of text.matchAll(LINK)) {
    if (match.index > done)
      parts.push({ at: done, text: text.slice(done, match.index), href: null });
    parts.push({ at: match.index, text: match[0], href: match[0] });
    done = match.index + match[0].length;
  }
  if (done < text.length) parts.push({ at: done, text: text.slice(done), href: null });
  return parts;
}

/** A picture that the HTML names by its content id. */
export function isShownInside(
  { contentId, mimeType }: Pick<MailAttachment, 'contentId' | 'mimeType'>,
  html: string | null,
): boolean {
  if (contentId === null || contentId === '' || !mimeType.startsWith('image/')) return false;
  return [contentId, encodeURIComponent(contentId)].some((id) => html?.includes(`cid:${id}`));
}

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

function listOf(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((one) => (/<([^<>]*)>\s*$/.exec(one)?.[1] ?? one).trim())
    .filter((one) => one !== '');
}

/** What is wrong, by field, as the contract has it. */
export function faultsOf(body: ReturnType<typeof outgoing>): Partial<Record<string, string>> {
  const { error } = OutgoingMailSchema.safeParse(body);
  const faults = (error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]);
  return Object.fromEntries(faults.toReversed()) as Partial<Record<string, string>>;
}

/** A composed mail as the tab kept it; null when it cannot be read. */
export function readComposing(kept: unknown): Composing | null {
  return ComposingSchema.safeParse(kept).data ?? null;
}

/** How old what is shown is. */
export function ageInWords(readAt: string | null, now: Date): string {
  if (readAt === null) return '\u00A0';
  const minutes = Math.floor((now.getTime() - Date.parse(readAt)) / 60_000);
  if (minutes < 1) return 'Updated just now';
  return minutes < 60 ? `Updated ${minutes} min ago` : `Updated ${dateInWords(readAt)}`;
}
