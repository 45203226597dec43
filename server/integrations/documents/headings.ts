const LONGEST = 110;
const DIVISION =
  /^(article|part|chapter|title|exhibit|schedule|annex|appendix|attachment|section)\s+(\d+(?:\.\d+)*|[ivxlc]+|[a-z])\b/i;
const NUMBERED = /^§?\s*(\d{1,3}(?:\.\d{1,3}){0,4})[.)]?\s+(\S.*)$/;
const SMALL_WORDS = new Set(
  'a an and as at but by for from in into of on or the to with without under upon per via'.split(
    ' ',
  ),
);

export type Heading = {
  /** 1 is the highest. */
  level: number;
  text: string;
};

/** Recognizes a heading by its words alone. */
export function headingOf(line: string): Heading | undefined {
  const text = line.replaceAll(/\s+/g, ' ').trim();
  if (text.length < 3 || text.length > LONGEST || !/\p{L}{2}/u.test(text)) return undefined;
  if (DIVISION.test(text)) return divisionOf(text);
  const [, number, title] = NUMBERED.exec(text) ?? [];
  if (number && title)
    return isTitle(title) || isShortLabel(title)
      ? { level: 2 + depthOf(number), text: bare(text) }
      : undefined;
  return isCapitals(text) && !/[,;]$/.test(text) ? { level: 2, text: bare(text) } : undefined;
}

function divisionOf(text: string): Heading | undefined {
  const isSection = /^section/i.test(text);
  // 'Section 5 of the Act provides that…' is a sentence.
  const rest = text.replace(DIVISION, '').replace(/^[\s.:–—-]+/, '');
  if (rest !== '' && !isTitle(rest)) return undefined;
  return { level: isSection ? 3 : 1, text: bare(text) };
}

/**
 * The run-in heading of a paragraph: '5.1 Governing Law. This Agreement…'.
 * @returns undefined for plain sentences
 */
export function runInHeading(paragraph: string): Heading | undefined {
  const head = paragraph.slice(0, 160).replaceAll(/\s+/g, ' ');
  const [, label, title] =
    /^((?:section\s+)?\d{1,3}(?:\.\d{1,3}){0,4}[.)]?|\([a-z0-9]{1,3}\))\s+([^.:;]{3,80})[.:]\s+\S/i.exec(
      head,
    ) ?? [];
  if (!label || !title || !isTitle(title)) return undefined;
  const number = label.replaceAll(/[^\d.]/g, '');
  return { level: number === '' ? 6 : 2 + depthOf(number), text: `${label} ${title}` };
}

function depthOf(number: string) {
  return number.split('.').filter(Boolean).length - 1;
}

/** Most longer words are capitalized, and it does not end mid-sentence. */
function isTitle(text: string): boolean {
  const title = text.replace(/[.:]$/, '');
  if (/[;,]$/.test(title) || /[.!?]\s/.test(title)) return false;
  const words = title.split(/[\s/–—-]+/).filter((word) => /\p{L}/u.test(word));
  const weighty = words.filter((word) => !SMALL_WORDS.has(word.toLowerCase()));
  if (weighty.length === 0 || words.length > 14) return false;
  const capital = weighty.filter((word) => /^[^\p{L}]*\p{Lu}/u.test(word));
  return capital.length >= weighty.length * 0.7;
}

/** 'Security deposit': a few words after a number, without sentence punctuation. */
function isShortLabel(text: string): boolean {
  return text.length <= 60 && /^\p{Lu}/u.test(text) && !/[.,;:?!]$|[.;]\s/.test(text);
}

function isCapitals(text: string): boolean {
  const letters = text.replaceAll(/[^\p{L}]/gu, '');
  return (
    letters.length >= 4 && letters === letters.toUpperCase() && letters !== letters.toLowerCase()
  );
}

function bare(text: string): string {
  return text.replace(/[.:]$/, '');
}
