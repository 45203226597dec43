// Texts of other systems as plain text.

import { compile } from 'html-to-text';

/** Characters that are read; a note here has far fewer. */
const MAX_TEXT_LENGTH = 400_000;
const TAG =
  /<\/?(?:p|br|div|span|b|i|u|a|em|strong|ul|ol|li|table|t[rdh]|h[1-6]|font|html|body|blockquote|pre)(?:\s[^<>]*)?\/?>/i;
const ENTITY =
  /&(?:nbsp|amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6}|[rl][sd]quo|[nm]dash|hellip|bull);/i;

/** Text without tags, whether or not it was HTML. */
export function plainText(htmlOrText: string): string {
  const text = htmlOrText.slice(0, MAX_TEXT_LENGTH).replaceAll(/\r\n?/g, '\n');
  if (TAG.test(text)) return trimmed(fromHtml(text));
  return trimmed(ENTITY.test(text) ? fromHtml(text.replaceAll('\n', '<br>')) : text);
}

/** Prepared once, since that takes longer than most texts do. */
const fromHtml = compile({
  wordwrap: false,
  limits: { maxDepth: 100, maxChildNodes: 20_000, maxInputLength: MAX_TEXT_LENGTH * 5 },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    { selector: 'script', format: 'skip' },
    { selector: 'style', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
    { selector: 'table', format: 'dataTable', options: { uppercaseHeaderCells: false } },
  ],
});

function trimmed(text: string): string {
  return text
    .replaceAll('\u00A0', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
