import { randomBytes } from 'node:crypto';
import type { Answer, Citation, Question } from '@matterdesk/contract/ai.ts';
import type { Scoped } from '../../../db/schema.ts';
import type { ChatModel } from '../../../integrations/model/chat.ts';
import { ModelFailure } from '../../../integrations/model/failure.ts';
import { weights } from '../retrieval/rules.weights.ts';
import {
  type Passage,
  readTexts,
  type Retrieved,
  type TextPassage,
} from '../retrieval/service.results.ts';
import { listPassages } from '../retrieval/store.passages.ts';
import { verifyClaims } from './rules.claims.ts';
import { instruct, StreamFilter, writePrompt } from './rules.prompts.ts';
import { reportNothingFound } from './rules.ts';
import { cite, findSentences, keepVerbatim } from './service.citations.ts';

/** Length in UTF-16 units up to which the model gets the whole file. */
const WHOLE_FILE = 60_000;
/** Length in UTF-16 units of the passages that it gets of a longer file. */
const BUDGET = 16_000;
const TRIES = 2;
/** Few enough for a small model to copy, and too many for a text to hold by chance. */
const MARK_BYTES = 6;

type Input = {
  chat: ChatModel;
  db: Scoped;
  question: Question;
  retrieved: Retrieved;
  signal: AbortSignal;
  /** 'file', 'folder' or 'case'. */
  where: string;
  /** The caller streams the answer, so shown text cannot be replaced by a retry. */
  isStreamed: boolean;
};

type Delta = { event: 'delta'; data: { text: string } };

type Request = { prompt: string; known: ReadonlySet<number>; missing: string };

/**
 * Has the model answer from numbered passages, and verifies its text against them.
 * @throws ModelFailure
 */
export async function* writeAnswer(input: Input): AsyncGenerator<Delta, Answer> {
  const given = await choosePassages(input);
  const { question, history = [] } = input.question;
  const inReadingOrder = given
    .map((passage, at) => ({ ...passage, n: at + 1, file: passage.source.name }))
    .toSorted((a, b) => a.documentId.localeCompare(b.documentId) || a.ordinal - b.ordinal);
  const prompt = writePrompt(inReadingOrder, history, question);
  const missing = randomBytes(MARK_BYTES).toString('hex').toUpperCase();
  const known = new Set(given.map((_, at) => at + 1));
  const written = yield* streamModel(input, { prompt, known, missing });
  if (written.includes(missing)) return answerNotFound(input, given);
  return verifyAnswer(input, given, written);
}

/** Streams the model's text, with one retry of an interruption before any text is shown. */
async function* streamModel(
  { chat, signal, isStreamed }: Input,
  { prompt, known, missing }: Request,
): AsyncGenerator<Delta, string> {
  const instructions = instruct(missing);
  for (let attempt = 1; ; attempt += 1) {
    const filter = new StreamFilter(known, missing);
    let isShown = false;
    try {
      for await (const text of chat.write({ instructions, prompt }, signal)) {
        const shown = filter.add(text);
        isShown ||= isStreamed && shown !== '';
        if (shown !== '') yield { event: 'delta', data: { text: shown } };
      }
      if (filter.written.trim() === '') throw new ModelFailure('broken');
      return filter.written;
    } catch (error) {
      const isTransient = error instanceof ModelFailure && error.reason === 'broken';
      if (isShown || attempt === TRIES || !isTransient) throw error;
    }
  }
}

/** All passages of a short file, best first; otherwise the best passages within the budget. */
async function choosePassages({ db, retrieved }: Input): Promise<TextPassage[]> {
  const ranked = retrieved.passages;
  const documents = [...new Set(ranked.map((passage) => passage.documentId))];
  const [only] = documents;
  if (documents.length === 1 && only !== undefined) {
    const rest = await listPassages(db, only, WHOLE_FILE);
    const seen = new Set(ranked.map((passage) => passage.id));
    const source = ranked[0]?.source;
    if (rest && source) {
      const others: Passage[] = rest
        .filter((row) => !seen.has(row.id))
        .map((row) => ({ ...row, source }));
      return readTexts(db, [...ranked, ...others]);
    }
  }
  let budget = BUDGET;
  const chosen = ranked.filter(({ start, end }) => (budget -= end - start) >= 0);
  return readTexts(db, chosen.length > 0 ? chosen : ranked.slice(0, 1));
}

async function answerNotFound(
  { db, retrieved, where }: Input,
  given: TextPassage[],
): Promise<Answer> {
  const nearest = given.slice(0, weights.mostShown);
  const sentences = await findSentences(db, nearest, retrieved);
  const citations = await keepVerbatim(
    db,
    nearest.map((passage, at) => ({
      passage,
      citation: cite(passage, at + 1, sentences[at] ?? { start: 0, end: passage.text.length }),
    })),
  );
  return {
    answer: reportNothingFound({
      citations,
      absent: retrieved.absent,
      where,
    }),
    citations,
    found: false,
    confidence: 'none',
    mode: 'generated',
    notice: null,
    unsupported: [],
  };
}

async function verifyAnswer(
  { db, question }: Input,
  given: TextPassage[],
  written: string,
): Promise<Answer> {
  const numbered = given.map(({ text, heading }, at) => ({ n: at + 1, text, heading }));
  const names = given.map((passage) => passage.source.name).join(' ');
  const known = `${question.question} ${names}`;
  const verified = verifyClaims(written, numbered, known);
  const cited = verified.uses.flatMap(({ n, passage: number, sentence }) => {
    const passage = given[number - 1];
    return passage ? [{ passage, citation: cite(passage, n, sentence) }] : [];
  });
  const citations: Citation[] = await keepVerbatim(db, cited);
  // The document changed after the model read it.
  if (citations.length < cited.length) throw new ModelFailure('broken');
  const isSupported = verified.unsupported.length === 0 && citations.length > 0;
  return {
    answer: verified.text,
    citations,
    found: true,
    confidence: isSupported ? 'answer' : 'possible',
    mode: 'generated',
    notice: null,
    unsupported: verified.unsupported,
  };
}
