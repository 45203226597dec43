import { Refusal } from '../../../core/refusal.ts';
import type { Scoped } from '../../../db/schema.ts';
import { type Card, namesOnCards, withRivals } from './rules.cards.ts';
import { type Lexemes, type Term, toTerms, wordsOf } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import { contentWords, type Word } from './rules.words.ts';
import { rankWithFeedback } from './service.relevance-feedback.ts';
import { type Retrieved, type Search, toRetrieved, withSources } from './service.results.ts';
import { rankCards } from './store.cards.ts';
import { readPassagesAt } from './store.embeddings.ts';
import { type RankOptions, rankPassages, readLexemes } from './store.passages.ts';
import { rankRare } from './store.rare.ts';
import { findSpellings } from './store.spelling.ts';
import * as store from './store.ts';
import type { Source } from './store.ts';

/** Milliseconds that one statement of a retrieval may take. */
const STATEMENT_LIMIT = 8000;

/**
 * The best passages for a question: in the given file, or in the files of the case that the question is about.
 * @throws Refusal unavailable when it takes too long
 */
export async function retrieve(db: Scoped, search: Search): Promise<Retrieved> {
  try {
    return await store.withTimeLimit(db, STATEMENT_LIMIT, (trx) => find(trx, search));
  } catch (error) {
    if (!store.isTimeout(error)) throw error;
    const message = 'This search took too long. Ask about a folder or a file.';
    throw new Refusal('unavailable', message, { cause: error });
  }
}

async function find(trx: Scoped, search: Search): Promise<Retrieved> {
  const found = await rankLexically(trx, search);
  const hasAskedWord = found.terms.some(({ asked }) =>
    asked.some((word) => !found.absent.includes(word)),
  );
  if (hasAskedWord) return found;
  const misspelled = await findMisspelled(trx, search, found);
  const hasMatch = found.passages.some((passage) => passage.score > 0 || passage.isFavored);
  return misspelled ?? (hasMatch ? found : showBeginnings(trx, search, found));
}

/** Fallback to near spellings; never reported as a confident answer. */
async function findMisspelled(
  trx: Scoped,
  { scope, reading, limit }: Search,
  { terms, absent }: Retrieved,
): Promise<Retrieved | undefined> {
  const sources = (await store.listSources(trx, scope)).slice(0, weights.spellingDocuments);
  const ids = sources.map(({ documentId }) => documentId);
  const words = reading.asked
    .map((word) => word.text)
    .filter((word) => word.length > weights.tooShort);
  const spellings = await findSpellings(trx, ids, words);
  if (spellings.length === 0) return undefined;
  const known = new Set(spellings.map((term) => term.lexeme));
  const others = terms.filter(({ asked, lexeme }) => asked.length === 0 && !known.has(lexeme));
  const boosts = new Map(ids.map((id) => [id, 0]));
  const options = { terms: [...spellings, ...others], limit, frontPage: 0 };
  const found = toRetrieved(await rankPassages(trx, boosts, options), sources, options.terms);
  const confidence = found.confidence === 'answer' ? 'possible' : found.confidence;
  return { ...found, confidence, absent };
}

/** Fallback to the beginnings of the first files, followed by the other passages. */
async function showBeginnings(
  trx: Scoped,
  { scope }: Search,
  found: Retrieved,
): Promise<Retrieved> {
  const sources = await store.listSources(trx, scope);
  const places = sources
    .slice(0, weights.mostShown)
    .map(({ documentId }) => ({ key: documentId, ordinal: 0 }));
  const first = withSources(await readPassagesAt(trx, places), sources);
  const shown = new Set(first.map(({ id }) => id));
  const passages = [...first, ...found.passages.filter(({ id }) => !shown.has(id))];
  const documents = sources.slice(0, weights.vectorDocuments);
  return { ...found, passages, documents, confidence: 'none' };
}

async function rankLexically(trx: Scoped, search: Search): Promise<Retrieved> {
  const lexemes = await readLexemes(trx, wordsOf(search.reading));
  if (search.scope.file_name === undefined) return findInCase(trx, search, lexemes);
  const sources = await store.listSources(trx, search.scope);
  return findInDocument(trx, search, { lexemes, sources });
}

