import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect, useRef, useState } from 'react';
import {
  type AskEvent,
  NOT_READY,
  aiRoutes,
  AnswerSchema,
  type Answer,
  type Citation,
  type Question,
} from '@matterdesk/contract/ai.ts';
import { contentUrl, fileRoutes } from '@matterdesk/contract/files.ts';
import { streamRoutes } from '@matterdesk/contract/stream.ts';
import { CallError, call, openStream } from '../../../api.ts';
import { actedOnCase } from '../../../core/filed.ts';
import { mutation } from '../../../core/mutation.ts';
import { store } from '../../../core/store.ts';
import { saveToTab, readFromTab } from '../../../core/tab-storage.ts';
import { toast } from '../../../ui/toast-store.ts';
import {
  type ChatMessage,
  type PartialAnswer,
  historyOf,
  MAX_KEPT_MESSAGES,
  readMessages,
  type FileScope,
  readEvent,
  sentenceOf,
} from '../rules.ts';

/** Subject of a chat: a file, or all trained files of the case. */
export type ChatSubject = { caseId: string; folder?: string; name?: string };

const FAILED = 'Something went wrong in sending message.';
const MAX_QUESTION_LENGTH = 2000;
const NOTHING: PartialAnswer = { text: '', citations: [] };

/** The conversation about a file or case, kept in this tab. `draft` is set while an answer is pending. */
export function useConversation(subject: ChatSubject, isTrained: boolean) {
  const key =
    'chat-' + JSON.stringify([subject.caseId, subject.folder ?? null, subject.name ?? null]);
  const [messages, setMessages] = useState<readonly ChatMessage[]>(() =>
    readMessages(readFromTab(key)),
  );
  const [draft, setDraft] = useState<PartialAnswer | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => saveToTab(key, messages.slice(-MAX_KEPT_MESSAGES)), [key, messages]);
  useEffect(() => () => running.current?.abort(), []);
  const put = async (mine: ChatMessage, before: readonly ChatMessage[]) => {
    setMessages([...before, mine]);
    setDraft(NOTHING);
    const stop = new AbortController();
    running.current = stop;
    const listen = (event: AskEvent) => setDraft((now) => now && withEvent(now, event));
    try {
      const answer = await ask(bodyOf(subject, mine, before), stop.signal, listen);
      const reply = {
        id: mine.id + 1,
        message: answer.answer,
        time: now(),
        user: 2,
        answer,
      } as const;
      setMessages((all) => [...all, reply]);
    } catch (error) {
      const reason = stop.signal.aborted || isSignedOut(error) ? undefined : reasonOf(error);
      if (reason !== undefined) toast.error(reason);
      const failed = { ...mine, hasFailed: true, ...(reason !== undefined && { reason }) };
      setMessages((all) => [...all.slice(0, -1), failed]);
    }
    setDraft(null);
  };
  /** @returns whether the question was accepted */
  const send = (text: string, within?: FileScope): boolean => {
    if (draft) return false;
    const message = text.trim().slice(0, MAX_QUESTION_LENGTH);
    if (message === '' || !isTrained) {
      toast.error(NOT_READY);
      return false;
    }
    const id = (messages.at(-1)?.id ?? 0) + 1;
    void put({ id, message, time: now(), user: 1, ...(within && { within }) }, messages);
    return true;
  };
  const again = ({ reason: _reason, ...failed }: ChatMessage) => {
    const before = messages.filter(({ id }) => id !== failed.id);
    const id = (before.at(-1)?.id ?? 0) + 1;
    if (!draft) void put({ ...failed, id, hasFailed: false }, before);
  };
  /** Puts the first quotation of an answer into the stream of the case. */
  const add = async (reply: ChatMessage, key: string) => {
    await addFirst(subject.caseId, { reply, question: messages[messages.indexOf(reply) - 1] }, key);
    setMessages((all) =>
      all.map((entry) => (entry.id === reply.id ? { ...entry, isAdded: true } : entry)),
    );
  };
  return { messages, draft, send, again, add, stop: () => running.current?.abort() };
}

type Exchange = { reply: ChatMessage; question: ChatMessage | undefined };

async function addFirst(caseId: string, { reply, question }: Exchange, key: string): Promise<void> {
  const [citation] = reply.answer?.citations ?? [];
  if (citation && question) await addAnswer({ caseId, question: question.message, citation }, key);
}

function withEvent(draft: PartialAnswer, event: AskEvent): PartialAnswer {
  if (event.event === 'citations') return { ...draft, citations: event.data.citations };
  return event.event === 'delta' ? { ...draft, text: draft.text + event.data.text } : draft;
}

/** The session reports this once for all calls. */
function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.code === 'invalidToken';
}

/** Refusals explain themselves; other errors get a general message. */
function reasonOf(error: unknown): string {
  const isExplained = error instanceof CallError && [409, 502, 503].includes(error.status);
  return isExplained ? error.message : FAILED;
}

function bodyOf(
  subject: ChatSubject,
  { message, within }: ChatMessage,
  before: readonly ChatMessage[],
) {
  const { folder, name } = within ?? subject;
  return {
    case_id: subject.caseId,
    ...(folder !== undefined && { folder }),
    ...(name !== undefined && { file_name: name }),
    question: message,
    history: historyOf(before),
  };
}

function now(): string {
  return new Date().toISOString();
}

/**
 * Asks a question, and reports the parts of the answer as they arrive.
 * @throws CallError; 409 when the file or case is not trained
 */
async function ask(
  body: Question,
  signal: AbortSignal,
  onEvent: (event: AskEvent) => void,
): Promise<Answer> {
  const reply = await openStream(aiRoutes.ask, { body, signal });
  const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true;
  // A proxy may not support streams.
  if (!isStream || !reply.body) return AnswerSchema.parse(await reply.json());
  const events = reply.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  for (;;) {
    const { done, value } = await events.read();
    if (done) throw new CallError('The answer was interrupted', 0);
    const event = readEvent(value);
    if (event?.event === 'done') return event.data;
    if (event?.event === 'error')
      throw new CallError(event.data.message, event.data.status, event.data);
    if (event) onEvent(event);
  }
}

const failing = 'Couldn’t add the answer to the stream';

/** The button shows the success itself. */
const addEntry = mutation(streamRoutes.addEntry, failing, {
  toasts: 'errors',
  done: (_, { params }) => void store.dispatch(actedOnCase(params.id)),
});

type QuotedCitation = { caseId: string; question: string; citation: Citation };

/** Adds the key sentence of an answer to the stream of its case. @throws CallError after its toast */
async function addAnswer(
  { caseId, question, citation }: QuotedCitation,
  idempotencyKey: string,
): Promise<void> {
  const { folder, file_name: name, version } = citation;
  const query = version === undefined ? '' : `?version=${version}`;
  const answer = {
    question,
    quotation: sentenceOf(citation),
    url: contentUrl(caseId, folder, name) + query,
    page: await pageOf(caseId, citation),
  };
  const body = { kind: 'memo', answer } as const;
  await addEntry({ params: { id: caseId }, body, idempotencyKey });
}

/** The page on which the key sentence begins: a passage may go on to the pages after its own. */
async function pageOf(caseId: string, citation: Citation): Promise<number> {
  const { folder, file_name: name, version, sentence } = citation;
  for (let { page } = citation; ; page += 1) {
    const found = await call(fileRoutes.readText, {
      params: { caseId, folder, name },
      query: { page, version },
      failing,
    });
    if (sentence.start < found.start + found.text.length || page >= found.pages) return page;
  }
}
