import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { NOTHING_WRITTEN } from '../rules.writing.ts';
import type { Composer } from './use-composer.ts';

/** Starts a mail to the address that a link names: `?to=…`, once. */
export function useMailTo({ open }: Composer): void {
  const [params, setParams] = useSearchParams();
  const to = params.get('to');
  const handled = useRef<string>(null);
  useEffect(() => {
    // The address changes only after the composer has rendered the page again.
    if (handled.current === to) return;
    handled.current = to;
    if (to === null) return;
    setParams({}, { replace: true });
    const written = { ...NOTHING_WRITTEN, to };
    void open({ written });
  }, [to, setParams, open]);
}
