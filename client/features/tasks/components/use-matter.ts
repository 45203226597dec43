import { useEffect, useState } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { useAppSelector } from '../../../app/store.ts';
import type { Option } from '../../../ui/option.ts';
import { readCase } from '../api.ts';
import { caseOption } from './use-case-options.ts';

/**
 * The chosen case as the dropdown shows it: out of the store, else just picked, else asked for.
 * `onCame` must stay the same function.
 */
export function useMatter(caseId: string | null, onCame: (one: Case) => void) {
  const held = useAppSelector((state) =>
    caseId === null ? undefined : state.cases.entities[caseId],
  );
  const [picked, setPicked] = useState<Option | null>(null);
  const isHeld = held !== undefined;
  useEffect(() => {
    if (caseId === null || isHeld) return undefined;
    const controller = new AbortController();
    // What goes wrong here goes wrong with the board as well, and stands there.
    readCase(caseId, controller.signal).then(
      (reply) => onCame(reply.case),
      () => undefined,
    );
    return () => controller.abort();
  }, [caseId, isHeld, onCame]);
  const matter = held ? caseOption(held) : picked?.id === caseId ? picked : null;
  return { matter, setPicked };
}
