import type { Citation } from '@matterdesk/contract/ai.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { Scoped } from '../../../db/schema.ts';
import {
  type Lexemes,
  type Term,
  toTerms,
  wordsOf,
  absentWords,
  idf,
  massOf,
} from './rules.terms.ts';
import {
  type FileMatch,
  findNamingWords,
  withRivals,
  fuseRanks,
  type Confidence,
  confidenceOf,
  leadOf,
} from './rules.ts';
import { weights } from './rules.weights.ts';
import { contentWords, type Word, type ParsedQuestion } from './rules.words.ts';
import {
  readPassagesAt,
  rankFiles,
  findExpansionTerms,
  findSpellings,
  type PassageRow,
  type Ranking,
  type RankOptions,
  rankPassages,
  rankRare,
  readLexemes,
} from './store.passages.ts';
import * as store from './store.ts';
import { type Source, readPages, type Scope } from './store.ts';

/** Milliseconds that one statement of a retrieval may take. */
const STATEMENT_TIMEOUT_MS = 8000;

type CaseWideTerms = {
  lexemes: Lexemes;
  boosts: ReadonlyMap<string, number>;
  /** Lexemes in the files' names or first lines: those of the opening favor their files, not passages. */
  inFiles: ReadonlySet<string>;
};

/**
 * The best passages for a question: in the given file, or in the files of the case that the question is about.
 * @throws Refusal unavailable when it takes too long
 */
export async function retrieve(db: Scoped, search: Search): Promise<Retrieved> {
  try {
    return await store.withTimeLimit(db, STATEMENT_TIMEOUT_MS, (trx) => findPassages(trx, search));
  } catch (error) {
    if (!store.isTimeout(error)) throw error;
    const message = 'This search took too long. Ask about a folder or a file.';
    throw new Refusal('unavailable', message, { cause: error });
  }
}

/**
 * Ranks passages, then ranks the found documents again with other words of the first passages, so that answers in other
 * words appear below them. Scores and frequencies are those of the first ranking.
 */
export async function rankWithFeedback(
  db: Scoped,
  boosts: ReadonlyMap<string, number>,
  options: RankOptions,
): Promise<Ranking> {
  const ranking = await rankPassages(db, boosts, options);
  const { rows } = ranking;
  const feedbackPassages = rows.slice(0, weights.feedbackPassages).filter((row) => row.score > 0);
  if (feedbackPassages.length === 0 || rows.length <= weights.feedbackPassages) return ranking;
  const expansion = await findExpansionTerms(db, feedbackPassages, options.terms);
  const terms = [...options.terms, ...expansion];
  const documents = new Set(rows.map((row) => row.documentId));
  const foundBoosts = new Map([...boosts].filter(([id]) => documents.has(id)));
  const second = await rankPassages(db, foundBoosts, { ...options, terms });
  const byId = new Map(
    [...second.rows.map((row) => ({ ...row, score: 0 })), ...rows].map((row) => [row.id, row]),
  );
  // The order of the other rows is arbitrary.
  const isRanked = (row: PassageRow) => row.score > 0 || boosts.get(row.documentId) !== 0;
  const lists = [rows, second.rows].map((subset) => passageIdsOf(subset.filter(isRanked)));
  const fused = fuseRanks(lists, 2 * options.limit, weights.secondRanking);
  const ids = [
    ...new Set([
      ...passageIdsOf(rows.slice(0, weights.feedbackPassages)),
      ...fused,
      ...passageIdsOf(rows),
    ]),
  ];
  return { ...ranking, rows: ids.slice(0, options.limit).flatMap((id) => byId.get(id) ?? []) };
}

async function findPassages(trx: Scoped, search: Search): Promise<Retrieved> {
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
  { scope, parsedQuestion, limit }: Search,
  { terms, absent }: Retrieved,
): Promise<Retrieved | undefined> {
  const sources = (await store.listSources(trx, scope)).slice(0, weights.spellingDocuments);
  const ids = sources.map(({ documentId }) => documentId);
  const words = parsedQuestion.asked
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
  const lexemes = await readLexemes(trx, wordsOf(search.parsedQuestion));
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
  const terms = toTerms(search.parsedQuestion, lexemes, namesOf(sources[0]?.name ?? ''));
  const boosts = new Map(sources.map(({ documentId }) => [documentId, 0]));
  const ranking = await rankWithFeedback(trx, boosts, rankOptions(search, terms));
  return toRetrieved(ranking, sources, terms);
}

function rankOptions({ parsedQuestion, limit }: Search, terms: Term[]): RankOptions {
  return { terms, limit, frontPage: parsedQuestion.wantsFrontPage ? weights.frontPage : 0 };
}

function namesOf(fileName: string): Set<string> {
  return new Set(contentWords(fileName.replaceAll(/[_.()[\]-]/g, ' ')));
}

async function findInCase(trx: Scoped, search: Search, lexemes: Lexemes): Promise<Retrieved> {
  const { parsedQuestion, scope } = search;
  const words =
    parsedQuestion.documentWords.length > 0
      ? parsedQuestion.documentWords
      : [...parsedQuestion.asked, ...parsedQuestion.carried];
  const asked = toTerms({ ...parsedQuestion, asked: words, carried: [], hints: [] }, lexemes);
  const matches = await rankFiles(trx, scope, { terms: asked, limit: weights.documents });
  const names = findNamingWords(matches, asked, parsedQuestion);
  const boosts = boostsOf(matches.best);
  const everywhere = { lexemes, boosts, inFiles: new Set(Object.keys(matches.frequencies)) };
  if (names === undefined) {
    const isClause = parsedQuestion.documentWords.length > 0;
    return findEverywhere(
      trx,
      search,
      isClause ? everywhere : { ...everywhere, boosts: new Map() },
    );
  }
  const { characters } = await store.readTrainingSummary(trx, scope);
  // Words that may or may not be a name favor their files without excluding the others.
  if (parsedQuestion.documentWords.length === 0 && characters <= weights.smallCase)
    return findEverywhere(trx, search, everywhere);
  const chosen = parsedQuestion.documentWords.length > 0 ? withRivals(matches.best) : matches.best;
  const sources = await store.listSources(trx, scope, idsOf(chosen));
  const [only, ...others] = chosen;
  if (only && others.length === 0) return findInDocument(trx, search, { lexemes, sources });
  const terms = toTerms(parsedQuestion, lexemes, names);
  const ranking = await rankWithFeedback(trx, boostsOf(chosen), rankOptions(search, terms));
  return toRetrieved(ranking, sources, terms);
}

