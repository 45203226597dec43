import { useEffect, useState } from 'react';
import type { Case } from '@matterdesk/contract/cases.ts';
import { useAppSelector } from '../../../app/store.ts';
import type { Option } from '../../../ui/option.ts';
import { caseOption } from '../../../app/use-case-options.ts';

/** How cases are read and kept, which their own feature knows. */
export type Matters = {
  read: (id: string, signal: AbortSignal) => Promise<{ case: Case }>;
  keep: (one: Case) => void;
};

/**
 * The chosen case as the dropdown shows it: out of the store, else just picked, else asked for.
 * `matters` must stay the same object.
 */
export function useMatter(caseId: string | null, matters: Matters) {
  const held = useAppSelector((state) =>
    caseId === null ? undefined : state.cases.entities[caseId],
  );
  const [picked, setPicked] = useState<Option | null>(null);
  const isHeld = held !== undefined;
  useEffect(() => {
    if (caseId === null || isHeld) return undefined;
    const controller = new AbortController();
    // What goes wrong here goes wrong with the board as well, and stands there.
    matters.read(caseId, controller.signal).then(
      (reply) => matters.keep(reply.case),
      () => undefined,
    );
    return () => controller.abort();
  }, [caseId, isHeld, matters]);
  const matter = held ? caseOption(held) : picked?.id === caseId ? picked : null;
  return { matter, setPicked };
}
