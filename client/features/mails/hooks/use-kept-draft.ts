import { useCallback, useRef, useState } from 'react';
import { keepInTab, keptInTab } from '../../../core/tab-storage.ts';
import { readMailDraft, type MailDraft } from '../rules.writing.ts';

const KEPT = 'mail-composing';

export type Change = (next: (now: MailDraft | null) => MailDraft | null) => void;

/** The mail being written, which this tab keeps through reloads. */
export function useKeptDraft() {
  const [composing, setComposing] = useState(() => readMailDraft(keptInTab(KEPT)));
  const latest = useRef(composing);
  const change = useCallback<Change>((next) => {
    latest.current = next(latest.current);
    keepInTab(KEPT, latest.current);
    setComposing(latest.current);
  }, []);
  return { composing, change, latest };
}