function idsOf(files: readonly FileMatch[]): string[] {
  return files.map((file) => file.documentId);
}

function boostsOf(files: readonly FileMatch[]): Map<string, number> {
  const best = files[0]?.score ?? 1;
  return new Map(files.map((file) => [file.documentId, (file.score / best) ** 2]));
}

async function findEverywhere(
  trx: Scoped,
  search: Search,
  { lexemes, boosts, inFiles }: CaseWideTerms,
): Promise<Retrieved> {
  const { parsedQuestion, scope } = search;
  const loose: Word[] = parsedQuestion.documentWords
    .filter(({ text }) => !lexemes.get(text)?.some((lexeme) => inFiles.has(lexeme)))
    .map(({ text }) => ({ text, weight: weights.looseName }));
  const terms = toTerms({ ...parsedQuestion, hints: [...parsedQuestion.hints, ...loose] }, lexemes);
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

function passageIdsOf(rows: readonly PassageRow[]): number[] {
  return rows.map((row) => row.id);
}

export type Passage = PassageRow & { source: Source };
export type TextPassage = Passage & { text: string };
export type Retrieved = {
  /** Best first. */
  passages: Passage[];
  /** Documents of the best passages. */
  documents: Source[];
  terms: Term[];
  /** Weight of each lexeme times its inverse frequency in the searched passages. */
  worth: ReadonlyMap<string, number>;
  confidence: Confidence;
  absent: string[];
  /** Matches what answers the question, such as a date. */
  form?: RegExp | undefined;
};

type Search = { scope: Scope; parsedQuestion: ParsedQuestion; limit: number };

/** `mass` is the score of a perfect passage, and `unique` the worth of a word that only one passage contains. */
type ScoreScale = { mass: number; unique: number };

type Page = { documentId: string; page: number; start: number; text: string };
type Place = { documentId: string; start: number; end: number };

function toRetrieved(
  { rows, passages, frequencies }: Ranking,
  sources: Source[],
  terms: Term[],
): Retrieved {
  const mass = massOf(terms, passages, frequencies);
  const unique = idf(passages, 1);
  const documents = [...new Set(rows.map((row) => row.documentId))];
  return {
    passages: withSources(rows, sources),
    documents: documents
      .slice(0, weights.vectorDocuments)
      .flatMap((id) => sources.find(({ documentId }) => documentId === id) ?? []),
    terms,
    worth: new Map(
      terms.map(({ lexeme, weight }) => [lexeme, weight * idf(passages, frequencies[lexeme] ?? 0)]),
    ),
    confidence: confidenceOfRows(rows, { mass, unique }),
    absent: absentWords(terms, frequencies),
  };
}

function withSources(rows: readonly PassageRow[], sources: readonly Source[]) {
  const byDocument = new Map(sources.map((source) => [source.documentId, source]));
  return rows.flatMap((row) => {
    const source = byDocument.get(row.documentId);
    return source ? [{ ...row, source }] : [];
  });
}

/** Reads the passages' texts from the documents' pages; drops passages that the pages do not contain. */
export async function readTexts(db: Scoped, passages: readonly Passage[]): Promise<TextPassage[]> {
  const pages = await readPages(db, passages);
  return passages.flatMap((passage) => {
    const text = textAt(pages, passage);
    return text === undefined ? [] : [{ ...passage, text }];
  });
}

/**
 * The text between two offsets of a document.
 * @param pages in order
 * @returns undefined when the pages do not contain all of it
 */
export function textAt(pages: readonly Page[], { documentId, start, end }: Place) {
  let text = '';
  for (const page of pages) {
    if (page.documentId !== documentId) continue;
    const from = start + text.length - page.start;
    if (from < 0 || from > page.text.length || text.length >= end - start) continue;
    text += page.text.slice(from, end - page.start);
  }
  return text.length === end - start && text !== '' ? text : undefined;
}

export function isVerbatim(pages: readonly Page[], documentId: string, citation: Citation) {
  const { start, end, quote, sentence } = citation;
  const isInside = sentence.start >= start && sentence.end <= end && sentence.start < sentence.end;
  return isInside && textAt(pages, { documentId, start, end }) === quote;
}

/** A better passage in another document makes an answer about the first one at most possible. */
function confidenceOfRows(rows: readonly PassageRow[], { mass, unique }: ScoreScale): Confidence {
  const favored = rows[0]?.isFavored ? weights.favored : 0;
  const bandOfBest = (subset: readonly PassageRow[]) => {
    const scores = subset.map((row) => row.score);
    const best = Math.max(0, ...scores);
    return confidenceOf({
      share: (mass > 0 ? best / mass : 0) + favored,
      evidence: best / unique,
      lead: leadOf(scores),
    });
  };
  const ofFirst = bandOfBest(rows.filter((row) => row.documentId === rows[0]?.documentId));
  return ofFirst === 'none' && bandOfBest(rows) !== 'none' ? 'possible' : ofFirst;
}
