import type { Answer, Citation } from '@matterdesk/contract/ai.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { Term } from '../retrieval/rules.terms.ts';
import { countShown } from '../retrieval/rules.ts';
import { weights } from '../retrieval/rules.weights.ts';
import {
  isVerbatim,
  type Passage,
  readTexts,
  type Retrieved,
  type TextPassage,
} from '../retrieval/service.ts';
import { findTerms } from '../retrieval/store.passages.ts';
import * as store from '../retrieval/store.ts';
import { bestSentence, type Span, splitSentences, quoteAnswer, sentenceOf } from './rules.ts';

/** The best sentence of each passage, in UTF-16 units of the passage. */
export async function findSentences(
  db: Scoped,
  passages: readonly TextPassage[],
  { terms, worth, form }: Pick<Retrieved, 'terms' | 'worth' | 'form'>,
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
    // A sentence with the form of an answer counts as if it held another of the best words.
    const best = Math.max(0, ...weighed.flat().map(({ weight }) => weight));
    const bonus = { weight: weights.answerForm * best };
    for (const [which, words] of weighed.entries()) {
      const { start, end } = sentences[which] ?? { start: 0, end: 0 };
      if (words.length > 0 && form?.test(text.slice(start, end))) words.push(bonus);
    }
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
    version: source.version,
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

type PageQuotation = { page: number; quotation: string };

/**
 * Finds a quotation again where a citation was: it begins on that page of the file, and may go on to those after it.
 * @param at the newest version without a number
 * @returns the file, and whether each part is there; undefined for an unknown file or version
 */
export async function findQuotation(
  db: Scoped,
  at: Required<store.Scope> & { version: number | undefined },
  { page, quotation }: PageQuotation,
) {
  const found = await store.findQuotedPage(db, at, page);
  if (!found) return undefined;
  const { fileId, version, documentId, start, text } = found;
  const file = { fileId, version, isTrained: documentId !== null, hasPage: text !== null };
  if (documentId === null || start === null || text === null) return { ...file, isQuoted: false };
  const end = start + text.length + quotation.length;
  const pages = await store.readPages(db, [{ documentId, page, start, end }]);
  // The contract composes what a client sends.
  const whole = normalized(pages.map((each) => each.text).join(''));
  const place = whole.indexOf(quotation);
  return { ...file, isQuoted: place !== -1 && place < normalized(text).length };
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
  const mayAnswer = finalConfidence === 'none' && (await isNear(db, citations[0], retrieved));
  return {
    answer: quoteAnswer({ citations, confidence: finalConfidence, absent, where, mayAnswer }),
    citations,
    found: finalConfidence !== 'none',
    confidence: finalConfidence,
    mode: 'extractive',
    notice: null,
    unsupported: [],
    ...(mayAnswer && { mayAnswer }),
  };
}

/** Whether a quoted sentence has enough words of the question, or one of them and the form of an answer. */
async function isNear(
  db: Scoped,
  citation: Citation | undefined,
  { terms, worth, form }: Retrieved,
): Promise<boolean> {
  if (!citation) return false;
  const text = sentenceOf(citation);
  const [held = []] = await findTerms(db, [text], terms);
  const asked = terms.filter((term) => term.asked.length > 0);
  const sum = (some: readonly Term[]) =>
    some.reduce((total, { lexeme }) => total + (worth.get(lexeme) ?? 0), 0);
  const share = sum(asked.filter(({ lexeme }) => held.includes(lexeme))) / (sum(asked) || 1);
  return share >= weights.nearAnswer || (held.length > 0 && form?.test(text) === true);
}
