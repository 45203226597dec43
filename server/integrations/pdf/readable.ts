// Writes PDF files.

/** Whether a font has a glyph for a code point. */
export type HasGlyph = (codePoint: number) => boolean;

const LINE_FEED = 10;
/** Invisible joiners and selectors of emoji. */
const SILENT = /\u200B|\u200C|\u200D|\p{Variation_Selector}/u;

/** Names every character that the font lacks, as ‹U+1F600›, so that nothing is lost silently. */
export function readable(text: string, hasGlyph: HasGlyph): string {
  let shown = '';
  for (const sign of text.replaceAll(/\r\n?/g, '\n').replaceAll('\t', '    ')) {
    const code = sign.codePointAt(0) ?? 0;
    if (code === LINE_FEED) shown += sign;
    else if (SILENT.test(sign)) continue;
    else if (/\p{C}/u.test(sign) || !hasGlyph(code))
      shown += `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
    else shown += sign;
  }
  return shown;
}
