import { useEffect, useRef } from 'react';
import type { Signature } from '../api.signature.ts';

/** The user's signature, read while the mailbox opens; null when it could not be. */
export function useSignature() {
  const signature = useRef<Promise<Signature | null>>(null);
  useEffect(() => {
    signature.current = import('../api.signature.ts')
      .then(({ openSignature }) => openSignature())
      .catch(() => null);
  }, []);
  return signature;
}
