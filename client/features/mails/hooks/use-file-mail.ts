import type { MailDetail } from '@matterdesk/contract/mails.ts';
import { filedToCase } from '../../../core/filed.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { toast } from '../../../ui/toast-store.ts';
import { fileToCase } from '../api.ts';
import { details, threads } from '../slice.ts';

/** Files a mail to a case; `file` returns whether it succeeded. */
export function useFileMail({ id, filed }: Pick<MailDetail, 'id' | 'filed'>) {
  const dispatch = useAppDispatch();
  const { isBusy, attempt } = useAttempt();
  const file = (caseId: string): Promise<boolean> =>
    attempt(caseId, async () => {
      await fileToCase({ params: { mailId: id }, body: { caseId } });
      if (filed.some((before) => before.case.id === caseId)) toast.plain('Already filed there');
      else toast.success('Email filed');
      dispatch(filedToCase(caseId));
      // The others of its thread are proposed for the same case.
      dispatch(details.invalidated());
      dispatch(threads.invalidated());
    });
  return { isBusy, file };
}
