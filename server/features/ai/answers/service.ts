// Answers questions from trained files, with citations.

import type { Answer, AskEvent, Question } from '@matterdesk/contract/ai.ts';
import { type ActorContext, asActor } from '../../../context.ts';
import { isId } from '../../../core/ids.ts';
import { invalidField, Refusal } from '../../../core/refusal.ts';
import type { ChatModel } from '../../../integrations/model/chat.ts';
import { ModelFailure } from '../../../integrations/model/failure.ts';
import { weights } from '../retrieval/rules.weights.ts';
import {
  inContext,
  isSelfContained,
  readQuestion,
  withoutNaming,
} from '../retrieval/rules.words.ts';
import type { Retrieved } from '../retrieval/service.results.ts';
import { retrieve } from '../retrieval/service.ts';
import * as store from '../retrieval/store.ts';
import { chatOf, embeddingsOf } from '../service.models.ts';
import { readRephrased, REPHRASE, writeFollowUp } from './rules.prompts.ts';
import { answerForm } from './rules.sentences.ts';
import { asksForSummary, withoutSummary } from './rules.ts';
import { answerExtractively } from './service.citations.ts';
import { writeAnswer } from './service.generation.ts';

/** Passages retrieved for an answer. */
const RANKED = 64;

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
  const reading = readQuestion(question.question, question.history);
  const lexical = await retrieve(asActor(context), {
    scope: scopeOf(question),
    reading,
    limit,
  });
  // In one document its name is the same for all passages.
  const isNamed = lexical.documents.length > 1;
  const asked = isNamed ? question.question : withoutNaming(question.question);
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
  const retrieved = await retrievePassages(context, lookup, RANKED);
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
