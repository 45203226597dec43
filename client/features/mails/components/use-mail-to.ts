import { useEffect, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { readHandedDraft } from '../../../core/handed-draft.ts';
import { NOTHING_WRITTEN } from '../rules.writing.ts';
import type { Composer } from './use-composer.ts';

/** Starts a mail to the address that a link names, `?to=…`, or goes on with a draft, `?draft=…`; once. */
export function useMailTo({ open }: Composer): void {
  const [params, setParams] = useSearchParams();
  const state: unknown = useLocation().state;
  const to = params.get('to');
  const draftId = params.get('draft');
  const asked = draftId ?? to;
  const handled = useRef<string>(null);
  useEffect(() => {
    // The address changes only after the composer has rendered the page again.
    if (handled.current === asked) return;
    handled.current = asked;
    if (asked === null) return;
    const draft = draftId === null ? null : readHandedDraft(state);
    // Without its text the draft waits in its section.
    setParams(draftId !== null && !draft ? { section: 'drafts' } : {}, { replace: true });
    if (draft) void open({ written: { ...NOTHING_WRITTEN, ...draft }, draftId });
    else if (draftId === null) void open({ written: { ...NOTHING_WRITTEN, to: asked } });
  }, [asked, draftId, state, setParams, open]);
}
