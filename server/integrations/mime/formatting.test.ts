import { expect, test } from 'vitest';
import { cleanFormatting } from './formatting.ts';

test('the formatting of a mail keeps what the toolbar can make', async () => {
  const written =
    '<div>Dear <b>Ms. <i>Reyes</i></b>, <u>today</u>:</div><div><br></div>' +
    '<ul><li>one</li><li>two<ol start="3"><li>three</li></ol></li></ul>' +
    '<div><a href="https://court.example/?a=1&amp;b=2">the docket</a></div>';
  expect(await cleanFormatting(written)).toBe(written);
  expect(await cleanFormatting('<p>One<p><strong>Two</strong> &ndash; <em>5 &#8364;</em>')).toBe(
    '<div>One</div><div><b>Two</b> – <i>5 €</i></div>',
  );
  expect(await cleanFormatting('<blockquote type="cite">Hi</blockquote>')).toMatch(
    /^<blockquote type="cite" style="[^"]+">Hi<\/blockquote>$/,
  );
});

test.each([
  ['a script', 'a<script>alert("<b>1</b>")</script>b', 'ab'],
  ['a script that never ends', 'a<script>alert(1)', 'a'],
  ['a style', '<style>body{display:none}</style>b', 'b'],
  ['a drawing with a script', 'a<svg><script>alert(1)</script></svg>b', 'ab'],
  ['an event attribute', '<div onclick="alert(1)" style="x">a</div>', '<div>a</div>'],
  ['an event in a quote', '<b title=">" onfocus=\'a\'>a</b>', '<b>a</b>'],
  ['an image', 'a<img src=x onerror=alert(1)>b', 'ab'],
  ['a form', '<form action="https://a.example"><input>a</form>', 'a'],
  ['a frame', '<iframe src="https://a.example">b</iframe>a', 'a'],
  ['a comment', 'a<!-- <script> -->b', 'ab'],
  ['a comment that never ends', 'a<!-- b', 'a'],
  ['a tag that never ends', 'a<b title="', 'a'],
  ['markup inside of text', '&lt;script&gt;a', '&lt;script&gt;a'],
  ['a broken name', 'a<b<script>c</script>', 'ac'],
  ['a sign that is no tag', '1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
  ['unbalanced ends', '</div>a</b><i>b', 'a<i>b</i>'],
  ['crossed ends', '<b>a<i>b</b>c</i>', '<b>a<i>b</i></b>c'],
  ['blanks alone', '<div> <br></div>', ''],
])('the formatting of a mail has no trace of %s', async (_, written, expected) => {
  expect(await cleanFormatting(written)).toBe(expected);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java&#10;script:alert(1)',
  '&#106;avascript:alert(1)',
  'data:text/html,a',
  'vbscript:a',
  'file:///etc/passwd',
  '//a.example',
  '/dashboard',
  'https://a.example/"onclick="a',
  `https://a.example/${'a'.repeat(3000)}`,
])('a mail links to no address such as %s', async (address) => {
  const quoted = address.includes('"') ? `'${address}'` : `"${address}"`;
  expect(await cleanFormatting(`<a href=${quoted}>a</a>`)).toBe('<a>a</a>');
});

test.each(['https://a.example/b?c=1#d', 'http://a.example', 'mailto:ada@firm.example'])(
  'a mail links to %s',
  async (address) => {
    expect(await cleanFormatting(`<a href="${address}">a</a>`)).toBe(`<a href="${address}">a</a>`);
  },
);

test('formatting that is nested without end stays flat, and its text is kept', async () => {
  const deep = await cleanFormatting(`${'<blockquote><div>'.repeat(20_000)}text`);
  expect(deep.match(/<(?:blockquote|div)/g)).toHaveLength(32);
  expect(deep.match(/<\/(?:blockquote|div)>/g)).toHaveLength(32);
  expect(deep).toContain('text');
  expect(await cleanFormatting(`${'<b>'.repeat(100)}a${'</b>'.repeat(100)}c`)).toBe(
    `${'<b>'.repeat(32)}a${'</b>'.repeat(32)}c`,
  );
});

test('a long text keeps its signs where it is cut into pieces', async () => {
  const text = 'a&amp;b &lt;c&gt; '.repeat(3000);
  expect(await cleanFormatting(text)).toBe(text);
});

test.each(['<', '<b', '<!--', '<b>', '<script>', '<a href="', '&', '<a href=\'x"', '</b><b '])(
  'formatting of a million signs of %s ends in time',
  async (unit) => {
    const begun = performance.now();
    await cleanFormatting(unit.repeat(1_000_000 / unit.length));
    expect(performance.now() - begun).toBeLessThan(10_000);
  },
);
