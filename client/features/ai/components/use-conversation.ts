import { NOT_READY } from '@matterdesk/contract/ai.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError } from '../../../api.ts';
import { keepInTab, keptInTab } from '../../../app/tab-storage.ts';
import { toast } from '../../../ui/toast-store.ts';
import { ask } from '../api.ts';
import { type ChatMessage, historyOf, MOST_KEPT, readMessages } from '../rules.ts';

/** What is asked: a file, or all trained files of the case. */
export type Asked = { caseId: string; folder?: string; name?: string };

const FAILED = 'Something went wrong in sending message.';
const LONGEST_QUESTION = 2000;

/** The conversation about one file or case, as this tab keeps it. */
export function useConversation(asked: Asked, isTrained: boolean) {
  const key = 'chat-' + JSON.stringify([asked.caseId, asked.folder ?? null, asked.name ?? null]);
  const [messages, setMessages] = useState<readonly ChatMessage[]>(() =>
    readMessages(keptInTab(key)),
  );
  const [isBusy, setIsBusy] = useState(false);
  const running = useRef<AbortController>(null);
  useEffect(() => keepInTab(key, messages.slice(-MOST_KEPT)), [key, messages]);
  useEffect(() => () => running.current?.abort(), []);
  const put = useCallback(
    async (question: string, before: readonly ChatMessage[]) => {
      const id = (before.at(-1)?.id ?? 0) + 1;
      const mine: ChatMessage = { id, message: question, time: now(), user: 1 };
      setMessages([...before, mine]);
      setIsBusy(true);
      const stop = new AbortController();
      running.current = stop;
      try {
        const answer = await ask(bodyOf(asked, question, before), stop.signal);
        const reply = { id: id + 1, message: answer.answer, time: now(), user: 2, answer } as const;
        setMessages([...before, mine, reply]);
      } catch (error) {
        if (stop.signal.aborted) return;
        const isUntrained = error instanceof CallError && error.status === 409;
        toast.error(isUntrained ? NOT_READY : FAILED);
        setMessages([...before, { ...mine, hasFailed: true }]);
      }
      setIsBusy(false);
    },
    [asked],
  );
  /** Says whether the words were taken. */
  const send = (text: string): boolean => {
    if (isBusy) return false;
    const question = text.trim().slice(0, LONGEST_QUESTION);
    if (question === '' || !isTrained) {
      toast.error(NOT_READY);
      return false;
    }
    void put(question, messages);
    return true;
  };
  const again = (one: ChatMessage) => {
    if (!isBusy)
      void put(
        one.message,
        messages.filter(({ id }) => id !== one.id),
      );
  };
  return { messages, isBusy, send, again };
}

function bodyOf({ caseId, folder, name }: Asked, question: string, before: readonly ChatMessage[]) {
  return {
    case_id: caseId,
    ...(folder !== undefined && { folder }),
    ...(name !== undefined && { file_name: name }),
    question,
    history: historyOf(before),
  };
}

function now(): string {
  return new Date().toISOString();
}
