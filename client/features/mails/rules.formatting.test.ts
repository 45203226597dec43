import { LinkNode } from '@lexical/link';
import { ListItemNode, ListNode } from '@lexical/list';
import { QuoteNode } from '@lexical/rich-text';
import { createEditor } from 'lexical';
import { expect, test } from 'vitest';
import { $readLines, $showLines } from './rules.editor.ts';
import {
  hasUnsupportedFormatting,
  linesOf,
  replaceSignature,
  textOf,
  type Line,
} from './rules.formatting.ts';

/** The lines after the editor has shown them. */
function edited(lines: readonly Line[]): Line[] {
  const editor = createEditor({ nodes: [QuoteNode, ListNode, ListItemNode, LinkNode] });
  editor.update(() => $showLines(lines), { discrete: true });
  return editor.read($readLines);
}

const again = (written: { text: string; html?: string }) => textOf(edited(linesOf(written)));
const ofHtml = (html: string) => again({ text: '', html });

test.each([
  '',
  'One line',
  'Dear Ms. Reyes,\n\n  today\n\nAda',
  '- a\n1. b',
  'a\n\n> b\n>> c\n> \n',
])('a plain text stays as it is: %j', (text) => {
  expect(again({ text })).toEqual({ text, html: undefined });
});

test('a formatted text is readable as text, and the same after it was read as HTML', () => {
  const html =
    '<div>Dear <b>Ms. </b><b><i>Reyes</i></b>,</div><div><br></div>' +
    '<ul><li>one &amp; two</li><li>three<ol start="3"><li><u>four</u></li><li>five</li></ol></li></ul>' +
    '<div>See <a href="https://court.example/?a=1&amp;b=2">the <b>docket</b></a> and ' +
    '<a href="https://firm.example">https://firm.example</a></div>' +
    '<div>&nbsp;a &nbsp;b</div><div>On Monday, Jane wrote:</div>' +
    '<blockquote type="cite"><div>Shall we?</div><blockquote><div>We shall</div></blockquote></blockquote>';
  const text = [
    'Dear Ms. Reyes,',
    '',
    '- one & two',
    '- three',
    '  3. four',
    '  4. five',
    'See the docket (https://court.example/?a=1&b=2) and https://firm.example',
    ' a  b',
    'On Monday, Jane wrote:',
    '> Shall we?',
    '>> We shall',
  ].join('\n');
  expect(ofHtml(html)).toEqual({ text, html });
});

test('HTML of other programs keeps the formats that a mail can have', () => {
  const read = ofHtml(
    '<html><head><style>b{}</style></head><body>\n <p class="x">One\n two</p>\n <p><span>Three</span> <s>four</s></p>' +
      '<h1>Five</h1><table><tr><td>six</td></tr></table><script>alert(1)</script>' +
      '<a href="javascript:alert(1)">seven</a><br>eight<br><br>nine<img src="x">' +
      '<ul><li><p>ten</p><p>eleven</p></li></ul></body></html>',
  );
  expect(read.text).toBe('One two\n\nThree four\nFive\nsix\nseven\neight\n\nnine\n- ten\n  eleven');
  expect(read.html).not.toMatch(/style|script|class|img|span/);
});

test('the styles of word processors are read as formats', () => {
  const docs =
    '<b style="font-weight:normal" id="docs"><p style="margin:0"><span style="font-weight:700">One</span>' +
    '<span style="font-style:italic;text-decoration:underline"> two</span> style="x" ' +
    '<a href="https://a.example" style="text-decoration:underline">three</a></p></b>';
  expect(ofHtml(docs).html).toBe(
    '<div><b>One</b><i><u> two</u></i> style=&quot;x&quot; <a href="https://a.example">three</a></div>',
  );
});

test('formatting that is not kept is noticed', () => {
  expect(hasUnsupportedFormatting('<div dir="ltr">a<br><b>b</b><ul><li>c</li></ul></div>')).toBe(
    false,
  );
  expect(hasUnsupportedFormatting('<div>a<font color="red">b</font></div>')).toBe(true);
  expect(hasUnsupportedFormatting('<img src="cid:a">')).toBe(true);
});

test('quotes that are nested without end stay flat', () => {
  const { html } = again({ text: `${'>'.repeat(3000)} a\n` });
  expect(html).toBeUndefined();
  const bold: Line = { kind: 'plain', depth: 0, value: 1, runs: [{ text: 'b', format: 1 }] };
  const deep = textOf([bold, ...linesOf({ text: `${'>'.repeat(3000)} a` })]).html ?? '';
  expect(deep.match(/<blockquote/g)).toHaveLength(8);
});

test('a changed signature replaces the earlier one, and stays above the quoted text', () => {
  const change = (text: string, before: string, after: string) =>
    textOf(replaceSignature(linesOf({ text }), { before, after }));
  const written = 'Hello\n\nAda\n\n> Hi';
  expect(change(written, 'Ada', '$& Owusu')).toEqual({ text: 'Hello\n\n$& Owusu\n\n> Hi' });
  expect(change(written, '', 'Owusu').text).toBe('Hello\n\nAda\n\n> Hi\n\nOwusu');
  expect(change('', '', 'Ada').text).toBe('\n\nAda');
  expect(change('\n\nOn Monday, Jane wrote:\n> Hi', '', 'Ada').text).toBe(
    '\n\nAda\n\nOn Monday, Jane wrote:\n> Hi',
  );
});

test('a changed signature takes the place of the one before in a formatted mail', () => {
  const html = '<div><b>Hello</b></div><div>Ada</div><div>Owusu Law</div><div>&gt; Hi</div>';
  const change = (before: string, after: string) =>
    textOf(replaceSignature(linesOf({ text: '', html }), { before, after }));
  expect(change('Ada\nOwusu Law', 'Ben').text).toBe('Hello\nBen\n> Hi');
  expect(change('Ada\nOwusu Law', 'Ben').html).toContain('<b>Hello</b></div><div>Ben</div>');
  expect(change('Ada\nOther', 'Ben').text).toBe('Hello\nAda\nOwusu Law\n> Hi\n\nBen');
  expect(change('', 'Ben').text).toBe('Hello\nAda\nOwusu Law\n> Hi\n\nBen');
  expect(change('Ada\nOwusu Law', '').text).toBe('Hello\n> Hi');
});
