// Answers questions from trained files, with citations.

import { randomBytes } from 'node:crypto';
import type { Answer, AskEvent, Question, Citation } from '@matterdesk/contract/ai.ts';
import { type ActorContext, asActor } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import type { Scoped } from '../../../db/schema.ts';
import { ModelFailure } from '../../../integrations/model/failure.ts';
import type { ChatModel } from '../../../integrations/model/openai-compatible.ts';
import { weights } from '../retrieval/rules.weights.ts';
import {
  inContext,
  isSelfContained,
  readQuestion,
  withoutDocumentName,
} from '../retrieval/rules.words.ts';
import {
  type Retrieved,
  type Passage,
  readTexts,
  type TextPassage,
  retrieve,
} from '../retrieval/service.ts';
import { listPassages } from '../retrieval/store.passages.ts';
import * as store from '../retrieval/store.ts';
import { chatOf, embeddingsOf } from '../service.models.ts';
import { verifyClaims } from './rules.claims.ts';
import {
  readRephrased,
  REPHRASE,
  writeFollowUp,
  instruct,
  StreamFilter,
  writePrompt,
} from './rules.prompts.ts';
import { answerForm, asksForSummary, withoutSummary, reportNothingFound } from './rules.ts';
import { answerExtractively, cite, findSentences, keepVerbatim } from './service.citations.ts';

/** Passages retrieved for an answer. */
const MAX_RANKED = 64;

/** Errors are thrown; the route turns them into `error` events. */
type AnswerEvent = Exclude<AskEvent, { event: 'error' }>;

/** The reason why a question cannot be answered yet, in the form of a training status. */
type NotReady = { status: 404 | 202 | 500; message: string };

type Caller = { signal: AbortSignal; isStreamed: boolean };

type AnswerDraft = {
  question: Question;
  retrieved: Retrieved;
  local: Answer;
  caller: Caller;
};

const OWN_WORDS = 'so this answer quotes the document instead.';
const NOTICES: Record<Exclude<ModelFailure['reason'], 'aborted'>, string> = {
  tooSlow: `The language model took too long, ${OWN_WORDS}`,
  busy: `The language model is busy, ${OWN_WORDS}`,
  refused: `The language model refused the request, ${OWN_WORDS}`,
  unreachable: `The language model couldn’t be reached, ${OWN_WORDS}`,
  broken: `The language model was interrupted, ${OWN_WORDS}`,
};

/** In milliseconds; short, because the answer cannot begin before the question is understood. */
const TIMEOUTS = { firstWord: 4000, whole: 6000 };

/**
 * @param caller `signal` aborts the work when the client disconnects; `isStreamed` when it streams the answer
 * @returns the events of the answer, or why there is none yet
 * @throws Refusal invalidInput, unavailable
 */
export async function askFiles(
  context: ActorContext,
  question: Question,
  caller: Caller,
): Promise<NotReady | AsyncGenerator<AnswerEvent>> {
  if (question.file_name !== undefined && question.folder === undefined)
    throw invalidField('folder', 'folder is required with file_name');
  const notReady = await checkReady(context, scopeOf(question));
  return notReady ?? answerQuestion(context, question, caller);
}

/**
 * The complete answer, for callers that do not stream it.
 * @throws Refusal unavailable when the client disconnected
 */
export async function completeAnswer(events: AsyncGenerator<AnswerEvent>): Promise<Answer> {
  for await (const { event, data } of events) if (event === 'done') return data;
  throw new Refusal('unavailable', 'The caller stopped waiting for the answer');
}

/** The best passages for a question, as an answer uses them. */
export async function retrievePassages(
  context: ActorContext,
  question: Question,
  limit: number,
): Promise<Retrieved> {
  const parsedQuestion = readQuestion(question.question, question.history);
  const lexical = await retrieve(asActor(context), {
    scope: scopeOf(question),
    parsedQuestion,
    limit,
  });
  // In one document its name is the same for all passages.
  const isNamed = lexical.documents.length > 1;
  const asked = isNamed ? question.question : withoutDocumentName(question.question);
  const meaning = inContext(asked, question.history);
  const found = (await (await embeddingsOf(context))?.fuse(meaning, lexical, limit)) ?? lexical;
  return { ...found, form: answerForm(asked) };
}

async function checkReady(
  context: ActorContext,
  scope: store.Scope,
): Promise<NotReady | undefined> {
  const where = placeOf(scope);
  if (!isId(scope.caseId)) return { status: 404, message: 'Case not found' };
  const summary = await store.readTrainingSummary(asActor(context), scope);
  if (summary.ready > 0) return undefined;
  if (where === 'file' && summary.files === 0) return { status: 404, message: 'File not found' };
  if (summary.working > 0)
    return { status: 202, message: `This ${where} is still training. Try again when it’s done.` };
  if (where === 'file' && summary.failed > 0)
    return { status: 500, message: summary.error ?? 'Training failed for this file' };
  return {
    status: 404,
    message:
      where === 'file' ? 'This file is not trained yet' : `No file of this ${where} is trained yet`,
  };
}

