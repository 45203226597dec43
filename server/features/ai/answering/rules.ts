import type { Citation } from '@matterdesk/contract/ai.ts';
import type { Span } from './rules.sentences.ts';
import type { Confidence } from '../retrieval/rules.confidence.ts';

export type Spelled = { quote: string; start: number; sentence: Span };

type Findings = {
  citations: readonly Citation[];
  confidence: Confidence;
  /** Words of the question that stand nowhere in what was asked. */
  absent: readonly string[];
  /** 'file', 'folder' or 'case'. */
  where: string;
};

/** An answer made of the document's own sentences, each with the number of its passage once. */
export function quoteAnswer({ citations, confidence, absent, where }: Findings): string {
  if (confidence === 'none') return reportNothingFound({ citations, absent, where });
  const lines = citations.map((citation) => `“${oneLine(sentenceOf(citation))}” [${citation.n}]`);
  const body = lines.join('\n\n');
  return confidence === 'answer' ? body : `Possibly relevant. Check the source:\n\n${body}`;
}

type Nothing = Pick<Findings, 'citations' | 'absent' | 'where'>;

/** The honest sentence; the nearest passages stand behind their numbers. */
export function reportNothingFound({ citations, absent, where }: Nothing): string {
  const [place, it] = where === 'file' ? ['this file', 'it'] : ['the trained files', 'them'];
  const parts = [`I couldn’t find this in ${place}.`];
  const named = absent.slice(0, 8).map((word) => `“${word}”`);
  if (named.length === 1) parts.push(`${named[0]} doesn’t appear in ${it}.`);
  else if (named.length > 1)
    parts.push(`${named.slice(0, -1).join(', ')} and ${named.at(-1)} don’t appear in ${it}.`);
  const numbers = citations.map((citation) => `[${citation.n}]`).join(' ');
  if (numbers) parts.push(`Closest passages: ${numbers}`);
  return parts.join(' ');
}

/** The most telling part of a citation, verbatim. */
function sentenceOf({ quote, start, sentence }: Spelled): string {
  return quote.slice(sentence.start - start, sentence.end - start);
}

function oneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim();
}
