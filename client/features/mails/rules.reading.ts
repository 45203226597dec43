import type { MailAttachment, MailDetail, ThreadMail } from '@matterdesk/contract/mails.ts';

export type Part = { kind: 'said' | 'quoted'; text: string };

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

type Proposal = { id: string; caseName: string; reason: string };

/** The case to file a mail to: where its thread is filed already, before the one that its words name. */
export function proposalFor(
  { id, filed, proposedCase }: Pick<MailDetail, 'id' | 'filed' | 'proposedCase'>,
  thread: readonly ThreadMail[],
): Proposal | null {
  const isFiledIn = (caseId: string) => filed.some((each) => each.case.id === caseId);
  const others = thread.filter((mail) => mail.id !== id).flatMap((mail) => mail.filed ?? []);
  const place = others.findLast((each) => !isFiledIn(each.case.id))?.case;
  if (place) return { ...place, reason: 'This thread is filed there' };
  return proposedCase && !isFiledIn(proposedCase.id) ? proposedCase : null;
}
