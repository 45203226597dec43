import { useState } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import type { Option } from '../../../ui/option.ts';
import { caseDetails } from '../api.ts';
import { caseOption } from './use-case-options.ts';

/** The chosen case for the dropdown: from the store, the pick, or the server. */
export function useMatter(caseId: string | null) {
  const held = useAppSelector((state) =>
    caseId === null ? undefined : state.cases.entities[caseId],
  );
  const [picked, setPicked] = useState<Option | null>(null);
  // The page around it also fails, and shows the failure.
  useResource(caseDetails, held ? null : caseId);
  const matter = held ? caseOption(held) : picked?.id === caseId ? picked : null;
  return { matter, setPicked };
}
