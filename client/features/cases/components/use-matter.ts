import { useEffect, useState } from 'react';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import type { Option } from '../../../ui/option.ts';
import { readCase } from '../api.ts';
import { caseRead } from '../slice.ts';
import { caseOption } from './use-case-options.ts';

/** The chosen case as the dropdown shows it: from the store, else just picked, else fetched. */
export function useMatter(caseId: string | null) {
  const dispatch = useAppDispatch();
  const held = useAppSelector((state) =>
    caseId === null ? undefined : state.cases.entities[caseId],
  );
  const [picked, setPicked] = useState<Option | null>(null);
  const isHeld = held !== undefined;
  useEffect(() => {
    if (caseId === null || isHeld) return undefined;
    const controller = new AbortController();
    // A failure here also fails the page around it, which shows it.
    readCase(caseId, controller.signal).then(
      (reply) => dispatch(caseRead(reply.case)),
      () => undefined,
    );
    return () => controller.abort();
  }, [dispatch, caseId, isHeld]);
  const matter = held ? caseOption(held) : picked?.id === caseId ? picked : null;
  return { matter, setPicked };
}
