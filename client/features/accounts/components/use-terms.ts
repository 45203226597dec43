import { useEffect, useState } from 'react';
import type { RegistrationTerms } from '@matterdesk/contract/registration.ts';
import { readTerms } from '../api.ts';

/** Who may register now; undefined until known. */
export function useTerms(): RegistrationTerms | undefined {
  const [terms, setTerms] = useState<RegistrationTerms>();
  useEffect(() => {
    let isOver = false;
    readTerms().then(
      (read) => !isOver && setTerms(read),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, []);
  return terms;
}
