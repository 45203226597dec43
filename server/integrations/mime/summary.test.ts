import { expect, test } from 'vitest';
import { plainSnippet } from './summary.ts';

test('a summary decodes entities once', () => {
  expect(plainSnippet('Jane&#39;s &amp; Roe&#x2019;s &lt;b&gt; &quot;offer&quot;')).toBe(
    'Jane\'s & Roe’s <b> "offer"',
  );
  expect(plainSnippet('&amp;lt; stays')).toBe('&lt; stays');
  expect(plainSnippet('&unknown; &#0; &#1114112; &')).toBe('&unknown; &#0; &#1114112; &');
});

test('a summary drops invisible characters', () => {
  expect(plainSnippet('Hello \u200c\u00a0\u034f \u200b\n  there\ufeff')).toBe('Hello there');
});
