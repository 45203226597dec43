import { useCallback, useRef, useState } from 'react';
import type { Import } from '@matterdesk/contract/imports.ts';
import { succeeds } from '../../../core/use-attempt.ts';
import { changeImport } from '../api.ts';
import { type Change, changed } from '../rules.columns.ts';

/** Saves each choice at once, one after another, and shows it meanwhile; one that is refused springs back. */
export function useChanges(of: Import) {
  const [pending, setPending] = useState<readonly Change[]>([]);
  const last = useRef<Promise<boolean>>(Promise.resolve(true));
  const { id } = of;
  const change = useCallback(
    (next: Change) => {
      setPending((before) => [...before, next]);
      last.current = last.current.then(async () => {
        const isSaved = await succeeds(changeImport(id, next));
        setPending((before) => before.filter((one) => one !== next));
        return isSaved;
      });
    },
    [id],
  );
  return {
    shown: changed(of, pending),
    isSaving: pending.length > 0,
    change,
    /** Resolves once everything is saved, with whether the last choice was. */
    saved: () => last.current,
  };
}
