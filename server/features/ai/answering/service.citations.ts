import type { Citation } from '@matterdesk/contract/ai.ts';
import type { Executor } from '../../../db/schema.ts';
import { bestSentence, splitSentences, type Span } from './rules.sentences.ts';
import { isTrue } from '../retrieval/rules.pages.ts';
import type { Read } from '../retrieval/service.texts.ts';
import type { Passage, Retrieved } from '../retrieval/service.results.ts';
import * as store from '../retrieval/store.ts';
import { findTerms } from '../retrieval/store.passages.ts';

/** For each passage its most telling sentence, in units of the passage. */
export async function findSentences(
  db: Executor,
  passages: readonly Read[],
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

/** A citation of a passage; `sentence` is in units of the passage. */
export function cite(passage: Read, n: number, sentence: Span): Citation {
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

/** Reads the documents once more and keeps what stands there to the letter. */
export async function keepTrue(
  db: Executor,
  cited: readonly { citation: Citation; passage: Passage }[],
): Promise<Citation[]> {
  const pages = await store.readPages(
    db,
    cited.map(({ passage }) => passage),
  );
  return cited
    .filter(({ citation, passage }) => isTrue(pages, passage.documentId, citation))
    .map(({ citation }) => citation);
}