async function* answerQuestion(
  context: ActorContext,
  question: Question,
  caller: Caller,
): AsyncGenerator<AnswerEvent> {
  const startedAt = performance.now();
  const chat = await chatOf(context);
  if (!chat && asksForSummary(question.question)) {
    yield { event: 'done', data: withoutSummary(context.actor.role === 'admin') };
    return;
  }
  const rephrased = await rephrase(chat, question, caller.signal);
  // Used only for retrieval: the answering model gets the turns themselves.
  const lookup =
    rephrased === undefined ? question : { ...question, question: rephrased, history: [] };
  const retrieved = await retrievePassages(context, lookup, MAX_RANKED);
  const retrievalTime = Math.round(performance.now() - startedAt);
  const local = await answerExtractively(asActor(context), retrieved, placeOf(scopeOf(question)));
  yield { event: 'citations', data: { citations: local.citations } };
  const phrased = yield* phraseAnswer(context, { question, retrieved, local, caller });
  if (!phrased) return;
  const { answer, reason } = phrased;
  context.log.info(
    {
      requestId: context.actor.requestId,
      passages: retrieved.passages.slice(0, weights.mostShown).map((passage) => passage.id),
      model: chat?.name,
      isRephrased: rephrased !== undefined,
      confidence: answer.confidence,
      mode: answer.mode,
      reason,
      found: retrievalTime,
      milliseconds: Math.round(performance.now() - startedAt),
    },
    'asked',
  );
  yield { event: 'done', data: answer };
}

/**
 * Phrases the answer with the model, or quotes the documents when there is no model or it fails.
 * @returns undefined when the client disconnected
 */
async function* phraseAnswer(
  context: ActorContext,
  { question, retrieved, local, caller }: AnswerDraft,
) {
  const chat = await chatOf(context);
  if (!chat || retrieved.passages.length === 0) {
    yield { event: 'delta', data: { text: local.answer } } as const;
    return { answer: local, reason: undefined };
  }
  try {
    const where = placeOf(scopeOf(question));
    const given = { chat, db: asActor(context), question, retrieved, where, ...caller };
    return { answer: yield* writeAnswer(given), reason: undefined };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if (error.reason === 'aborted') return undefined;
    return { answer: { ...local, notice: NOTICES[error.reason] }, reason: error.reason };
  }
}

function scopeOf({ case_id: caseId, folder, file_name }: Question): store.Scope {
  return { caseId, folder, file_name };
}

function placeOf({ folder, file_name: name }: store.Scope): 'file' | 'folder' | 'case' {
  if (name !== undefined) return 'file';
  return folder === undefined ? 'case' : 'folder';
}

/**
 * Has the model rephrase a follow-up question so that it is understood without the earlier turns.
 * @returns undefined when it already is, and when the model fails or replies with something else
 */
async function rephrase(
  chat: ChatModel | undefined,
  { question, history = [] }: Question,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!chat || history.length === 0 || isSelfContained(question)) return undefined;
  const prompt = writeFollowUp(question, history);
  try {
    let written = '';
    const message = { instructions: REPHRASE, prompt };
    for await (const text of chat.write(message, signal, TIMEOUTS)) written += text;
    return readRephrased(written, question, history);
  } catch {
    // Searching by the words of both turns works nearly as well.
    return undefined;
  }
}

/** Length in UTF-16 units up to which the model gets the whole file. */
const MAX_WHOLE_FILE_LENGTH = 60_000;
/** Length in UTF-16 units of the passages that it gets of a longer file. */
const MAX_PASSAGES_LENGTH = 16_000;
const MAX_TRIES = 2;
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
async function* writeAnswer(input: Input): AsyncGenerator<Delta, Answer> {
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
      if (isShown || attempt === MAX_TRIES || !isTransient) throw error;
    }
  }
}

/** All passages of a short file, best first; otherwise the best passages within the budget. */
async function choosePassages({ db, retrieved }: Input): Promise<TextPassage[]> {
  const ranked = retrieved.passages;
  const documents = [...new Set(ranked.map((passage) => passage.documentId))];
  const [only] = documents;
  if (documents.length === 1 && only !== undefined) {
    const rest = await listPassages(db, only, MAX_WHOLE_FILE_LENGTH);
    const seen = new Set(ranked.map((passage) => passage.id));
    const source = ranked[0]?.source;
    if (rest && source) {
      const others: Passage[] = rest
        .filter((row) => !seen.has(row.id))
        .map((row) => ({ ...row, source }));
      return readTexts(db, [...ranked, ...others]);
    }
  }
  let budget = MAX_PASSAGES_LENGTH;
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
