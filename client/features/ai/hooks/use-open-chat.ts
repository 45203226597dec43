import { useCallback, useState } from 'react';
import { saveToTab, readFromTab } from '../../../core/tab-storage.ts';
import type { ChatSubject } from './use-conversation.ts';

const KEY = 'chat-open';

/** Which chat of a case is open, kept across reloads. */
export function useOpenChat(
  caseId: string,
): [ChatSubject | null, (subject: ChatSubject | null) => void] {
  const [subject, setSubject] = useState<ChatSubject | null>(() => {
    const kept = readFromTab(KEY) as ChatSubject | null;
    return kept?.caseId === caseId ? kept : null;
  });
  const change = useCallback((next: ChatSubject | null) => {
    saveToTab(KEY, next);
    setSubject(next);
  }, []);
  return [subject?.caseId === caseId ? subject : null, change];
}
