import { useCallback, useState } from 'react';
import { keepInTab, keptInTab } from '../../../core/tab-storage.ts';
import type { Asked } from './use-conversation.ts';

const KEY = 'chat-open';

/** Which chat of a case is open; a reload leaves it open. */
export function useAsked(caseId: string): [Asked | null, (asked: Asked | null) => void] {
  const [asked, setAsked] = useState<Asked | null>(() => {
    const kept = keptInTab(KEY) as Asked | null;
    return kept?.caseId === caseId ? kept : null;
  });
  const change = useCallback((next: Asked | null) => {
    keepInTab(KEY, next);
    setAsked(next);
  }, []);
  return [asked?.caseId === caseId ? asked : null, change];
}