/** Ranks the passages of a chosen file; what its name already says hardly distinguishes them. */
async function findInDocument(
  trx: Scoped,
  search: Search,
  { lexemes, sources }: { lexemes: Lexemes; sources: Source[] },
): Promise<Retrieved> {
  const terms = toTerms(search.reading, lexemes, namesOf(sources[0]?.name ?? ''));
  const boosts = new Map(sources.map(({ documentId }) => [documentId, 0]));
  const ranking = await rankWithFeedback(trx, boosts, rankOptions(search, terms));
  return toRetrieved(ranking, sources, terms);
}

function rankOptions({ reading, limit }: Search, terms: Term[]): RankOptions {
  return { terms, limit, frontPage: reading.wantsFrontPage ? weights.frontPage : 0 };
}

function namesOf(fileName: string): Set<string> {
  return new Set(contentWords(fileName.replaceAll(/[_.()[\]-]/g, ' ')));
}

async function findInCase(trx: Scoped, search: Search, lexemes: Lexemes): Promise<Retrieved> {
  const { reading, scope } = search;
  const words = reading.naming.length > 0 ? reading.naming : [...reading.asked, ...reading.carried];
  const asked = toTerms({ ...reading, asked: words, carried: [], hints: [] }, lexemes);
  const cards = await rankCards(trx, scope, { terms: asked, limit: weights.documents });
  const names = namesOnCards(cards, asked, reading);
  const boosts = boostsOf(cards.best);
  const everywhere = { lexemes, boosts, onCards: new Set(Object.keys(cards.frequencies)) };
  if (names === undefined) {
    const isClause = reading.naming.length > 0;
    return findEverywhere(
      trx,
      search,
      isClause ? everywhere : { ...everywhere, boosts: new Map() },
    );
  }
  const { characters } = await store.readTrainingSummary(trx, scope);
  // Words that may or may not be a name favor their files without excluding the others.
  if (reading.naming.length === 0 && characters <= weights.smallCase)
    return findEverywhere(trx, search, everywhere);
  const chosen = reading.naming.length > 0 ? withRivals(cards.best) : cards.best;
  const sources = await store.listSources(trx, scope, idsOf(chosen));
  const [only, ...others] = chosen;
  if (only && others.length === 0) return findInDocument(trx, search, { lexemes, sources });
  const terms = toTerms(reading, lexemes, names);
  const ranking = await rankWithFeedback(trx, boostsOf(chosen), rankOptions(search, terms));
  return toRetrieved(ranking, sources, terms);
}

function idsOf(cards: readonly Card[]): string[] {
  return cards.map((card) => card.documentId);
}

function boostsOf(cards: readonly Card[]): Map<string, number> {
  const best = cards[0]?.score ?? 1;
  return new Map(cards.map((card) => [card.documentId, (card.score / best) ** 2]));
}

type Everywhere = {
  lexemes: Lexemes;
  boosts: ReadonlyMap<string, number>;
  /** Lexemes in the files' names or first lines: those of the opening favor their files, not passages. */
  onCards: ReadonlySet<string>;
};

async function findEverywhere(
  trx: Scoped,
  search: Search,
  { lexemes, boosts, onCards }: Everywhere,
): Promise<Retrieved> {
  const { reading, scope } = search;
  const loose: Word[] = reading.naming
    .filter(({ text }) => !lexemes.get(text)?.some((lexeme) => onCards.has(lexeme)))
    .map(({ text }) => ({ text, weight: weights.looseName }));
  const terms = toTerms({ ...reading, hints: [...reading.hints, ...loose] }, lexemes);
  const { characters } = await store.readTrainingSummary(trx, scope);
  const options = rankOptions(search, terms);
  if (characters > weights.smallCase) {
    const ranking = await rankRare(trx, scope, options);
    const found = [...new Set(ranking.rows.map((row) => row.documentId))];
    return toRetrieved(ranking, await store.listSources(trx, scope, found), terms);
  }
  const sources = await store.listSources(trx, scope);
  const all = sources.map(
    ({ documentId }) => [documentId, weights.maybeNamed * (boosts.get(documentId) ?? 0)] as const,
  );
  return toRetrieved(await rankWithFeedback(trx, new Map(all), options), sources, terms);
}
