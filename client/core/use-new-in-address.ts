import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

/** Starts what a link asks for with `?new`, once; nothing for users who may not. */
export function useNewInAddress(start: () => void, isAllowed: boolean): void {
  const [params, setParams] = useSearchParams();
  const isAsked = params.has('new');
  const latest = useRef(start);
  useEffect(() => {
    latest.current = start;
  });
  useEffect(() => {
    if (!isAsked) return;
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('new');
        return next;
      },
      { replace: true },
    );
    if (isAllowed) latest.current();
  }, [isAsked, isAllowed, setParams]);
}
