import type { MailboxAddress, MailAttachment, MailDetail } from '@matterdesk/contract/mails.ts';
import { fullMoment } from '../../core/words.ts';

/** The name, 'Piet Voss', or else the address. */
export function nameOf(address: MailboxAddress | null): string {
  return address?.name || address?.email || '(no address)';
}

const TITLES = /^(?:dr|mr|mrs|ms|mx|prof|hon|judge|rev|sir)\.?$/i;
const SUFFIXES =
  /^(?:esq|jr|sr|ii|iii|iv|inc|llc|llp|ltd|corp|p\.?c|ph\.?d|m\.?d|j\.?d|cpa|llm)\.?$/i;

/** First and last name, for initials: 'Jane Doe' for 'Dr. Jane M. Doe, Esq.', for 'Doe, Jane' and for jane.doe@firm.example. */
export function personOf(address: MailboxAddress | null): string {
  const { name = '', email = '' } = address ?? {};
  const isAddressed = name.trim() === '' || name.includes('@');
  const text = isAddressed
    ? (email.split('@')[0] ?? '').replaceAll(/[._+-]/g, ' ')
    : name.replaceAll(/\([^()]{0,100}\)|["“”]/g, ' ');
  const [last = [], ...first] = text
    .split(',')
    .map(wordsOf)
    .filter(({ length }) => length > 0);
  const words = [...first.flat(), ...last];
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.join(' ') || '?';
}

function wordsOf(text: string): string[] {
  const words = text.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''));
  return words.filter((word) => word !== '' && !TITLES.test(word) && !SUFFIXES.test(word));
}

/** 'Piet Voss <voss@example.com>' */
export function addressInWords({ name, email }: MailboxAddress): string {
  return name === '' || name === email ? email : `${name} <${email}>`;
}

export function subjectOf(subject: string): string {
  return subject.trim() === '' ? '(no subject)' : subject;
}

/** The age of the shown list. */
export function ageInWords(readAt: string | null, now: Date): string {
  if (readAt === null) return '\u00A0';
  const minutes = Math.floor((now.getTime() - Date.parse(readAt)) / 60_000);
  if (minutes < 1) return 'Updated just now';
  return minutes < 60 ? `Updated ${minutes} min ago` : `Updated ${fullMoment(readAt)}`;
}

type Part = { kind: 'said' | 'quoted'; text: string };

const QUOTE = /^\s?>/;
const INTRODUCTION = /^.{0,300}\b(?:wrote|schrieb|écrit|escribió|ha scritto)\s?:\s*$/;
const ORIGINAL =
  /^(?:-{3,}\s?(?:Original Message|Forwarded message|Ursprüngliche Nachricht)\s?-{3,}|_{20,})\s*$/i;

/** Splits a text into what its author wrote and what is quoted. */
export function splitQuotes(text: string): Part[] {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n');
  const parts: { kind: Part['kind']; lines: string[] }[] = [];
  let isOriginal = false;
  for (const [at, line] of lines.entries()) {
    // A forwarded mail is the message itself; only an original message after other text is quoted.
    isOriginal ||= ORIGINAL.test(line) && at > 0 && /Original|Urspr|_{20}/.test(line);
    const kind = isOriginal || isQuoted(lines, at) ? 'quoted' : 'said';
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else parts.push({ kind, lines: [line] });
  }
  return parts
    .map((part) => ({
      kind: part.kind,
      text: part.lines.join('\n').replace(/^\n+|(?<!\s)\s+$/g, ''),
    }))
    .filter((part) => part.text !== '');
}

/** A quoted line, a blank line between quoted lines, or the line that introduces a quote. */
function isQuoted(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (QUOTE.test(line)) return true;
  const next = lines.slice(at + 1).find((following) => following.trim() !== '');
  if (next === undefined || !QUOTE.test(next)) return false;
  if (line.trim() === '') return at > 0 && QUOTE.test(lines[at - 1] ?? '');
  return INTRODUCTION.test(line);
}

const LINK = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}']/gi;

/** Splits a text at its URLs. */
export function splitLinks(text: string): { at: number; text: string; href: string | null }[] {
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

/** Whether the HTML shows the attached image inline, by its content id. */
export function isShownInside(
  { contentId, mimeType }: Pick<MailAttachment, 'contentId' | 'mimeType'>,
  html: string | null,
): boolean {
  if (contentId === null || contentId === '' || !mimeType.startsWith('image/')) return false;
  return [contentId, encodeURIComponent(contentId)].some((id) => html?.includes(`cid:${id}`));
}

/** The proposed case, unless the mail is filed there already. */
export function proposalFor({
  filed,
  proposedCase,
}: Pick<MailDetail, 'filed' | 'proposedCase'>): MailDetail['proposedCase'] {
  const isFiled = filed.some((each) => each.case.id === proposedCase?.id);
  return isFiled ? null : proposedCase;
}
