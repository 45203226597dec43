import { useAppSelector } from '../../../core/store.ts';
import { useResource } from '../../../core/use-resource.ts';
import { caseDetails } from '../api.ts';

/** The case whose page is open: what the store holds at once, and the server's answer as soon as it is there. */
export function useCase(id: string) {
  const matter = useAppSelector((state) => state.cases.entities[id]);
  const { failure, refresh } = useResource(caseDetails, id);
  return { matter, failure, refresh };
}
