import type { MailAttachment } from '@matterdesk/contract/mails.ts';

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
