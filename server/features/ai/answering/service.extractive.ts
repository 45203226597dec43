import type { Answer } from '@matterdesk/contract/ai.ts';
import type { Scoped } from '../../../db/schema.ts';
import { countShown } from '../retrieval/rules.ts';
import { readTexts, type Retrieved } from '../retrieval/service.results.ts';
import { quoteAnswer } from './rules.ts';
import { cite, findSentences, keepVerbatim } from './service.citations.ts';

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
