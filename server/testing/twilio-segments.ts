const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '^{}\\[~]|€\f';

/** How many pieces a text travels in: GSM-7 when its letters allow it, else UTF-16. */
export function countSegments(text: string): number {
  const isPlain = [...text].every((sign) => BASIC.includes(sign) || EXTENDED.includes(sign));
  const [single, each] = isPlain ? [160, 153] : [70, 67];
  const units = isPlain
    ? [...text].reduce((sum, sign) => sum + (EXTENDED.includes(sign) ? 2 : 1), 0)
    : text.length;
  return units <= single ? 1 : Math.ceil(units / each);
}
