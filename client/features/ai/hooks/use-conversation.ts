import { useEffect, useRef, useState } from 'react';
import { type AskEvent, NOT_READY } from '@matterdesk/contract/ai.ts';
import { CallError } from '../../../api.ts';
import { keepInTab, keptInTab } from '../../../core/tab-storage.ts';
import { toast } from '../../../ui/toast-store.ts';
import { addAnswer, ask } from '../api.ts';
import {
  type ChatMessage,
  type Draft,
  historyOf,
  MOST_KEPT,
  readMessages,
  type Within,
} from '../rules.ts';

/** Subject of a chat: a file, or all trained files of the case. */
export type ChatSubject = { caseId: string; folder?: string; name?: string };

const FAILED = 'Something went wrong in sending message.';
const LONGEST_QUESTION = 2000;
const NOTHING: Draft = { text: '', citations: [] };

/** The conversation about a file or case, kept in this tab. `draft` is set while an answer is pending. */
export function useConversation(subject: ChatSubject, isTrained: boolean) {
  const key =
    'chat-' + JSON.stringify([subject.caseId, subject.folder ?? null, subject.name ?? null]);
  const [messages, setMessages] = useState<readonly ChatMessage[]>(() =>
    readMessages(keptInTab(key)),
  );
  const [draft, setDraft] = useState<Draft | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => keepInTab(key, messages.slice(-MOST_KEPT)), [key, messages]);
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
      if (!stop.signal.aborted && !isSignedOut(error)) toast.error(reasonOf(error));
      setMessages((all) => [...all.slice(0, -1), { ...mine, hasFailed: true }]);
    }
    setDraft(null);
  };
  /** @returns whether the question was accepted */
  const send = (text: string, within?: Within): boolean => {
    if (draft) return false;
    const message = text.trim().slice(0, LONGEST_QUESTION);
    if (message === '' || !isTrained) {
      toast.error(NOT_READY);
      return false;
    }
    const id = (messages.at(-1)?.id ?? 0) + 1;
    void put({ id, message, time: now(), user: 1, ...(within && { within }) }, messages);
    return true;
  };
  const again = (failed: ChatMessage) => {
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

type Added = { reply: ChatMessage; question: ChatMessage | undefined };

async function addFirst(caseId: string, { reply, question }: Added, key: string): Promise<void> {
  const [citation] = reply.answer?.citations ?? [];
  if (citation && question) await addAnswer({ caseId, question: question.message, citation }, key);
}

function withEvent(draft: Draft, event: AskEvent): Draft {
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
