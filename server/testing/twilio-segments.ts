const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '^{}\\[~]|€\f';

/** Segments of a text: GSM-7 if its characters allow it, else UTF-16. */
export function countSegments(text: string): number {
  const isPlain = [...text].every((sign) => BASIC.includes(sign) || EXTENDED.includes(sign));
  const [single, each] = isPlain ? [160, 153] : [70, 67];
  const units = isPlain
    ? [...text].reduce((sum, sign) => sum + (EXTENDED.includes(sign) ? 2 : 1), 0)
    : text.length;
  return units <= single ? 1 : Math.ceil(units / each);
}
