import { expect, test } from 'vitest';
import { plainText } from './texts.ts';

test.each([
  ['<p>She said &quot;yes&quot;.</p><p>Second&nbsp;line</p>', 'She said "yes".\n\nSecond line'],
  ['one<br/>two<BR>three', 'one\ntwo\nthree'],
  ['<ul><li>a</li><li>b</li></ul>', ' * a\n * b'.trim()],
  ['<script>alert(1)</script><style>p{}</style><b>x</b>', 'x'],
  ['a\r\nb\rc', 'a\nb\nc'],
  ['1 < 2 and 3 > 2 & so on', '1 < 2 and 3 > 2 & so on'],
  ['mail <jane@doe.example> later', 'mail <jane@doe.example> later'],
  ['Smith &amp; Sons\nnext', 'Smith & Sons\nnext'],
  ['  \n\n\n\nx  \n\n\n\ny', 'x\n\ny'],
])('%j is read as %j', (text, expected) => {
  expect(plainText(text)).toBe(expected);
});

test('deep and long HTML is cut, and does not hold up the server', () => {
  expect(plainText('<div>'.repeat(200_000)).length).toBeLessThan(1000);
  expect(plainText(`<p>${'<'.repeat(500_000)}`).length).toBeLessThanOrEqual(400_000);
  expect(plainText(`<p>x</p>${' '.repeat(500_000)}y`)).toBe('x');
});
