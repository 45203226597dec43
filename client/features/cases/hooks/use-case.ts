import { useEffect } from 'react';
import { matterLost } from '../../../core/matter-lost.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { caseDetails } from '../api.ts';

/** Milliseconds during which several changes are combined into one fetch. */
const GATHER_MS = 150;

/** The case whose page is open: from the store at once, then from the server. */
export function useCase(id: string) {
  const matter = useAppSelector((state) => state.cases.entities[id]);
  const wasLost = useAppSelector((state) => state.cases.lost[id] === true);
  const { failure, refresh } = useResource(caseDetails, id, { gather: GATHER_MS });
  const dispatch = useAppDispatch();
  const isHidden = failure?.status === 404 && matter !== undefined;
  useEffect(() => {
    // Lost while this browser was away, so that no event reported it.
    if (isHidden) dispatch(matterLost(id));
  }, [dispatch, id, isHidden]);
  return { matter, failure, refresh, wasLost };
}
