import { useState } from 'react';
import { CallError, showFailure } from '../../../api.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { addEntry } from '../api.ts';

/**
 * Adds entries to matters, each once, and says beside the text why one was refused.
 * @param isShown whether the text is on the page; a toast says it otherwise
 */
export function useAddEntry(isShown: () => boolean) {
  const [error, setError] = useState('');
  const { isBusy, attempt } = useAttempt();
  /** @returns whether it was added */
  const add = (caseId: string, body: Parameters<typeof addEntry>[0]['body']) =>
    attempt(body, (idempotencyKey) =>
      addEntry({ params: { id: caseId }, body, idempotencyKey }).catch((refusal: unknown) => {
        if (refusal instanceof CallError) {
          setError(refusal.errors[0]?.message ?? refusal.message);
          if (!isShown()) showFailure(refusal, 'errors');
        }
        throw refusal;
      }),
    );
  return { error, setError, isBusy, add };
}
