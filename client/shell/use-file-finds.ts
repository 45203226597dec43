import FileText from 'lucide-react/icons/file-text';
import { matchPath, useLocation } from 'react-router';
import { paths } from '../core/paths.ts';
import { useResource } from '../core/use-resource.ts';
import { foundFiles } from '../features/files/api.ts';
import type { Find } from './palette-finds.ts';

const CASE = '/dashboard/caseDetails/:id';

/** Files of the case that is open, by their names and the text of trained ones. @param search null for none */
export function useFileFinds(search: string | null, most: number): Find[] {
  const { pathname } = useLocation();
  const caseId = matchPath(CASE, pathname)?.params.id;
  const query = search === null || caseId === undefined ? null : { caseId, search };
  const { data } = useResource(foundFiles, query);
  return (data?.files ?? []).slice(0, most).map(({ folder, name, excerpt }) => ({
    label: name,
    note: excerpt ?? folder,
    icon: FileText,
    to: paths.fileOf(caseId ?? '', folder, name),
  }));
}
