import { useEffect, useState } from 'react';
import { useAppSelector } from '../../../core/store.ts';
import type { Tag } from '../slice.ts';

/** The name tag of a card that another user has moved, for as long as it is shown. */
export function useTag(id: string): Tag | undefined {
  const tag = useAppSelector((state) => state.tasks.tags[id]);
  const until = tag?.until;
  const [passed, setPassed] = useState(() =>
    until !== undefined && until <= Date.now() ? until : undefined,
  );
  useEffect(() => {
    if (until === undefined) return undefined;
    const timer = setTimeout(setPassed, until - Date.now(), until);
    return () => clearTimeout(timer);
  }, [until]);
  return until === passed ? undefined : tag;
}
