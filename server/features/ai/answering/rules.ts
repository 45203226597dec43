import type { Citation } from '@matterdesk/contract/ai.ts';
import type { Confidence } from '../retrieval/rules.ts';

type Findings = {
  citations: readonly Citation[];
  confidence: Confidence;
  /** Words of the question that appear nowhere in the searched files. */
  absent: readonly string[];
  /** 'file', 'folder' or 'case'. */
  where: string;
};

/** Composes an answer from the documents' own sentences, each followed by the number of its passage. */
export function quoteAnswer({ citations, confidence, absent, where }: Findings): string {
  if (confidence === 'none') return reportNothingFound({ citations, absent, where });
  const lines = citations.map((citation) => `“${oneLine(sentenceOf(citation))}” [${citation.n}]`);
  const body = lines.join('\n\n');
  return confidence === 'answer' ? body : `Possibly relevant. Check the source:\n\n${body}`;
}

type NotFound = Pick<Findings, 'citations' | 'absent' | 'where'>;

/** Composes the answer for a question that the files do not answer, with the numbers of the closest passages. */
export function reportNothingFound({ citations, absent, where }: NotFound): string {
  const [place, it] = where === 'file' ? ['this file', 'it'] : ['the trained files', 'them'];
  const parts = [`I couldn’t find this in ${place}.`];
  const quoted = absent.slice(0, 8).map((word) => `“${word}”`);
  if (quoted.length === 1) parts.push(`${quoted[0]} doesn’t appear in ${it}.`);
  else if (quoted.length > 1)
    parts.push(`${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)} don’t appear in ${it}.`);
  const numbers = citations.map((citation) => `[${citation.n}]`).join(' ');
  if (numbers) parts.push(`Closest passages: ${numbers}`);
  return parts.join(' ');
}

function sentenceOf({ quote, start, sentence }: Citation): string {
  return quote.slice(sentence.start - start, sentence.end - start);
}

function oneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim();
}
