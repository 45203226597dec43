import { useEffect, useRef } from 'react';
import { CallError } from '../../../api.ts';
import { useAppDispatch, useAppSelector } from '../../../core/store.ts';
import { toast } from '../../../ui/toast-store.ts';
import { openMail } from '../api.ts';

export const FAILED = 'Error in fetching selected email, Please select again';

/** The mail of the address; one that cannot be read is let go of, and that is said. */
export function useMail(id: string | null, onFailed: () => void) {
  const dispatch = useAppDispatch();
  const mail = useAppSelector(({ mails }) => mails.details.find((one) => one.id === id));
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  useEffect(() => {
    if (id === null) return undefined;
    const controller = new AbortController();
    dispatch(openMail(id, controller.signal)).catch((error: unknown) => {
      if (!(error instanceof CallError)) return;
      toast.error(FAILED);
      failed.current();
    });
    return () => controller.abort();
  }, [id, dispatch]);
  return mail;
}
