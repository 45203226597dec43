const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};
const LARGEST_CODE_POINT = 0x10ffff;

/** Filler characters with which advertisers hide a mail's text. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Plain text of Gmail's HTML-escaped snippet. */
export function plainSnippet(escaped: string): string {
  return escaped
    .replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, decodeEntity)
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function decodeEntity(whole: string, inside: string): string {
  const named = NAMED[inside.toLowerCase()];
  if (named !== undefined || !inside.startsWith('#')) return named ?? whole;
  const isHex = /^#x/i.test(inside);
  const code = isHex ? Number.parseInt(inside.slice(2), 16) : Number(inside.slice(1));
  return code > 0 && code <= LARGEST_CODE_POINT ? String.fromCodePoint(code) : whole;
}
