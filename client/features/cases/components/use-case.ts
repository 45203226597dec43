import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { caseDetails } from '../api.ts';

/** The case whose page is open: from the store at once, then from the server. */
export function useCase(id: string) {
  const matter = useAppSelector((state) => state.cases.entities[id]);
  const { failure, refresh } = useResource(caseDetails, id);
  return { matter, failure, refresh };
}
