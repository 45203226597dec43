import type { Database, Executor } from '../../../db/schema.ts';
import { Refusal } from '../../../core/refusal.ts';
import { idf, toTerms, wordsOf, type Lexemes, type Term } from './rules.terms.ts';
import { weights } from './rules.weights.ts';
import { contentWords, type Reading, type Word } from './rules.words.ts';
import { rankTwice } from './service.feedback.ts';
import { describe, type Retrieved, type Search, withSources } from './service.results.ts';
import * as store from './store.ts';
import { rankCards, type Cards } from './store.cards.ts';
import { readPassagesAt } from './store.embeddings.ts';
import { rankPassages, readLexemes, type RankOptions } from './store.passages.ts';
import { rankRare } from './store.rare.ts';
import { findSpellings } from './store.spelling.ts';

/** Milliseconds that one statement of a retrieval may take. */
const STATEMENT_LIMIT = 8000;

/**
 * The passages that fit a question best: in the named file, or in those of the case that it speaks of.
 * @throws Refusal unavailable when it takes too long
 */
export async function retrieve(db: Database, search: Search): Promise<Retrieved> {
  try {
    return await store.withinTime(db, STATEMENT_LIMIT, (trx) => find(trx, search));
  } catch (error) {
    if (!store.isOutOfTime(error)) throw error;
    const message = 'This search took too long. Ask about a folder or a file.';
    throw new Refusal('unavailable', message, { cause: error });
  }
}

async function find(trx: Executor, search: Search): Promise<Retrieved> {
  const found = await look(trx, search);
  const isAsked = found.terms.some(({ asked }) =>
    asked.some((word) => !found.absent.includes(word)),
  );
  if (isAsked) return found;
  const alike = await findMisspelt(trx, search, found);
  const isLed = found.passages.some((passage) => passage.score > 0 || passage.isLed);
  return alike ?? (isLed ? found : showBeginnings(trx, search, found));
}

/** Where no word of the question stands: by those that are spelt nearly the same. That it answers is never told by them. */
async function findMisspelt(
  trx: Executor,
  { scope, reading, limit }: Search,
  { terms, absent }: Retrieved,
): Promise<Retrieved | undefined> {
  const sources = (await store.listSources(trx, scope)).slice(0, weights.spellingDocuments);
  const ids = sources.map(({ documentId }) => documentId);
  const words = reading.asked
    .map((word) => word.text)
    .filter((word) => word.length > weights.tooShort);
  const spelt = await findSpellings(trx, ids, words);
  if (spelt.length === 0) return undefined;
  const known = new Set(spelt.map((term) => term.lexeme));
  const others = terms.filter(({ asked, lexeme }) => asked.length === 0 && !known.has(lexeme));
  const boosts = new Map(ids.map((id) => [id, 0]));
  const options = { terms: [...spelt, ...others], limit, frontPage: 0 };
  const found = describe(await rankPassages(trx, boosts, options), sources, options.terms);
  const confidence = found.confidence === 'answer' ? 'possible' : found.confidence;
  return { ...found, confidence, absent };
}

/** The first passage of each of the first files, before the others: nothing in them is nearer. */
async function showBeginnings(
  trx: Executor,
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

async function look(trx: Executor, search: Search): Promise<Retrieved> {
  const lexemes = await readLexemes(trx, wordsOf(search.reading));
  if (search.scope.file_name === undefined) return findInCase(trx, search, lexemes);
  const sources = await store.listSources(trx, search.scope);
  const terms = toTerms(search.reading, lexemes, namesOf(sources[0]?.name ?? ''));
  const boosts = new Map(sources.map(({ documentId }) => [documentId, 0]));
  const ranking = await rankTwice(trx, boosts, rankOptions(search, terms));
  return describe(ranking, sources, terms);
}

function rankOptions({ reading, limit }: Search, terms: Term[]): RankOptions {
  return { terms, limit, frontPage: reading.wantsFrontPage ? weights.frontPage : 0 };
}

function namesOf(fileName: string): Set<string> {
  return new Set(contentWords(fileName.replaceAll(/[_.()[\]-]/g, ' ')));
}

async function findInCase(trx: Executor, search: Search, lexemes: Lexemes): Promise<Retrieved> {
  const { reading, scope } = search;
  const words = reading.naming.length > 0 ? reading.naming : [...reading.asked, ...reading.carried];
  const asked = toTerms({ ...reading, asked: words, carried: [], hints: [] }, lexemes);
  const cards = await rankCards(trx, scope, { terms: asked, limit: weights.documents });
  const names = namesOnCards(cards, asked, reading);
  const best = cards.best[0]?.score ?? 1;
  const boosts = new Map(cards.best.map((card) => [card.documentId, (card.score / best) ** 2]));
  if (names === undefined) return findEverywhere(trx, search, { lexemes, boosts: new Map() });
  const { characters } = await store.readStanding(trx, scope);
  // Words that are only maybe a name lead to their files without shutting out the others.
  if (reading.naming.length === 0 && characters <= weights.smallCase)
    return findEverywhere(trx, search, { lexemes, boosts });
  const terms = toTerms(reading, lexemes, names);
  const ranking = await rankTwice(trx, boosts, rankOptions(search, terms));
  return describe(ranking, await store.listSources(trx, scope, [...boosts.keys()]), terms);
}

/**
 * The words by which a question says which file it means.
 * @returns undefined when it names none
 */
function namesOnCards(cards: Cards, terms: Term[], { names }: Reading): Set<string> | undefined {
  const best = cards.best[0];
  if (!best) return undefined;
  const worth = (term: Term) => idf(cards.files, cards.frequencies[term.lexeme] ?? 0);
  const isRare = ({ lexeme }: Term) =>
    (cards.frequencies[lexeme] ?? 0) <= Math.max(1, weights.common * cards.files);
  const namesIt = (term: Term) =>
    best.held.includes(term.lexeme) &&
    isRare(term) &&
    (best.named.includes(term.lexeme) || term.asked.some((word) => names.includes(word)));
  const naming = terms.filter(namesIt);
  const onCards = terms.filter((term) => (cards.frequencies[term.lexeme] ?? 0) > 0);
  const sum = (some: Term[]) => some.reduce((total, term) => total + worth(term), 0);
  if (naming.length === 0 || sum(naming) < weights.named * sum(onCards)) return undefined;
  return new Set(naming.flatMap((term) => term.asked));
}

type Everywhere = { lexemes: Lexemes; boosts: ReadonlyMap<string, number> };

async function findEverywhere(trx: Executor, search: Search, { lexemes, boosts }: Everywhere) {
  const { reading, scope } = search;
  const loose: Word[] = reading.naming.map(({ text }) => ({ text, weight: weights.looseName }));
  const terms = toTerms({ ...reading, hints: [...reading.hints, ...loose] }, lexemes);
  const { characters } = await store.readStanding(trx, scope);
  const options = rankOptions(search, terms);
  if (characters > weights.smallCase) {
    const ranking = await rankRare(trx, scope, options);
    const found = [...new Set(ranking.rows.map((row) => row.documentId))];
    return describe(ranking, await store.listSources(trx, scope, found), terms);
  }
  const sources = await store.listSources(trx, scope);
  const all = sources.map(
    ({ documentId }) => [documentId, weights.maybeNamed * (boosts.get(documentId) ?? 0)] as const,
  );
  return describe(await rankTwice(trx, new Map(all), options), sources, terms);
}
