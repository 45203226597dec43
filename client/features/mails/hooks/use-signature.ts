import { useEffect, useMemo, useRef } from 'react';
import type { Written } from '../rules.writing.ts';

/** The user's signature, read while the mailbox opens; empty when it could not be. */
export function useSignature() {
  const asked = useRef<Promise<string>>(null);
  useEffect(() => {
    asked.current = readSignature().catch(() => '');
  }, []);
  return useMemo(() => {
    const read = async () => (await asked.current) ?? '';
    return {
      read,
      sign: async (written: Written) => {
        const signature = await read();
        if (signature === '') return written;
        return (await import('../rules.signature.ts')).signed(written, signature);
      },
      change: (text: string) => {
        asked.current = Promise.resolve(text);
      },
    };
  }, []);
}

async function readSignature(): Promise<string> {
  return (await import('../api.signature.ts')).readSignature();
}
