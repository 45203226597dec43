// Pages of a pack: plain HTML that any browser opens and prints, without scripts, fonts or addresses elsewhere.

import { spaced } from '@matterdesk/contract/audit-acts.ts';
import type { StreamItem } from '@matterdesk/contract/stream.ts';
import { fullName } from '../../core/actor.ts';
import { minuteOrDayAt } from '../../core/dates.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
td, th { border-bottom: 1px solid #8884; padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
td, dd, p, blockquote { overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem; }
dt, small, .when { color: #595959; color: light-dark(#595959, #b3b3b3); }
dd { margin: 0; white-space: pre-line; }
article { border-top: 1px solid #8884; padding: .75rem 0; break-inside: avoid; }
article p { margin: .25rem 0 0; white-space: pre-line; }
blockquote { border-left: 3px solid #8888; margin: .5rem 0; padding-left: 1rem; }
nav ul { padding-left: 1.25rem; }
@media print { body { margin: 0; max-width: none; } a { color: inherit; } }`;

const CODES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Signs that turn the direction of what follows. */
const DIRECTION_MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

export function escapeHtml(text: string): string {
  return text.replaceAll(DIRECTION_MARKS, '').replaceAll(/[&<>"']/g, (sign) => CODES[sign] ?? sign);
}

/** The beginning of a page; what follows is HTML. */
export function headOf(title: string): string {
  const name = escapeHtml(title);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${name}</h1>
`;
}

export const FOOT = '</body>\n</html>\n';

/** An address below the page's own folder. */
export function linkTo(path: string, words: string): string {
  const address = path.split('/').map(encodeURIComponent).join('/');
  return `<a href="${escapeHtml(address)}">${escapeHtml(words)}</a>`;
}

/** Names with their values, without those that are empty. */
export function factsPage(facts: readonly (readonly [string, string | null])[]): string {
  const lines = facts.flatMap(([name, value]) =>
    value ? [`<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`] : [],
  );
  return `<dl>${lines.join('\n')}</dl>\n`;
}

/** @param rows cells are HTML already */
export function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.map((name) => `<th>${escapeHtml(name)}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table>\n`;
}

export function listOf(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>\n`;
}

export function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>\n`;
}

/** @param body is HTML already */
export function article(when: string, body: string, text: string): string {
  return `<article><div class="when">${escapeHtml(when)}</div>${body}\n${text === '' ? '' : paragraph(text)}</article>\n`;
}

type PageOptions = { timeZone: string; changes: readonly string[] };

/** An item of the stream with all that it says. @param changes its lines */
export function itemOf(item: StreamItem, { timeZone, changes }: PageOptions): string {
  const { at, actor, title, excerpt, entry, text, link } = item;
  const who = actor ? fullName(actor) : 'Matterdesk';
  const said = entry ? entry.text : (text?.body ?? excerpt);
  const answer = entry?.answer ? answerOf(entry.answer) : '';
  const name = link === null ? '' : (link.split('/').at(-1) ?? '');
  const words = [said, ...changes].filter((line) => line !== '').join('\n');
  const head = `<strong>${escapeHtml(actIn(item) + (title || decodeName(name)))}</strong>${answer}`;
  return article(`${minuteOrDayAt(at, timeZone)} · ${who}`, head, words);
}

/** 'Created: ' before a thing; entries, messages and what was moved to another matter say it in their titles. */
function actIn({ source, kind, entry, link }: StreamItem): string {
  const isSaid = entry || ['mail', 'text'].includes(source) || (kind === 'moved' && link === null);
  // Nothing is done with a matter itself but its export.
  const verb = source === 'change' && kind === 'done' ? 'exported' : kind;
  return isSaid ? '' : `${spaced(verb)}: `;
}

type Answer = NonNullable<NonNullable<StreamItem['entry']>['answer']>;

/** A question with the quotation that answers it, and its source. */
export function answerOf({ question, quotation, url, page }: Answer): string {
  const source = url === null ? 'A file that is no longer in this matter' : nameIn(url);
  return `<p>${escapeHtml(question)}</p><blockquote>${escapeHtml(quotation)}<br><small>${escapeHtml(source)}, page ${page}</small></blockquote>`;
}

function nameIn(url: string): string {
  return decodeName((url.split('?')[0] ?? '').split('/').at(-1) ?? '');
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
