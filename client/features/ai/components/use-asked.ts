import { useCallback, useState } from 'react';
import { keepValue, keptValue } from './kept-chats.ts';
import type { Asked } from './use-conversation.ts';

const KEY = 'open';

/** Which chat of a case is open; a reload leaves it open. */
export function useAsked(caseId: string): [Asked | null, (asked: Asked | null) => void] {
  const [asked, setAsked] = useState<Asked | null>(() => {
    const kept = keptValue<Asked>(KEY);
    return kept?.caseId === caseId ? kept : null;
  });
  const change = useCallback((next: Asked | null) => {
    keepValue(KEY, next);
    setAsked(next);
  }, []);
  return [asked?.caseId === caseId ? asked : null, change];
}
