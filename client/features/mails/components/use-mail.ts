import { useEffect, useRef } from 'react';
import { useResource } from '../../../core/use-resource.ts';
import { toast } from '../../../ui/toast-store.ts';
import { mailDetails } from '../api.ts';

export const FAILED = 'Error in fetching selected email, Please select again';

/** The mail in the URL; a mail that cannot be loaded is closed with a toast. */
export function useMail(id: string | null, onFailed: () => void) {
  const { data, failure } = useResource(mailDetails, id);
  const hasFailed = data === null && failure !== null;
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  useEffect(() => {
    if (!hasFailed) return;
    toast.error(FAILED);
    failed.current();
  }, [hasFailed]);
  return data?.mail;
}
