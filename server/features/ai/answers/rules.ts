import type { Answer, Citation } from '@matterdesk/contract/ai.ts';
import type { Confidence } from '../retrieval/rules.ts';

type Findings = {
  citations: readonly Citation[];
  confidence: Confidence;
  /** Words of the question that appear nowhere in the searched files. */
  absent: readonly string[];
  /** 'file', 'folder' or 'case'. */
  where: string;
  /** Without an answer: the first passage may be it. */
  mayAnswer?: boolean;
};

/** Composes an answer from the documents' own sentences, each followed by the number of its passage. */
export function quoteAnswer({ confidence, ...findings }: Findings): string {
  const { citations } = findings;
  if (confidence === 'none') return reportNothingFound(findings);
  const lines = citations.map((citation) => `“${oneLine(sentenceOf(citation))}” [${citation.n}]`);
  const body = lines.join('\n\n');
  return confidence === 'answer' ? body : `Possibly relevant. Check the source:\n\n${body}`;
}

type NotFound = Omit<Findings, 'confidence'>;

/** Composes the answer for a question that the files do not answer, with the numbers of the closest passages. */
export function reportNothingFound({ citations, absent, where, mayAnswer }: NotFound): string {
  const [place, it] = where === 'file' ? ['this file', 'it'] : ['the trained files', 'them'];
  const parts = [
    mayAnswer
      ? `Not certain that this answers it: check the source.`
      : `I couldn’t find this in ${place}.`,
  ];
  const quoted = absent.slice(0, 8).map((word) => `“${word}”`);
  if (quoted.length === 1) parts.push(`${quoted[0]} doesn’t appear in ${it}.`);
  else if (quoted.length > 1)
    parts.push(`${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)} don’t appear in ${it}.`);
  const numbers = citations.map((citation) => `[${citation.n}]`).join(' ');
  if (numbers) parts.push(`Closest passages: ${numbers}`);
  return parts.join(' ');
}

const WHOLE = String.raw`(?:this|that|the|it|everything|all)`;
const SUMMARY = new RegExp(
  [
    String.raw`^(?:please )?(?:(?:can|could|would|will) you )?(?:please )?(?:summari[sz]e|give (?:me )?(?:a|an|the) (?:\w{1,20} )?(?:summary|overview)|write (?:me )?(?:a|the) (?:\w{1,20} )?summary)\b`,
    String.raw`^(?:a |the )?(?:short |brief )?(?:summary|overview|tl;?dr)(?: (?:of|please)\b|[.?!]*$)`,
    String.raw`^what (?:is|are) ${WHOLE}(?: (?:document|file|case|contract|letter|e-?mail|agreement|text)s?)? about\b`,
  ].join('|'),
  'i',
);

/** Whether a question asks for the whole of a document in other words, which no quotation answers. */
export function asksForSummary(question: string): boolean {
  return SUMMARY.test(question.trim());
}

/** @param isAdmin who reads which settings are missing */
export function withoutSummary(isAdmin: boolean): Answer {
  const advice = isAdmin
    ? 'Set OPENAI_BASE_URL and CHAT_MODEL.'
    : 'Your administrator can set one up.';
  return {
    answer: `A summary needs a language model, and none is set up. ${advice} Without one, ask for something that the document says: the answer quotes it.`,
    citations: [],
    found: false,
    confidence: 'none',
    mode: 'extractive',
    notice: null,
    unsupported: [],
  };
}

export function sentenceOf({ quote, start, sentence }: Citation): string {
  return quote.slice(sentence.start - start, sentence.end - start);
}

function oneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim();
}
