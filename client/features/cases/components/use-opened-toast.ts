import { useNavigate } from 'react-router';
import { type Case, caseRoutes } from '@matterdesk/contract/cases.ts';
import { paths } from '../../../core/paths.ts';
import { toast } from '../../../ui/toast-store.ts';

/** Says that a case was created, with a button that opens it. */
export function useOpenedToast(): (opened: Pick<Case, 'id'>) => void {
  const navigate = useNavigate();
  return ({ id }) =>
    toast.plain(caseRoutes.openCase.message, {
      label: 'Open',
      run: () => void navigate(paths.caseDetails(id)),
    });
}
