import type { Answer, Citation } from '@matterdesk/contract/ai.ts';
import type { Scoped } from '../../../db/schema.ts';
import { countShown } from '../retrieval/rules.ts';
import {
  isVerbatim,
  type Passage,
  readTexts,
  type Retrieved,
  type TextPassage,
} from '../retrieval/service.results.ts';
import { findTerms } from '../retrieval/store.passages.ts';
import * as store from '../retrieval/store.ts';
import { bestSentence, type Span, splitSentences } from './rules.sentences.ts';
import { quoteAnswer } from './rules.ts';

/** The best sentence of each passage, in UTF-16 units of the passage. */
export async function findSentences(
  db: Scoped,
  passages: readonly TextPassage[],
  { terms, worth }: Pick<Retrieved, 'terms' | 'worth'>,
): Promise<Span[]> {
  const split = passages.map(({ text }) => splitSentences(text));
  const texts = passages.flatMap(({ text }, at) =>
    (split[at] ?? []).map(({ start, end }) => text.slice(start, end)),
  );
  const held = await findTerms(db, texts, terms);
  let from = 0;
  return passages.map(({ text }, at) => {
    const sentences = split[at] ?? [];
    const found = held.slice(from, (from += sentences.length));
    const weighed = found.map((lexemes) =>
      lexemes.map((lexeme) => ({ weight: worth.get(lexeme) ?? 0 })),
    );
    return bestSentence(sentences, weighed) ?? { start: 0, end: text.length };
  });
}

/** @param sentence in UTF-16 units of the passage */
export function cite(passage: TextPassage, n: number, sentence: Span): Citation {
  const { source, page, location, start, end, text } = passage;
  return {
    n,
    folder: source.folder,
    file_name: source.name,
    page,
    location,
    start,
    end,
    quote: text,
    sentence: {
      start: start + sentence.start,
      end: start + sentence.end,
    },
  };
}

/** Rereads the documents and keeps the citations that match them verbatim. */
export async function keepVerbatim(
  db: Scoped,
  cited: readonly { citation: Citation; passage: Passage }[],
): Promise<Citation[]> {
  const pages = await store.readPages(
    db,
    cited.map(({ passage }) => passage),
  );
  return cited
    .filter(({ citation, passage }) => isVerbatim(pages, passage.documentId, citation))
    .map(({ citation }) => citation);
}

export async function answerExtractively(
  db: Scoped,
  retrieved: Retrieved,
  where: string,
): Promise<Answer> {
  const { confidence } = retrieved;
  const matching = retrieved.passages.filter((passage) => passage.score > 0 || passage.isFavored);
  const scores = matching.map((passage) => passage.score);
  const read = await readTexts(db, matching.slice(0, countShown(scores, confidence)));
  const sentences = await findSentences(db, read, retrieved);
  const cited = read.map((passage, at) => ({
    passage,
    citation: cite(passage, at + 1, sentences[at] ?? { start: 0, end: passage.text.length }),
  }));
  const citations = await keepVerbatim(db, cited);
  const finalConfidence = citations.length === 0 ? 'none' : confidence;
  const { absent } = retrieved;
  return {
    answer: quoteAnswer({ citations, confidence: finalConfidence, absent, where }),
    citations,
    found: finalConfidence !== 'none',
    confidence: finalConfidence,
    mode: 'extractive',
    notice: null,
    unsupported: [],
  };
}
